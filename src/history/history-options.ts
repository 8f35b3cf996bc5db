import type { Collector } from '../resources/collector.ts';
import type { PersonalDataMode } from '../resources/personal-data.ts';
import type { ProjectGlobs } from '../resources/project-filter.ts';
import type { RetentionTimes } from './upkeep/retention.ts';

/** The settings of a history: its file, and which accounts it keeps for how long. */
export interface HistoryOptions {
  readonly file: string;
  readonly accounts: readonly string[];
  /** The collectors that are on; what is remembered of the others counts for nothing. */
  readonly collectors: readonly Collector[];
  /** Globs of the watched projects by account; the others are remembered but not shown. All by default. */
  readonly projects?: ReadonlyMap<string, ProjectGlobs>;
  readonly staleAfterMs: number;
  /** How addresses that API keys were used from are remembered; plain by default. */
  readonly sourceAddresses?: PersonalDataMode;
  /** How people who created API keys are remembered; plain by default. */
  readonly people?: PersonalDataMode;
  readonly dropAfterMs: number;
  /** How long rows are kept; for ever by default. */
  readonly keep?: RetentionTimes;
}
