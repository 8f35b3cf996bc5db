import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  allowedPerMinute,
  budgetState,
  nextTokenAt,
  openBudget,
  type RequestBudget,
  resumeBudget,
  settleBudget,
  shareBurst,
  slowDown,
  takeToken,
} from '../../src/api/pacing/request-budget.ts';
import { paceWithin } from '../../src/resources/request-budget.ts';

const ceiling = fc.integer({ min: 1, max: 2000 });
const steps = fc.array(
  fc.record({ waitMs: fc.integer({ min: 0, max: 20_000 }), refusedForMs: fc.option(fc.nat(30_000)) }),
  { minLength: 1, maxLength: 60 },
);

/** Takes tokens greedily at every step; answers when each was taken and every budget on the way. */
function run(ceilingPerMinute: number, script: readonly { waitMs: number; refusedForMs: number | null }[]) {
  let now = 0;
  let budget = openBudget(ceilingPerMinute, now);
  const takenAt: number[] = [];
  const budgets: RequestBudget[] = [];
  for (const { waitMs, refusedForMs } of script) {
    now += waitMs;
    for (let next = takeToken(budget, now); next !== undefined; next = takeToken(budget, now)) {
      budget = next;
      takenAt.push(now);
      budgets.push(budget);
    }
    if (refusedForMs !== null) budget = slowDown(budget, { sentAt: now, retryAt: now + refusedForMs }, now);
    budgets.push(budget);
  }
  return { takenAt, budgets };
}

describe('a request budget', () => {
  test('allows a small burst and then an even pace', () => {
    const { takenAt } = run(
      300,
      [0, 100, 100, 100, 100].map(waitMs => ({ waitMs, refusedForMs: null })),
    );
    expect(takenAt).toEqual([...Array(15).fill(0), 300]);
  });

  test('never gives more than the ceiling in any minute', () => {
    fc.assert(
      fc.property(ceiling, steps, (ceilingPerMinute, script) => {
        const { takenAt } = run(ceilingPerMinute, script);
        takenAt.forEach((from, index) => {
          const inMinute = takenAt.slice(index).filter(at => at < from + 60_000);
          expect(inMinute.length).toBeLessThanOrEqual(ceilingPerMinute);
        });
      }),
    );
  });

  test.each([1, 7, 60, 300, 700, 2000])(
    'of %i a minute lets no more arrive in any minute, though the first ones are under way for nearly a second longer',
    ceilingPerMinute => {
      const { takenAt } = run(ceilingPerMinute, Array(2000).fill({ waitMs: 100, refusedForMs: null }));
      const { burst, perMinute } = paceWithin(ceilingPerMinute);
      const arrivedAt = takenAt.map((at, index) => at + (index < burst ? 999 : 0)).toSorted((a, b) => a - b);
      const mostIn = arrivedAt.map(from => arrivedAt.filter(at => at >= from && at < from + 60_000).length);
      expect(Math.max(...mostIn)).toBeLessThanOrEqual(ceilingPerMinute);
      // A token is taken when the step after it comes.
      expect(takenAt.length).toBeGreaterThanOrEqual(Math.floor((perMinute * 199.9) / 60));
    },
  );

  test('never rises above its ceiling nor falls below one request a minute', () => {
    fc.assert(
      fc.property(ceiling, steps, (ceilingPerMinute, script) => {
        for (const { perMinute, tokens, burst } of run(ceilingPerMinute, script).budgets) {
          expect(perMinute).toBeLessThanOrEqual(ceilingPerMinute);
          expect(perMinute).toBeGreaterThanOrEqual(1);
          expect(tokens).toBeLessThanOrEqual(burst);
        }
      }),
    );
  });

  test('never gives a token while it is paused', () => {
    fc.assert(
      fc.property(
        ceiling,
        fc.integer({ min: 1, max: 10_000 }),
        fc.nat(20_000),
        (perMinute, pauseMs, afterMs) => {
          const paused = slowDown(openBudget(perMinute, 0), { sentAt: 0, retryAt: pauseMs }, 0);
          const token = takeToken(paused, afterMs);
          expect(token === undefined).toBe(afterMs < pauseMs);
        },
      ),
    );
  });

  test('has a token exactly when it said it would', () => {
    fc.assert(
      fc.property(ceiling, steps, (ceilingPerMinute, script) => {
        const budget = run(ceilingPerMinute, script).budgets.at(-1) ?? openBudget(ceilingPerMinute, 0);
        const at = nextTokenAt(budget, budget.settledAt);
        expect(takeToken(budget, at)).toBeDefined();
        if (at > budget.settledAt) expect(takeToken(budget, budget.settledAt)).toBeUndefined();
      }),
    );
  });

  test('halves once for a whole rush of refusals', () => {
    let budget = openBudget(300, 0);
    for (const answeredAt of [10, 11, 12, 400]) {
      budget = slowDown(budget, { sentAt: 5, retryAt: answeredAt + 500 }, answeredAt);
    }
    expect(budget).toMatchObject({ perMinute: 150, pausedUntil: 900 });
  });

  test('is never paused for a shorter time than it was told before', () => {
    const told = slowDown(openBudget(300, 0), { sentAt: 0, retryAt: 20_000 }, 0);
    expect(slowDown(told, { sentAt: 0, retryAt: 500 }, 100).pausedUntil).toBe(20_000);
  });

  test('halves once for refusals of one instant, even when none of them asks for a pause', () => {
    const once = slowDown(openBudget(300, 0), { sentAt: 0, retryAt: 0 }, 0);
    expect(slowDown(once, { sentAt: 0, retryAt: 0 }, 0).perMinute).toBe(150);
  });

  test('halves again when the pause did not help', () => {
    const once = slowDown(openBudget(300, 0), { sentAt: 0, retryAt: 1000 }, 0);
    const twice = slowDown(once, { sentAt: 1000, retryAt: 2000 }, 1000);
    expect(twice.perMinute).toBe(75);
  });

  test('wins back a twentieth of the ceiling per minute, the pause not counted', () => {
    const slowed = slowDown(openBudget(300, 0), { sentAt: 0, retryAt: 60_000 }, 0);
    const perMinuteAfter = (minutes: number) => settleBudget(slowed, minutes * 60_000).perMinute;
    expect([0, 1, 2, 3, 10, 11, 60].map(perMinuteAfter)).toEqual([150, 150, 165, 180, 285, 300, 300]);
  });

  test('tries the water with one request after a pause', () => {
    const slowed = slowDown(openBudget(300, 0), { sentAt: 0, retryAt: 1000 }, 0);
    const first = takeToken(slowed, 1000);
    expect(first && takeToken(first, 1000)).toBeUndefined();
    expect(first).toBeDefined();
  });

  test('allows nothing while it is paused and says so', () => {
    const slowed = slowDown(openBudget(300, 0), { sentAt: 0, retryAt: 1000 }, 0);
    expect([allowedPerMinute(slowed, 999), allowedPerMinute(slowed, 1000)]).toEqual([0, 150]);
  });

  test('is not kept longer in a pause by a clock that is set back', () => {
    const hourMs = 3_600_000;
    const slowed = slowDown(openBudget(300, hourMs), { sentAt: hourMs, retryAt: hourMs + 1000 }, hourMs);
    expect(nextTokenAt(slowed, 0)).toBe(1000);
  });
});

describe('a budget after a restart', () => {
  const earlier = { perMinute: 150, settledAt: 60_000, pausedUntil: 0 };

  test('has what was earned since, not a full burst, so that a crash loop does not hammer the service', () => {
    const restarted = resumeBudget(300, earlier, 60_000);
    expect(takeToken(restarted, 60_000)).toBeUndefined();
    expect(nextTokenAt(restarted, 60_000)).toBe(60_427);
  });

  test('recovers for the time it was down, up to the ceiling', () => {
    expect(allowedPerMinute(resumeBudget(300, earlier, 120_000), 120_000)).toBe(165);
    expect(allowedPerMinute(resumeBudget(300, earlier, 3_600_000), 3_600_000)).toBe(300);
    expect(allowedPerMinute(resumeBudget(100, earlier, 60_000), 60_000)).toBe(100);
  });

  test('keeps the pause the service asked for', () => {
    const paused = resumeBudget(300, { ...earlier, pausedUntil: 90_000 }, 61_000);
    expect(takeToken(paused, 89_999)).toBeUndefined();
    expect(nextTokenAt(paused, 61_000)).toBeGreaterThanOrEqual(90_000);
  });

  test('is what the state of the one before says', () => {
    const budget = slowDown(openBudget(300, 0), { sentAt: 0, retryAt: 5_000 }, 0);
    expect(budgetState(budget)).toEqual({ perMinute: 150, settledAt: 0, pausedUntil: 5_000 });
  });
});

describe('the budgets of shards', () => {
  test.each([
    [1, 20],
    [3, 18],
    [20, 20],
  ])('of %i exporters let %i requests pass at once together', (shards, together) => {
    const { burst, tokens } = shareBurst(openBudget(2000, 0), shards);
    expect([burst * shards, tokens]).toEqual([together, burst]);
  });

  test('let one request pass at once each, however many they are', () => {
    expect(shareBurst(openBudget(2000, 0), 50).burst).toBe(1);
  });

  test('of few requests a minute let no more pass at once than one exporter would', () => {
    expect(shareBurst(openBudget(60, 0), 3).burst).toBe(3);
  });

  test('that go on after a restart get no burst by it', () => {
    const earlier = { perMinute: 2000, settledAt: 0, pausedUntil: 0 };
    expect(shareBurst(resumeBudget(2000, earlier, 0), 3).tokens).toBe(0);
  });
});
