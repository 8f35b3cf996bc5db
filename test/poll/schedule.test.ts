import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkSchedule, scheduleIntervalMs, startSchedule } from '../../src/poll/schedule.ts';

beforeEach(() => vi.useFakeTimers({ now: Date.UTC(2026, 0, 1, 0, 0, 0, 500) }));
afterEach(() => vi.useRealTimers());

/** A task that counts its runs, each lasting until `finish` or `fail` is called. */
function openTask() {
  const runs: PromiseWithResolvers<void>[] = [];
  const state = { overlaps: 0, running: 0, mostRunning: 0, errors: [] as unknown[] };
  const schedule = startSchedule(
    '* * * * * *',
    async () => {
      const run = Promise.withResolvers<void>();
      runs.push(run);
      state.running += 1;
      state.mostRunning = Math.max(state.mostRunning, state.running);
      await run.promise.finally(() => {
        state.running -= 1;
      });
    },
    {
      onOverlap: () => {
        state.overlaps += 1;
      },
      onError: error => state.errors.push(error),
    },
  );
  return { schedule, runs, state };
}

describe('a schedule', () => {
  it('runs its task at once and then every time it is due', async () => {
    const { schedule, runs } = openTask();
    expect(runs).toHaveLength(1);
    for (let second = 0; second < 3; second += 1) {
      runs.at(-1)?.resolve();
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(runs).toHaveLength(4);
    runs.at(-1)?.resolve();
    await schedule.stop();
  });

  it('never runs it twice at the same time, not even beside the first run, and says so', async () => {
    const { schedule, runs, state } = openTask();
    await vi.advanceTimersByTimeAsync(3000);
    expect([runs.length, state.mostRunning, state.overlaps]).toEqual([1, 1, 3]);
    runs[0]?.resolve();
    await vi.advanceTimersByTimeAsync(3000);
    expect([runs.length, state.mostRunning, state.overlaps]).toEqual([2, 1, 5]);
    runs[1]?.resolve();
    await schedule.stop();
  });

  it('tells when a run failed, the first one too, and goes on', async () => {
    const { schedule, runs, state } = openTask();
    runs[0]?.reject(new Error('first'));
    await vi.advanceTimersByTimeAsync(1000);
    runs[1]?.reject(new Error('second'));
    await vi.advanceTimersByTimeAsync(1000);
    expect(state.errors).toEqual([new Error('first'), new Error('second')]);
    expect(runs).toHaveLength(3);
    runs[2]?.resolve();
    await schedule.stop();
  });

  it('that is stopped runs no more, and waits for the run under way', async () => {
    const { schedule, runs } = openTask();
    let stopped = false;
    const stopping = schedule.stop().then(() => {
      stopped = true;
    });
    await vi.advanceTimersByTimeAsync(60_000);
    expect([runs.length, stopped]).toEqual([1, false]);
    runs[0]?.resolve();
    await stopping;
    expect(stopped).toBe(true);
  });
});

describe('a cron expression', () => {
  it.each(['* * * * * *', '*/30 * * * * *', '0 0 5 * * 1-5', '@daily'])('%s can be run', expression => {
    expect(checkSchedule(expression)).toBeUndefined();
  });

  it.each([
    '',
    'often',
    '61 * * * * *',
    '*/0 * * * * *',
    '0 5 * * 1-5',
    '* * * * * * *',
    '0 0 0 30 2 *',
    '-1 * * * * *',
  ])('"%s" is refused with what to write instead', expression => {
    expect(checkSchedule(expression)).toBe(
      'write a cron expression of six fields, seconds first, such as "*/30 * * * * *"',
    );
  });
});

it.each([
  ['*/10 * * * * *', 10_000],
  ['* * * * * *', 1000],
  ['0 */5 * * * *', 300_000],
  ['*/30 * 9-17 * * 1-5', 30_000],
  ['0 0 3 * * *', 86_400_000],
])('the runs of %s usually come %i ms after each other', (expression, intervalMs) => {
  expect(scheduleIntervalMs(expression)).toBe(intervalMs);
});
