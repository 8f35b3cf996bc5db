import { expect, test } from 'vitest';
import { openBudget, resumeBudget, takeToken } from '../../src/api/pacing/request-budget.ts';
import { readingOnHostClock } from '../../src/daemon/committed-reading.ts';
import { convertBudget, pressureOnHostClock, SteadyClock } from '../../src/daemon/steady-clock.ts';
import { day, minute, projectsReading, startAt } from '../support/reading-builder.ts';

function openClock() {
  const state = { host: startAt, running: 4000.7 };
  const clock = new SteadyClock({ hostNow: () => state.host, runningMs: () => state.running });
  return {
    clock,
    pass(ms: number) {
      state.host += ms;
      state.running += ms;
    },
    step(ms: number) {
      state.host += ms;
    },
  };
}

const steps = [-day, -2 * minute, day, 30 * day, 1096 * day];

test.each(steps)('a step of the host clock by %i ms is no time that passed', ms => {
  const { clock, pass, step } = openClock();
  expect(clock.now()).toBe(startAt);
  pass(1000);
  step(ms);
  pass(1000);
  expect(clock.now()).toBe(startAt + 2000);
});

test.each(steps)(
  'after a step by %i ms what is written down and shown is of the host clock as it is now',
  ms => {
    const { clock, step } = openClock();
    step(ms);
    const { readAt, servedAt } = readingOnHostClock(projectsReading(clock.now(), []), clock);
    expect([readAt, servedAt]).toEqual([startAt + ms, startAt + ms]);
    const served = { ...projectsReading(clock.now(), []), servedAt: startAt + 5 };
    expect(readingOnHostClock(served, clock)).toMatchObject({ readAt: startAt + ms, servedAt: startAt + 5 });
    const pressure = { oldestDueAt: clock.now() - minute } as Parameters<typeof pressureOnHostClock>[0];
    expect(pressureOnHostClock(pressure, clock).oldestDueAt).toBe(startAt + ms - minute);
  },
);

test.each(steps)(
  'a pause that the service asked for lasts as long after a step by %i ms and a restart',
  ms => {
    const before = openClock();
    const paused = { ...openBudget(60, before.clock.now()), pausedUntil: startAt + 2 * minute };
    before.step(ms);
    before.pass(minute);
    expect(takeToken(paused, before.clock.now())).toBeUndefined();
    const left = convertBudget(paused, at => before.clock.toHostClock(at));
    const after = new SteadyClock({ hostNow: () => startAt + ms + minute, runningMs: () => 10 });
    const resumed = resumeBudget(
      60,
      convertBudget(left, at => after.fromHostClock(at)),
      after.now(),
    );
    expect(resumed.pausedUntil - after.now()).toBe(minute);
  },
);
