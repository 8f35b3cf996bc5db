import { beforeAll, describe, expect, it } from 'vitest';
import { planPolls } from '../../../src/poll/scheduler/poll-plan.ts';
import { collectors } from '../../../src/resources/collector.ts';
import { fleetOf5000, minuteMs, type Outcome, simulate } from './freshness-simulation.ts';

const idleLimitSec = 3_600;

describe('a fleet of 5,000 projects under 700 requests a minute', () => {
  let scheduler: Outcome;
  let roundRobin: Outcome;
  let oracle: Outcome;

  beforeAll(() => {
    scheduler = simulate('scheduler', fleetOf5000);
    roundRobin = simulate('round robin', fleetOf5000);
    oracle = simulate('oracle', { ...fleetOf5000, durationMs: 110 * minuteMs });
  }, 180_000);

  it('has a start noticed within 10 seconds, nearly always within 18', () => {
    expect(scheduler.start.p50).toBeLessThanOrEqual(10);
    expect(scheduler.start.p99).toBeLessThanOrEqual(18);
  });

  it('has a start noticed fifty times as fast as a round robin does', () => {
    expect(roundRobin.start.p50 / scheduler.start.p50).toBeGreaterThan(50);
    expect(roundRobin.start.p99 / scheduler.start.p99).toBeGreaterThan(50);
  });

  it('shows at most 0.07 % in a wrong state, a thirtieth of what a round robin does', () => {
    expect(scheduler.wrong).toBeLessThanOrEqual(0.000_7);
    expect(roundRobin.wrong / scheduler.wrong).toBeGreaterThan(30);
  });

  it('keeps readings of busy projects at most 1.4 times as old as an oracle does', () => {
    expect(scheduler.busyAge.p50 / oracle.busyAge.p50).toBeLessThanOrEqual(1.4);
    expect(scheduler.busyAge.p99 / oracle.busyAge.p99).toBeLessThanOrEqual(1.5);
  });

  it('keeps those of projects at rest younger than an hour', () => {
    expect(scheduler.idleAge.p99).toBeLessThanOrEqual(idleLimitSec);
    expect(scheduler.idleAge.max).toBeLessThanOrEqual(idleLimitSec);
  });

  it('is as fresh as the plan said', () => {
    const plan = planPolls({
      ...fleetOf5000,
      busyShare: 0.05,
      apiKeysRefreshMs: 5 * minuteMs,
      collectors,
    });
    const near = (planned: number, measured: number) => Math.abs(planned / 1000 / measured - 1);
    expect(near(plan.startNoticedMs.p50, scheduler.start.p50)).toBeLessThan(0.2);
    expect(near(plan.startNoticedMs.p99, scheduler.start.p99)).toBeLessThan(0.2);
    expect(near(plan.busyAgeMs.p50, scheduler.busyAge.p50)).toBeLessThan(0.2);
    expect(near(plan.busyAgeMs.p99, scheduler.busyAge.p99)).toBeLessThan(0.2);
    expect(near(plan.idleIntervalMs, scheduler.idleAge.max)).toBeLessThan(0.2);
  });

  it('stays within the budget', () => {
    expect(scheduler.requestsPerMinute).toBeLessThanOrEqual(fleetOf5000.requestsPerMinute);
  });
});

describe('computes that run for other times', () => {
  it.each([
    { minutes: 5, wrong: 0.003 },
    { minutes: 60, wrong: 0.000_25 },
  ])('of $minutes minutes are shown wrongly in proportion to how often they change', ({ minutes, wrong }) => {
    const outcome = simulate('scheduler', { ...fleetOf5000, meanOnMs: minutes * minuteMs });
    expect(outcome.wrong).toBeLessThanOrEqual(wrong);
    expect(outcome.start.p99).toBeLessThanOrEqual(18);
    expect(outcome.idleAge.p99).toBeLessThanOrEqual(idleLimitSec);
  });
});

describe('a fleet of 20,000 projects under 700 requests a minute', { timeout: 90_000 }, () => {
  it('has starts noticed as fast, and every project read again in the time its share allows', () => {
    // The first readings alone take almost four hours.
    const terms = { projects: 20_000, warmUpMs: 270 * minuteMs, durationMs: 330 * minuteMs };
    const fleet = { ...fleetOf5000, ...terms };
    const outcome = simulate('scheduler', fleet);
    expect(outcome.start.p50).toBeLessThanOrEqual(10);
    expect(outcome.start.p99).toBeLessThanOrEqual(20);
    expect(outcome.wrong).toBeLessThanOrEqual(0.000_8);
    const plan = planPolls({ ...fleet, busyShare: 0.05, apiKeysRefreshMs: 5 * minuteMs, collectors });
    expect(outcome.idleAge.max).toBeLessThanOrEqual((plan.idleIntervalMs / 1000) * 1.3);
  });
});

describe('a list that lags', () => {
  it.each([
    { minutes: 1, p50: 75 },
    { minutes: 2, p50: 140 },
    { minutes: 5, p50: 153 },
    { minutes: 10, p50: 300 },
    { minutes: 15, p50: 450 },
  ])(
    'by $minutes minutes is found out, and starts are looked for where they are likely',
    ({ minutes, p50 }) => {
      const outcome = simulate('scheduler', { ...fleetOf5000, lagMs: minutes * minuteMs });
      expect(Math.abs(outcome.lagMs / (minutes * minuteMs) - 1)).toBeLessThan(0.05);
      expect(outcome.start.p50).toBeLessThanOrEqual(p50);
      expect(outcome.idleAge.max).toBeLessThanOrEqual(2.5 * idleLimitSec);
    },
  );

  it('for ever, as it never changes, hides no start for good', () => {
    const outcome = simulate('scheduler', { ...fleetOf5000, lagMs: Number.MAX_SAFE_INTEGER });
    const roundRobin = simulate('round robin', fleetOf5000);
    expect(outcome.start.p50).toBeLessThan(roundRobin.start.p50);
    expect(outcome.start.max).toBeLessThanOrEqual(2.5 * idleLimitSec);
  });
});

describe('one project in ten that fails', () => {
  it('costs the others nothing that can be seen', () => {
    const outcome = simulate('scheduler', { ...fleetOf5000, failingPart: 0.1 });
    expect(outcome.start.p50).toBeLessThanOrEqual(10);
    expect(outcome.start.p99).toBeLessThanOrEqual(18);
    expect(outcome.wrong).toBeLessThanOrEqual(0.000_7);
    expect(outcome.idleAge.p99).toBeLessThanOrEqual(idleLimitSec);
  });
});
