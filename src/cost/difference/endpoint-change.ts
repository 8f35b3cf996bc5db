import type { DatedSize, EndpointPast } from '../../resources/endpoint-past.ts';
import { sum } from '../finding/statistic.ts';
import { describeAwake } from './awake-cause.ts';
import { type AwakeChange, explainAwake } from './awake-change.ts';
import type { ComparedPeriods } from './compared-past.ts';
import { leastLife, lifeIn, ratioOf } from './life-part.ts';
import { findSizeChange, saySize } from './size-change.ts';
import type { UsePart } from './use-part.ts';

/** What an endpoint used in both periods, in whole CU-milliseconds: its share of what its project used. */
export interface EndpointUse {
  readonly endpoint: EndpointPast;
  readonly before: number;
  readonly after: number;
  /** What it would have used in the second period, as long as that is, if it had gone on as in the first. */
  readonly expected: number;
}

/** Parts of what an endpoint used more than was expected of it, which add up to that. */
export function explainEndpoint(
  { endpoint, before, after, expected }: EndpointUse,
  periods: ComparedPeriods,
): UsePart[] {
  const { past, sizes, goneAt } = endpoint;
  const cuMs = after - expected;
  if (cuMs === 0) return [];
  const { endpoint_id } = past;
  const life = { fromAt: past.fromAt, untilAt: goneAt ?? Number.POSITIVE_INFINITY };
  const whole = { cuMs, endpoint_id, children: [] };
  const missed = [periods.before, periods.after].find(period => lifeIn(life, period) < leastLife);
  if (missed !== undefined) {
    return life.fromAt > missed.fromAt
      ? [{ ...whole, kind: 'new_endpoint', sinceAt: life.fromAt }]
      : [{ ...whole, kind: 'gone_endpoint', endedAt: life.untilAt }];
  }
  const changes = explainAwake(past, periods, before === 0 ? ratioOf(periods) : expected / before);
  const sizePart = explainSize(sizes, { before, after }, changes, periods);
  const meanCu = meanSize(changes, before, after);
  const awake = cutByChange(changes, cuMs - (sizePart?.cuMs ?? 0), meanCu).map(({ change, part }) =>
    describeAwake(change, part, periods),
  );
  const parts = [...awake, ...(sizePart ? [sizePart] : [])].map(part => ({ ...part, endpoint_id }));
  return parts.length > 0 ? parts : [{ ...whole, kind: sizes.length > 0 ? 'load' : 'use' }];
}

/** What a change of its size makes of the time it is awake now; a fixed size that did not change makes nothing. */
function explainSize(
  sizes: readonly DatedSize[],
  { before, after }: Pick<EndpointUse, 'before' | 'after'>,
  changes: readonly AwakeChange[],
  periods: ComparedPeriods,
): UsePart | undefined {
  const awakeBefore = sum(changes.map(change => change.before.awakeMs));
  const awakeAfter = sum(changes.map(change => change.after.awakeMs));
  if (awakeBefore === 0 || awakeAfter === 0 || before === 0) return undefined;
  const change = findSizeChange(sizes, { fromAt: periods.before.fromAt, untilAt: periods.after.untilAt });
  const isFixed = sizes.every(({ minCu, maxCu }) => minCu === maxCu);
  if (change === undefined && isFixed) return undefined;
  const [cuBefore, cuAfter] = [before / awakeBefore, after / awakeAfter];
  const cuMs = Math.round(after - cuBefore * awakeAfter);
  const mean = `${sayChange(round(cuAfter), round(cuBefore))} on average while awake`;
  return change === undefined
    ? { kind: 'load', cuMs, evidence: mean, children: [] }
    : {
        kind: 'resize',
        cuMs,
        sinceAt: change.to.fromAt,
        evidence: `its size became ${saySize(change.to)} instead of ${saySize(change.from)}, and was ${mean}`,
        children: [],
      };
}

/** CU while it was awake in the first period, or in the second where it was not awake in the first. */
function meanSize(changes: readonly AwakeChange[], before: number, after: number): number {
  const awakeBefore = sum(changes.map(change => change.before.awakeMs));
  const awakeAfter = sum(changes.map(change => change.after.awakeMs));
  return awakeBefore > 0 ? before / awakeBefore : awakeAfter > 0 ? after / awakeAfter : 0;
}

/** The time awake that each change makes at a size, in whole CU-milliseconds; the largest has what the others leave. */
function cutByChange(changes: readonly AwakeChange[], cuMs: number, meanCu: number) {
  const [first, ...others] = changes.toSorted((a, b) => Math.abs(b.awakeMs) - Math.abs(a.awakeMs));
  const parts = others
    .map(change => ({ change, part: Math.round(change.awakeMs * meanCu) }))
    .filter(({ part }) => part !== 0);
  const rest = cuMs - sum(parts.map(({ part }) => part));
  return first === undefined || (rest === 0 && parts.length === 0)
    ? []
    : [{ change: first, part: rest }, ...parts];
}

function sayChange(now: number, old: number): string {
  return now === old ? `${now} CU, as before,` : `${now} CU instead of ${old} CU`;
}

function round(cu: number): number {
  return Math.round(cu * 100) / 100;
}
