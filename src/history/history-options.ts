import type { PersonalDataMode } from '../resources/api-key.ts';
import type { Collector } from '../resources/collector.ts';
import type { MeterUnit } from '../resources/meter.ts';
import type { ProjectGlobs } from '../resources/project-filter.ts';
import type { Shard } from '../resources/shard.ts';
import type { BackupPlan } from './file/backup.ts';
import type { Takeover } from './file/owner.ts';
import type { RetentionTimes } from './upkeep/retention.ts';

/** The settings of a history: its file, and which accounts it keeps for how long. */
export interface HistoryOptions {
  readonly file: string;
  /** How it is taken over by a standby; absent where none waited for it. */
  readonly takeover?: Takeover;
  /** Whether it is known to be a copy; without it a file that has no lock file beside it is one. */
  readonly isCopy?: boolean;
  readonly accounts: readonly string[];
  /** The collectors that are on; what is remembered of the others counts for nothing. */
  readonly collectors: readonly Collector[];
  /** Globs of the watched projects by account; the others are remembered but not shown. All by default. */
  readonly projects?: ReadonlyMap<string, ProjectGlobs>;
  /** The shard that the history is of; absent where it is of all projects. */
  readonly shard?: Shard;
  readonly staleAfterMs: number;
  /** How addresses that API keys were used from are remembered; plain by default. */
  readonly sourceAddresses?: PersonalDataMode;
  /** How people who created API keys are remembered; plain by default. */
  readonly people?: PersonalDataMode;
  /** How the service's meter counts what lasts; by the month by default. It is shown in months. */
  readonly meterUnit?: MeterUnit;
  readonly dropAfterMs: number;
  /** How backups of it are kept; none by default. */
  readonly backup?: BackupPlan;
  /** How long rows are kept; for ever by default. */
  readonly keep?: RetentionTimes;
}
