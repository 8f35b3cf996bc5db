import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scheduleIntervalMs } from '../../../src/poll/schedule.ts';
import { adviseBudget } from '../../../src/poll/scheduler/budget-advice.ts';
import type { PlanTerms } from '../../../src/poll/scheduler/poll-plan.ts';
import { collectors } from '../../../src/resources/collector.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;

const fleet: PlanTerms = {
  projects: 1000,
  busyShare: 0.05,
  pageSize: 400,
  requestsPerMinute: 300,
  scheduleMs: 10 * secondMs,
  idleRefreshMs: 15 * minuteMs,
  apiKeysRefreshMs: 5 * minuteMs,
  collectors,
};

describe('the advice on a request budget', () => {
  it('is what follows by hand from the shares of the budget', () => {
    // 300 in any minute, with 15 at once and each up to a second late, are (300 - 14) * 60 / 61 = 281.3 for long. Three
    // pages six times a minute and a key list every five minutes leave 281.3 - 18.2; of that, 0.17 are for 950 idle
    // projects at 1.25 requests each: 950 * 1.25 / (0.17 * 263.1) = 26.55 minutes. In 15 minutes they would take 79.17
    // requests a minute, which are 0.17 of 465.7; 18.2 more are 483.9, and with 20 at once 483.9 * 61 / 60 + 19 = 511.0 in
    // any minute. All that is wanted is 754.9: 754.9 * 61 / 60 + 19 = 786.5.
    expect(adviseBudget(fleet)).toEqual({
      listsInTime: true,
      idleInTime: false,
      enoughPerMinute: 511,
      amplePerMinute: 787,
      affordable: { idleRefreshMs: 27 * minuteMs },
    });
  });

  it('has nothing to change where all is in time', () => {
    expect(adviseBudget({ ...fleet, requestsPerMinute: 511 })).toEqual({
      listsInTime: true,
      idleInTime: true,
      enoughPerMinute: 511,
      amplePerMinute: 787,
      affordable: {},
    });
  });

  it('makes the list rarer where that is too much, by a schedule that divides the hour', () => {
    const { listsInTime, affordable } = adviseBudget({ ...fleet, projects: 20_000, requestsPerMinute: 700 });
    expect(listsInTime).toBe(false);
    expect(affordable?.schedule).toBe('*/15 * * * * *');
    expect(scheduleIntervalMs(affordable?.schedule ?? '')).toBe(15 * secondMs);
  });

  it('knows only more budget where the key list alone takes all of it', () => {
    const { enoughPerMinute, affordable } = adviseBudget({
      ...fleet,
      requestsPerMinute: 6,
      apiKeysRefreshMs: 5 * secondMs,
    });
    expect(affordable).toBeUndefined();
    expect(enoughPerMinute).toBe(523);
  });

  it('keeps what it promises, and with one request a minute less nothing would', () => {
    const terms = fc.record({
      projects: fc.nat(30_000),
      busyShare: fc.nat(100).map(percent => percent / 100),
      pageSize: fc.integer({ min: 1, max: 400 }),
      requestsPerMinute: fc.integer({ min: 1, max: 3000 }),
      scheduleMs: fc.constantFrom(1, 10, 30, 60, 600).map(seconds => seconds * secondMs),
      idleRefreshMs: fc.integer({ min: 1, max: 24 * 60 }).map(minutes => minutes * minuteMs),
      apiKeysRefreshMs: fc.constantFrom(1, 5, 60).map(minutes => minutes * minuteMs),
      collectors: fc.constant(collectors),
    });
    const isEnough = (given: PlanTerms) => {
      const { listsInTime, idleInTime } = adviseBudget(given);
      return listsInTime && idleInTime;
    };
    fc.assert(
      fc.property(terms, given => {
        const { enoughPerMinute, amplePerMinute, affordable } = adviseBudget(given);
        expect(isEnough(given)).toBe(given.requestsPerMinute >= enoughPerMinute);
        expect(isEnough({ ...given, requestsPerMinute: enoughPerMinute })).toBe(true);
        expect(amplePerMinute).toBeGreaterThanOrEqual(enoughPerMinute);
        if (affordable === undefined) return;
        const { schedule, idleRefreshMs = given.idleRefreshMs } = affordable;
        const scheduleMs = schedule === undefined ? given.scheduleMs : scheduleIntervalMs(schedule);
        expect(isEnough({ ...given, scheduleMs, idleRefreshMs })).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});
