import { type AccountSummary, accountFamilies } from '../../resources/account.ts';
import { type BackfillPart, type InstantRow, lastInstant } from '../../resources/backfill.ts';
import { compact } from '../../resources/field.ts';
import { type BackfillAccount, type BackfillProject, type BackfillSource, replay } from './source.ts';

/** Series of accounts, durations of operations aside. */
export function backfillAccounts(source: BackfillSource): readonly BackfillPart[] {
  const { cpuUsedSeconds, lastProjectGoneTimestamp } = accountFamilies;
  return [
    {
      metrics: [cpuUsedSeconds.name],
      subjects: source.accounts.map(account => () => backfillUse(source, account)),
    },
    {
      metrics: [lastProjectGoneTimestamp.name],
      subjects: source.accounts.map(account => () => backfillGone(source, account)),
    },
  ];
}

/** A view of an account with nothing known but this. */
export function accountViewOf(account: string, known: Partial<AccountSummary>): AccountSummary {
  return { account, collectors: [], operationDurations: [], api_keys: [], ...known };
}

/** The use of all projects: from the total by now, minus what they had still to use. */
function backfillUse(source: BackfillSource, account: BackfillAccount): Iterable<unknown> {
  const { instants } = source;
  const total = account.cpu_used_total_sec;
  if (total === null) return [];
  const remaining = new Float64Array(instants.count);
  for (const project of account.projects) {
    const whole = Math.round(Number(project.row.cpu_used_total_sec ?? 0) * 1000);
    const stretches = listForeignUse(source, project, whole);
    let index = 0;
    for (const used of source.usage.usedAtSteps(project.project_ref, instants)) {
      const foreign = stretches.reduce(
        (sum, { from, until }) => sum + until - Math.min(until, Math.max(from, used)),
        0,
      );
      remaining[index] = (remaining[index] ?? 0) + whole - used - foreign;
      index += 1;
    }
  }
  let cpuUsedSeconds = total;
  return replay(instants, account.life, listChanges(remaining, instants), {
    apply(change) {
      cpuUsedSeconds = Math.max(0, total - change.remaining / 1000);
    },
    show: () => accountViewOf(account.account, { cpuUsedSeconds }),
  });
}

/**
 * Use in CU-milliseconds from when another history began to speak for a project until it ended: it counts there, and here as
 * if it had always been there, so that it is in no increase twice.
 */
function listForeignUse(
  { usage }: BackfillSource,
  { project_ref, life: { elsewhere = [] } }: BackfillProject,
  whole: number,
): readonly { readonly from: number; readonly until: number }[] {
  const usedAt = (at: number) => {
    if (!Number.isFinite(at)) return at < 0 ? 0 : whole;
    return usage.usedUntil(project_ref, at);
  };
  return elsewhere.map(({ fromAt, untilAt }) => ({ from: usedAt(fromAt), until: usedAt(untilAt) }));
}

function* listChanges(remaining: Float64Array, { fromAt, stepMs }: InstantRow) {
  for (const [index, value] of remaining.entries()) {
    if (value !== remaining[index - 1]) yield { at: fromAt + index * stepMs, remaining: value };
  }
}

function backfillGone({ instants }: BackfillSource, account: BackfillAccount): Iterable<unknown> {
  const untilAt = lastInstant(instants);
  const events = account.projects
    .flatMap(({ life }) => life.untilAt ?? [])
    .filter(at => at <= untilAt)
    .sort((one, other) => one - other)
    .map(at => ({ at }));
  let lastProjectGoneAt: number | undefined;
  return replay(instants, account.life, events, {
    apply({ at }) {
      lastProjectGoneAt = at;
    },
    show: () => accountViewOf(account.account, compact({ lastProjectGoneAt })),
  });
}
