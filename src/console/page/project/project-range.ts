import { dayMs, hourMs, type Span } from '../../../resources/duration.ts';
import { PageProblem } from '../../page-problem.ts';

export const rangesMs = {
  '1h': hourMs,
  '6h': 6 * hourMs,
  '24h': dayMs,
  '7d': 7 * dayMs,
  '30d': 30 * dayMs,
  '90d': 90 * dayMs,
  '1y': 366 * dayMs,
} as const;

/** The part of the address of a page that says its range. */
interface AskedRange {
  readonly range: keyof typeof rangesMs;
  readonly from: string;
  readonly until: string;
}

const shortestMs = hourMs;
const longestMs = rangesMs['1y'];

/** @throws PageProblem where its ends are no range from an hour to a year, or it lies in the future. */
export function readRange({ range, from, until }: AskedRange, now: number): Span {
  if (from === '' && until === '') return { fromAt: now - rangesMs[range], untilAt: now };
  const untilAt = until === '' ? now : Date.parse(until);
  const fromAt = from === '' ? untilAt - rangesMs[range] : Date.parse(from);
  const ms = untilAt - fromAt;
  if (ms < shortestMs || ms > longestMs) throw noRange('is not from an hour to a year');
  if (fromAt < 0) throw noRange('begins before 1970');
  if (fromAt >= now) throw noRange('begins after now');
  return { fromAt, untilAt };
}

function noRange(fault: string): PageProblem {
  return new PageProblem(400, 'This address cannot be read', `Its range ${fault}.`, [
    'from and until: instants from an hour to 366 days apart',
    `range: one of ${Object.keys(rangesMs).join(', ')}`,
  ]);
}

/** Ranges that a step leads to from another one. */
interface RangeSteps {
  /** Absent where it cannot be shorter or longer; one that ends now keeps its end. */
  readonly in?: Span;
  readonly out?: Span;
  readonly earlier: Span;
  /** Absent where it ends now. */
  readonly later?: Span;
}

/** A part of a range at its end that passes while somebody reads. */
const nearEnd = 0.05;

export function stepsFrom({ fromAt, untilAt }: Span, now: number): RangeSteps {
  const ms = untilAt - fromAt;
  const half = Math.round(ms / 2);
  const isUntilNow = now - untilAt < ms * nearEnd;
  const around = (wantedMs: number) => {
    const endAt = isUntilNow ? untilAt : Math.min(now, untilAt - half + Math.round(wantedMs / 2));
    return { fromAt: endAt - wantedMs, untilAt: endAt };
  };
  const shorterMs = Math.max(shortestMs, half);
  const longerMs = Math.min(longestMs, 2 * ms);
  const laterUntilAt = Math.min(now, untilAt + half);
  return {
    ...(shorterMs < ms && { in: around(shorterMs) }),
    ...(longerMs > ms && { out: around(longerMs) }),
    earlier: { fromAt: fromAt - half, untilAt: untilAt - half },
    ...(untilAt < now && { later: { fromAt: laterUntilAt - ms, untilAt: laterUntilAt } }),
  };
}
