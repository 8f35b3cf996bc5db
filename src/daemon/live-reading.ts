import type { LiveState } from '../console/live-state.ts';
import { historySizeBytes } from '../history/file/reader.ts';
import type { ProblemLog } from '../log/problem-log.ts';
import type { ReloadableWatching } from './reload.ts';
import type { StallWatch } from './stall-watch.ts';

export interface LiveParts {
  readonly watching: ReloadableWatching;
  readonly problems: ProblemLog;
  readonly stalls: StallWatch;
  /** Epoch milliseconds. */
  readonly startedAt: number;
}

/** The state of the running daemon now, for the pages that show it. */
export function readLive({ watching, problems, stalls, startedAt }: LiveParts): LiveState {
  const { current, lastReload, succession } = watching;
  const shownAt = current.history.publication.latest?.publishedAt;
  const pressures = new Map(watching.pressures());
  return {
    now: Date.now(),
    startedAt,
    overviews: current.history.overviews,
    imports: current.history.imports.list(),
    accounts: current.accounts.map(({ account, budgetPerMinute }) => {
      const pressure = pressures.get(account);
      return { account, budgetPerMinute: budgetPerMinute(), ...(pressure && { pressure }) };
    }),
    problems: problems.list(),
    stalled: stalls.list(),
    ...(lastReload && { lastReload }),
    ...(succession && { succession: { ...succession, shownAt } }),
    historySizeBytes: historySizeBytes(current.config.history.file),
  };
}
