import { cutIntoSteps } from '../../cost/calendar/step.ts';
import type { ReportHistory } from '../../history/usage/report-history.ts';
import { countedFrom } from '../../report/counted-ledger.ts';
import { hourMs } from '../../resources/duration.ts';
import type { Shard } from '../../resources/shard.ts';

/** A day of an account that nothing the daemon may still learn changes; epoch milliseconds. */
export interface SettledDay {
  readonly account: string;
  /** Such as `2026-10-05`. */
  readonly label: string;
  readonly fromAt: number;
  readonly untilAt: number;
}

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
  const { usage, settled, keptFromAt } = history;
  const ownUntilAt = Math.min(settled.until(account), usage.knownUntil(account) ?? 0);
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
  asked: { readonly fromAt: number; readonly untilAt: number },
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
