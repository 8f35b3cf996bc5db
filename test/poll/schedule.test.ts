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
  it('says when the next run begins, and since when one is under way', async () => {
    const { schedule, runs } = openTask();
    const startedAt = Date.now();
    expect([schedule.underWaySince(), schedule.nextAt()]).toEqual([startedAt, startedAt + 500]);
    await vi.advanceTimersByTimeAsync(500);
    expect([schedule.underWaySince(), schedule.nextAt()]).toEqual([startedAt, startedAt + 1500]);
    runs[0]?.resolve();
    await vi.advanceTimersByTimeAsync(1);
    expect(schedule.underWaySince()).toBeUndefined();
    await schedule.stop();
  });

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

  it.each(['0 0 3 * * *', '0 0 9 * * 1'])(
    'of %s shows at least every minute that it is waiting, but not while a run is under way',
    async expression => {
      let waits = 0;
      const run = Promise.withResolvers<void>();
      const schedule = startSchedule(expression, () => run.promise, {
        onOverlap() {},
        onError() {},
        onWait: () => {
          waits += 1;
        },
      });
      await vi.advanceTimersByTimeAsync(600_000);
      expect(waits).toBe(0);
      run.resolve();
      await vi.advanceTimersByTimeAsync(600_000);
      expect(waits).toBeGreaterThanOrEqual(9);
      await schedule.stop();
      const waited = waits;
      await vi.advanceTimersByTimeAsync(600_000);
      expect(waits).toBe(waited);
    },
  );

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

describe('after a step of the host clock', () => {
  const minute = 60_000;
  const day = 1440 * minute;
  const openQuick = (expression: string) => {
    const runs: number[] = [];
    const run = async () => {
      runs.push(performance.now());
    };
    return { runs, schedule: startSchedule(expression, run, { onOverlap: () => {}, onError: () => {} }) };
  };

  it.each([-day, -2 * minute, -400, 400, day, 7 * day, 30 * day, 1096 * day])(
    'of %i ms the next run comes within one interval, once, and then as scheduled',
    async stepMs => {
      const { runs, schedule } = openQuick('*/10 * * * * *');
      await vi.advanceTimersByTimeAsync(25_000);
      expect(runs).toHaveLength(3);
      vi.setSystemTime(Date.now() + stepMs);
      const steppedAt = performance.now();
      await vi.advanceTimersByTimeAsync(60_000);
      const later = runs.slice(3);
      expect((later[0] ?? Number.POSITIVE_INFINITY) - steppedAt).toBeLessThanOrEqual(10_000);
      const gaps = later.slice(1).map((at, index) => at - (later[index] ?? at));
      expect(Math.max(...gaps)).toBeLessThanOrEqual(11_000);
      expect(later.length).toBeLessThanOrEqual(7);
      await schedule.stop();
    },
  );

  it('a rare run that was passed over comes within a minute, and one that is far off again waits for its time', async () => {
    const { runs, schedule } = openQuick('0 0 3 * * *');
    await vi.advanceTimersByTimeAsync(minute);
    vi.setSystemTime(Date.now() + day);
    await vi.advanceTimersByTimeAsync(minute);
    expect(runs).toHaveLength(2);
    vi.setSystemTime(Date.now() - 3 * day);
    await vi.advanceTimersByTimeAsync(day);
    expect(runs).toHaveLength(3);
    await schedule.stop();
  });

  it('a thread that stood still while the next run was found sets no timer that Node warns of', async () => {
    const { schedule } = openQuick('* * * * * *');
    const waits = vi.spyOn(globalThis, 'setTimeout');
    const readClock = Date.now;
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
      vi.setSystemTime(readClock() + 1200);
      return readClock();
    });
    await vi.advanceTimersByTimeAsync(3000);
    clock.mockRestore();
    expect(waits.mock.calls.length).toBeGreaterThan(0);
    expect(waits.mock.calls.filter(([, ms = 0]) => ms < 0)).toEqual([]);
    await schedule.stop();
  });

  it('waits longer than a timer can for a run that is far away', async () => {
    const { runs, schedule } = openQuick('0 0 0 1 6 *');
    await vi.advanceTimersByTimeAsync(150 * minute);
    expect(runs).toHaveLength(1);
    await schedule.stop();
  });

  it('a timer that is a little early does not run it twice for one slot', async () => {
    const { runs, schedule } = openQuick('*/10 * * * * *');
    for (let turn = 0; turn < 6; turn += 1) {
      vi.setSystemTime(Date.now() - 3);
      await vi.advanceTimersByTimeAsync(10_000);
    }
    expect(runs).toHaveLength(7);
    await schedule.stop();
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
