import { type AccountSummary, accountFamilies } from '../../resources/account.ts';
import { type BackfillPart, type InstantRow, lastInstant } from '../../resources/backfill.ts';
import { compact } from '../../resources/field.ts';
import { type Life, replay } from './replay.ts';
import type { BackfillAccount, BackfillProject, BackfillSource } from './source.ts';

/** Series of accounts, durations of operations aside. */
export function backfillAccounts(source: BackfillSource): readonly BackfillPart[] {
  const { cpuUsedSeconds, lastProjectGoneTimestamp } = accountFamilies;
  const projectsOf = ({ account_ref }: BackfillAccount) =>
    source.everyProject.filter(project => project.account_ref === account_ref);
  return [
    {
      metrics: [cpuUsedSeconds.name],
      subjects: source.accounts.map(account => () => backfillUse(source, account, projectsOf(account))),
    },
    {
      metrics: [lastProjectGoneTimestamp.name],
      subjects: source.accounts.map(account => () => {
        const goneAt = projectsOf(account).flatMap(({ life }) => life.untilAt ?? []);
        return backfillGone(source, account, goneAt);
      }),
    },
  ];
}

/** The life of an account: it begins with its first project and has no end. */
export function lifeOfAccount({ everyProject }: BackfillSource, { account_ref }: BackfillAccount): Life {
  const own = everyProject.filter(project => project.account_ref === account_ref);
  return { fromAt: own.reduce((least, { life }) => Math.min(least, life.fromAt), Number.POSITIVE_INFINITY) };
}

/** A view of an account of which nothing is known but this. */
export function accountViewOf(account: string, known: Partial<AccountSummary>): AccountSummary {
  return { account, collectors: [], operationDurations: [], api_keys: [], ...known };
}

/** The use of all projects: from the total by now, minus what they had still to use. */
function backfillUse(
  source: BackfillSource,
  account: BackfillAccount,
  projects: readonly BackfillProject[],
): Iterable<unknown> {
  const { instants } = source;
  const total = account.cpu_used_total_sec;
  if (total === null) return [];
  const remaining = new Float64Array(instants.count);
  for (const { project_ref, row } of projects) {
    const whole = Math.round(Number(row.cpu_used_total_sec ?? 0) * 1000);
    let index = 0;
    for (const used of source.usage.usedAtSteps(project_ref, instants)) {
      remaining[index] = (remaining[index] ?? 0) + whole - used;
      index += 1;
    }
  }
  let cpuUsedSeconds = total;
  return replay(instants, lifeOfAccount(source, account), listChanges(remaining, instants), {
    apply(change) {
      cpuUsedSeconds = Math.max(0, total - change.remaining / 1000);
    },
    show: () => accountViewOf(account.account, { cpuUsedSeconds }),
  });
}

function* listChanges(remaining: Float64Array, { fromAt, stepMs }: InstantRow) {
  for (const [index, value] of remaining.entries()) {
    if (value !== remaining[index - 1]) yield { at: fromAt + index * stepMs, remaining: value };
  }
}

function backfillGone(
  source: BackfillSource,
  account: BackfillAccount,
  goneAt: readonly number[],
): Iterable<unknown> {
  const untilAt = lastInstant(source.instants);
  const events = goneAt
    .filter(at => at <= untilAt)
    .sort((one, other) => one - other)
    .map(at => ({ at }));
  let lastProjectGoneAt: number | undefined;
  return replay(source.instants, lifeOfAccount(source, account), events, {
    apply({ at }) {
      lastProjectGoneAt = at;
    },
    show: () => accountViewOf(account.account, compact({ lastProjectGoneAt })),
  });
}
