import { hourMs } from '../../resources/duration.ts';
import type { AwakeSpan, EndpointHistory } from '../../resources/endpoint-history.ts';
import { isWake, lengthMs } from '../finding/awake-time.ts';
import { checkWakes } from '../finding/woken-by-checks.ts';
import { type ComparedPeriods, clipPast } from './compared-past.ts';
import { findSchedules } from './schedule-search.ts';

/** Times an endpoint was awake for the same reason, in order of time. */
export interface WakeGroup {
  readonly reason: 'never_suspends' | 'schedule' | 'checks' | 'clients';
  /** Of a schedule. */
  readonly periodMs?: number;
  readonly spans: readonly AwakeSpan[];
}

/** Clients that work by day let it sleep at night: awake for longer it is not meant to sleep. */
const longestUseMs = 36 * hourMs;

/** Sorts all times that an endpoint was awake by what kept it or woke it; groups without any are left out. */
export function groupWakes(past: EndpointHistory, periods: ComparedPeriods): WakeGroup[] {
  const endless = past.awake.filter(span => lengthMs(span) >= longestUseMs);
  const checkedAt = new Set(
    (past.checks.length === 0 ? [] : [periods.before, periods.after]).flatMap(period =>
      checkWakes(clipPast(past, period)).map(({ fromAt }) => fromAt),
    ),
  );
  const short = past.awake.filter(span => lengthMs(span) < longestUseMs);
  const checked = short.filter(({ fromAt }) => checkedAt.has(fromAt));
  const woken = short.filter(span => !checkedAt.has(span.fromAt) && isWake(past, span));
  const schedules = findSchedules(woken, periods);
  const sorted = new Set([...checked, ...schedules.flatMap(({ beats }) => beats)]);
  const groups: WakeGroup[] = [
    { reason: 'never_suspends', spans: endless },
    ...schedules.map(({ periodMs, beats }) => ({ reason: 'schedule', periodMs, spans: beats }) as const),
    { reason: 'checks', spans: checked },
    { reason: 'clients', spans: short.filter(span => !sorted.has(span)) },
  ];
  return groups.filter(({ spans }) => spans.length > 0);
}
