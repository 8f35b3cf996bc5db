import { describeNext, type SetAside } from '../../history/file/damaged-file.ts';
import { dayMs } from '../../resources/duration.ts';
import { renderShard } from '../../resources/shard.ts';
import { writeInstant, writeMaybeInstant } from '../answer-value.ts';
import type { ConsoleConfig } from '../console-config.ts';
import type { LiveState } from '../live-state.ts';
import { describeProblem } from './account-condition.ts';
import type { ConditionDetails } from './condition.ts';
import { findHistoryGaps } from './history-gap.ts';

/** What is the matter with the daemon and the histories. */
export function findProgramConditions(
  live: LiveState,
  { accounts, shard }: Pick<ConsoleConfig, 'accounts' | 'shard'>,
): readonly ConditionDetails[] {
  const { histories, now, setAside } = live;
  const names = accounts.map(({ name }) => name);
  return [
    ...(histories === undefined
      ? []
      : findHistoryGaps(histories, names, now).map(({ condition }) => condition)),
    ...findDaemonConditions(live),
    ...(setAside !== undefined && now - setAside.at < newsMs ? [describeSetAside(setAside)] : []),
    ...(shard === undefined ? [] : [describeShard(shard)]),
  ];
}

/** As long as the alert on it fires. */
const newsMs = dayMs;

function describeSetAside(setAside: SetAside): ConditionDetails {
  const { at, file, problem, backup } = setAside;
  const [next = '', ...remedy] = describeNext(backup).split('; ');
  const [goesOn = '', effect = null] = next.split(': ');
  return {
    ...{ kind: 'history_set_aside', severity: 'warning', since: writeInstant(at), effect, remedy },
    sentence: `The history was damaged and set aside, ${goesOn}`,
    cause: `${problem}; the damaged file is ${file}`,
    last_good: writeMaybeInstant(backup?.at),
  };
}

function findDaemonConditions(live: LiveState): readonly ConditionDetails[] {
  const { stalled, lastReload, problems, succession, isDamaged = false } = live;
  return [
    ...stalled.map(
      ({ account, what }): ConditionDetails => ({
        ...{ kind: 'polling_stalled', severity: 'critical', account },
        sentence: `Polling of account ${account} has stalled`,
        cause: `polling ${what} gave no sign of life for minutes`,
        remedy: ['keep the log of the daemon', 'start the daemon again'],
      }),
    ),
    ...(isDamaged
      ? [
          {
            ...({ kind: 'history_damaged', severity: 'warning' } as const),
            sentence: 'A part of the history is damaged',
            effect: 'polling goes on; what needs that part stands still or cannot be shown',
            remedy: [
              'start the daemon again: it then sets the damaged file aside and goes on from the newest backup',
              'look at the disk, which may be failing',
            ],
          },
        ]
      : []),
    ...(lastReload?.succeeded === false
      ? [
          {
            ...({ kind: 'reload_failed', severity: 'warning', since: writeInstant(lastReload.at) } as const),
            sentence: 'The configuration could not be loaded again, and the one before is in use',
            remedy: ['dbpm-exporter check-config says what is wrong in the file', 'mend it, and reload'],
          },
        ]
      : []),
    // Failures of a collector are told of its account.
    ...problems
      .filter(({ about }) => about.collector === undefined)
      .map(
        (problem): ConditionDetails => ({
          ...{ kind: 'problem_lasting', severity: 'warning', account: problem.about.account ?? null },
          sentence: [problem.what, ...Object.values(problem.about)].join(', '),
          ...describeProblem(problem),
        }),
      ),
    ...(succession?.isStandby
      ? [
          {
            ...({ kind: 'standby', severity: 'info' } as const),
            sentence: 'This is a standby: it shows what the daemon that has the history wrote',
            remedy: ['it takes over by itself when that daemon is gone'],
            last_good: writeMaybeInstant(succession.shownAt),
          },
        ]
      : []),
  ];
}

function describeShard(shard: NonNullable<ConsoleConfig['shard']>): ConditionDetails {
  const isFirst = shard.index === 0;
  const keys = isFirst ? '' : `, and API keys are read by shard ${renderShard({ ...shard, index: 0 })}`;
  return {
    ...{ kind: 'shard', severity: 'info' },
    sentence: `This is shard ${renderShard(shard)}: it reads and shows its share of the projects${keys}`,
    remedy: ['dbpm-exporter console shows the histories of all shards as one'],
  };
}
