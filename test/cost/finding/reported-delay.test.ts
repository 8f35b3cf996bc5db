import { describe, expect, test } from 'vitest';
import { findFindings } from '../../../src/cost/finding/finding-list.ts';
import { reportedDelay, suspendDelayOf } from '../../../src/cost/finding/suspend-delay.ts';
import type { DatedDelay } from '../../../src/resources/endpoint-history.ts';
import { awakeFor, begin, day, hour, makePast, minute, repeat, stretch } from './past-builder.ts';

const since = (days: number, delayMs?: number): DatedDelay => ({
  fromAt: begin + days * day,
  ...(delayMs !== undefined && { delayMs }),
});
const never = Number.POSITIVE_INFINITY;
/** Ten days of one use of ten minutes an hour, and five more until suspension. */
const hourly = repeat(240, index => awakeFor(index * hour, 15 * minute, 10 * minute));

describe('the auto-suspend delay of an endpoint', () => {
  test('is what the service reports, else what it looks like from outside', () => {
    expect(suspendDelayOf(makePast({ awake: hourly }))).toBe(5 * minute);
    expect(suspendDelayOf(makePast({ awake: hourly, delays: [since(-1, 4 * minute)] }))).toBe(4 * minute);
    expect(suspendDelayOf(makePast({ awake: hourly, delays: [since(-1)] }))).toBe(5 * minute);
    expect(suspendDelayOf(makePast({ awake: hourly, delays: [since(-1, never)] }))).toBeUndefined();
  });

  test('is the last one that was reported by then', () => {
    const past = makePast({ delays: [since(1, minute), since(3, hour), since(20, never)] });
    expect(reportedDelay(past)).toBe(hour);
    expect(reportedDelay({ ...past, untilAt: begin + 3 * day })).toBe(minute);
    expect(reportedDelay({ ...past, untilAt: begin })).toBeUndefined();
  });
});

describe('an endpoint that is always awake', () => {
  const awake = [awakeFor(0, 10 * day)];
  const found = (delays: readonly DatedDelay[]) => {
    const [{ evidence, advice } = {}] = findFindings(makePast({ awake, delays }));
    return { evidence, advice };
  };

  test('is told to get an auto-suspend delay where it is off', () => {
    expect(found([since(-1, never)])).toEqual({
      evidence:
        'Its auto-suspend is off, and it was awake 100% of 10 days. What used it in that time is not known.',
      advice: 'Give it an auto-suspend delay.',
    });
  });

  test('is used too often where it has one', () => {
    expect(found([since(-1, 5 * minute)])).toEqual({
      evidence:
        'Its auto-suspend delay is 5 minutes, and it was awake 100% of 10 days. What used it in that time is not known.',
      advice:
        'Find what uses it more often than every 5 minutes: a connection pool, a health check or a cron job.',
    });
  });

  test('is not told to shorten a delay that is the smallest, only what uses it', () => {
    const pauses = repeat(2880, beat => stretch(beat * 5 * minute, 290_000));
    const past = makePast({ awake: [{ ...awakeFor(0, 10 * day), pauses }], delays: [since(-1, 5 * minute)] });
    const options = { smallestDelayMs: 5 * minute };
    expect(findFindings(past, options)[0]).toMatchObject({
      advice: 'Find the job or health check with this schedule and run it less often, or elsewhere.',
      periodMs: 5 * minute,
    });
    const uneven = repeat(2880, beat => stretch(beat * 5 * minute + ((beat * beat) % 83) * 1000, 200_000));
    const inUse = { ...past, awake: [{ ...awakeFor(0, 10 * day), pauses: uneven }] };
    expect(findFindings(inUse, options)).toEqual([]);
  });
});

test('a delay that was shortened already is not advised again, though most tails were long', () => {
  const tails = repeat(100, index =>
    awakeFor(index * 2 * hour + ((index * index) % 53) * minute, hour + minute, minute),
  );
  const kinds = (delays: readonly DatedDelay[]) =>
    findFindings(makePast({ awake: tails, delays }), { smallestDelayMs: 5 * minute }).map(({ kind }) => kind);
  expect(kinds([since(-1, hour)])).toContain('idle_tail');
  expect(kinds([since(-1, hour), since(9, 5 * minute)])).not.toContain('idle_tail');
});
