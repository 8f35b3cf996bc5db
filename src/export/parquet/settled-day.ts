import type { Config } from '../../config/config.ts';
import { cutIntoSteps } from '../../cost/calendar/step.ts';
import { fingerprintOf } from '../../cost/price/fingerprint.ts';
import { shareByGroup } from '../../cost/rating/group-share.ts';
import type { EndedOperation } from '../../history/usage/operation-query.ts';
import type { ReportHistory } from '../../history/usage/report-history.ts';
import { countedFrom } from '../../report/counted-ledger.ts';
import { rollLedger } from '../../report/row/rolled-ledger.ts';
import { keepClosed } from '../../report/row/scoped-cost.ts';
import { hourMs, type Span } from '../../resources/duration.ts';
import type { Shard } from '../../resources/shard.ts';
import type { ParquetDay } from './table/parquet-day.ts';

/** A day of an account that nothing the daemon may still learn changes; epoch milliseconds. */
export type SettledDay = Pick<ParquetDay, 'account' | 'label' | 'fromAt' | 'untilAt'>;

/** How far an account is settled, and what it is waited for. */
export interface Settlement {
  readonly account: string;
  readonly fromAt: number;
  readonly untilAt: number;
  /** Whether only the meter of the service is behind. */
  readonly isMeterLate: boolean;
  /** Shards that are not among several histories: a day is written once, with the projects of all of them. */
  readonly missing: readonly Shard[];
}

/**
 * Until when an account is settled: by what is read of it, and by the service's meter where there is one.
 *
 * @param isPart whether the history is meant to be of one shard alone, which writes its part.
 */
export function findSettlement(history: ReportHistory, account: string, isPart: boolean): Settlement {
  const { usage, settledUntil, keptFromAt } = history;
  const ownUntilAt = Math.min(settledUntil(account), usage.knownUntil(account) ?? 0);
  const meteredUntilAt = usage.metered?.knownSpan(account)?.untilAt ?? Number.POSITIVE_INFINITY;
  const missing = isPart ? [] : history.missingShards(account);
  return {
    account,
    fromAt: Math.max(countedFrom(history, 'best', account), keptFromAt.days),
    untilAt: missing.length > 0 ? 0 : Math.min(ownUntilAt, meteredUntilAt),
    isMeterLate: meteredUntilAt < ownUntilAt,
    missing,
  };
}

/** The whole days of a zone in which an account is known and settled, oldest first. */
export function listSettledDays(
  { account, fromAt, untilAt }: Settlement,
  zone: string,
  asked: Span,
): readonly SettledDay[] {
  const span = { fromAt: Math.max(fromAt, asked.fromAt), untilAt: Math.min(untilAt, asked.untilAt) };
  if (!(span.fromAt < span.untilAt)) return [];
  return cutIntoSteps('day', {
    zone,
    billedStretch: span,
    fromAt: span.fromAt - dayAndMore,
    untilAt: span.untilAt + dayAndMore,
  })
    .slice(1, -1)
    .filter(day => day.fromAt >= span.fromAt && day.untilAt <= span.untilAt)
    .map(({ label, ...day }) => ({ account, label, fromAt: day.fromAt, untilAt: day.untilAt }));
}

/** So much more at both ends that days at the ends are cut as whole ones. */
const dayAndMore = 26 * hourMs;

/**
 * Days with all that their rows are made of, which is worked out once for all of them.
 *
 * @param days of one account, oldest first.
 */
export function prepareDays(
  history: ReportHistory,
  { pricing, groupings }: Config,
  isPersonal: boolean,
  days: readonly SettledDay[],
): readonly ParquetDay[] {
  const groups = shareByGroup(groupings);
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const span = { fromAt: first.fromAt, untilAt: last.untilAt };
  const ledger = rollLedger(history, span);
  const prices = pricing && {
    book: pricing,
    costing: keepClosed({ book: pricing, ledger, groupsOf: groups.groupsOf }, history),
    fingerprint: fingerprintOf(pricing),
  };
  // A group of owners names a person.
  const shown = groupings.filter(({ by }) => isPersonal || by !== 'owner');
  const endedIn = rememberEnded(history, span);
  // The end of a day is the beginning of the next one.
  const { activity, usage } = history;
  const computeUntil = rememberLast((ref, at) => activity.computeUntil(ref, at));
  const usedUntil = rememberLast((ref, at) => usage.usedUntil(ref, at));
  const endpoints = remember(ref => activity.endpoints(ref));
  return days.map(day => ({
    ...day,
    ...{ history, groups, groupings: shown, isPersonal },
    ...{ computeUntil, usedUntil, endpoints },
    ended: project_ref => endedIn(project_ref, day),
    ...(prices && { prices }),
  }));
}

/** Keeps what was read last of each row. */
function rememberLast<Read>(read: (ref: number, at: number) => Read): (ref: number, at: number) => Read {
  const known = new Map<number, { readonly at: number; readonly found: Read }>();
  return (ref, at) => {
    const last = known.get(ref);
    if (last?.at === at) return last.found;
    const found = read(ref, at);
    known.set(ref, { at, found });
    return found;
  };
}

/** Reads what there is of each row once. */
function remember<Read>(read: (ref: number) => Read): (ref: number) => Read {
  const known = new Map<number, Read>();
  return ref => {
    const found = known.get(ref) ?? read(ref);
    known.set(ref, found);
    return found;
  };
}

/** Looks through the operations of a project once, as nothing orders them by when they ended. */
function rememberEnded({ operations }: ReportHistory, { fromAt, untilAt }: Span) {
  const endedOf = remember(project_ref => operations.ended(project_ref, fromAt, untilAt));
  return (project_ref: number, day: Span): readonly EndedOperation[] =>
    endedOf(project_ref).filter(({ ended_at }) => {
      return ended_at !== null && ended_at >= day.fromAt && ended_at < day.untilAt;
    });
}
