import type { LiveState } from '../console/live-state.ts';
import { historySizeBytes } from '../history/file/reader.ts';
import type { ProblemLog } from '../log/problem-log.ts';
import { compact } from '../resources/field.ts';
import type { DamageWatch } from './damage-watch.ts';
import type { ReloadableWatching } from './reload.ts';
import type { StallWatch } from './stall-watch.ts';
import { listPauses, type SteadyClock } from './steady-clock.ts';

interface LiveParts {
  readonly watching: ReloadableWatching;
  readonly problems: ProblemLog;
  readonly stalls: StallWatch;
  readonly damage: DamageWatch;
  readonly clock: SteadyClock;
  /** Epoch milliseconds. */
  readonly startedAt: number;
}

/** The state of the running daemon now, for the pages that show it. */
export function readLive({ watching, problems, stalls, damage, clock, startedAt }: LiveParts): LiveState {
  const { current, lastReload, succession } = watching;
  const shownAt = current.history.publication.latest?.publishedAt;
  const pauses = new Map(listPauses(current.accounts, clock));
  const pressures = new Map(watching.pressures());
  return {
    now: Date.now(),
    startedAt,
    overviews: current.history.overviews,
    imports: current.history.imports.list(),
    accounts: current.accounts.map(({ account, budgetPerMinute, listSchedule }) => ({
      ...{ account, budgetPerMinute: budgetPerMinute() },
      ...compact({
        pressure: pressures.get(account),
        pausedUntil: pauses.get(account),
        listingSince: listSchedule?.underWaySince(),
        nextListAt: listSchedule?.nextAt(),
      }),
    })),
    problems: problems.list(),
    stalled: stalls.list(),
    ...(lastReload && { lastReload }),
    ...(succession && { succession: { ...succession, shownAt } }),
    ...compact({ setAside: damage.setAside, newestBackupAt: current.history.newestBackupAt }),
    historySizeBytes: historySizeBytes(current.config.history.file),
  };
}
