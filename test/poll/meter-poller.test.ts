import { expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs } from '../../src/resources/duration.ts';
import type { MeterSpan } from '../../src/resources/meter.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { firstAt, hours, openMeter } from './open-meter.ts';

const iso = ({ granularity, fromAt, untilAt }: MeterSpan) =>
  `${granularity} ${new Date(fromAt).toISOString().slice(0, 13)} ${new Date(untilAt).toISOString().slice(0, 13)}`;

test('it reads a year by the month, two months by the day and a week by the hour, and then what may have grown', async () => {
  using folder = new HistoryFolder();
  const { world, poll, asked } = openMeter(folder, [hours('p', 24 * 80)]);
  world.now = firstAt + 80 * dayMs + 10 * minuteMs;
  await poll();
  expect(asked.splice(0).map(iso)).toEqual([
    'monthly 2025-12-01T00 2026-11-20T00',
    'daily 2026-09-22T00 2026-11-20T00',
    'hourly 2026-11-13T01 2026-11-20T00',
  ]);
  await poll();
  expect(asked).toEqual([]);
  world.now += hourMs;
  await poll();
  // All was new the first time: what did not grow since is settled now.
  expect(asked.splice(0).map(iso)).toEqual(['hourly 2026-11-13T02 2026-11-20T01']);
  world.now += hourMs;
  await poll();
  expect(asked.splice(0).map(iso)).toEqual(['hourly 2026-11-19T13 2026-11-20T02']);
  world.now += dayMs;
  await poll();
  expect(asked.splice(0).map(iso)).toEqual([
    'monthly 2026-09-01T00 2026-11-21T02',
    'daily 2026-09-23T00 2026-11-21T02',
    'hourly 2026-11-19T14 2026-11-21T02',
  ]);
});

test('after three days nobody was there it reads those by the hour, after twenty the rest of them by the day', async () => {
  using folder = new HistoryFolder();
  const { world, poll, asked, restart } = openMeter(folder, [hours('p', 24 * 80)]);
  const runUntil = async (day: number) => {
    for (; world.now < firstAt + day * dayMs; world.now += hourMs) await poll();
    asked.length = 0;
  };
  world.now = firstAt + 43 * dayMs;
  await runUntil(44);
  restart();
  world.now = firstAt + 47 * dayMs;
  await poll();
  expect(asked.map(iso)).toContain('hourly 2026-10-14T11 2026-10-18T00');
  world.now = firstAt + 49.5 * dayMs;
  await runUntil(50);
  restart();
  world.now = firstAt + 70 * dayMs;
  await poll();
  expect(asked.map(iso)).toContain('hourly 2026-11-03T01 2026-11-10T00');
  expect(asked.map(iso)).toContain('daily 2026-10-17T00 2026-11-10T00');
});

test('a service that says it has no meter is asked once a day, also over a restart, and it is said once', async () => {
  using folder = new HistoryFolder();
  const { world, poll, asked, refusals, problems, restart } = openMeter(folder, [hours('p', 24)]);
  for (const reason of ['forbidden', 'not_found'] as const) {
    world.fails = reason;
    world.now += 2 * dayMs;
    await poll();
    expect(asked.splice(0)).toHaveLength(1);
    for (let hour = 0; hour < 23; hour += 1) {
      world.now += hourMs;
      await poll();
      if (hour % 5 === 0) restart();
    }
    expect(asked).toEqual([]);
  }
  expect([refusals.length, problems]).toEqual([1, []]);
  world.fails = undefined;
  world.now += 2 * hourMs;
  await poll();
  expect(asked.length).toBe(3);
});

test('one that had a meter is asked again within the hour: a gateway may have kept it', async () => {
  using folder = new HistoryFolder();
  const { world, poll, asked } = openMeter(folder, [hours('p', 24)]);
  world.now += dayMs;
  await poll();
  world.fails = 'not_found';
  world.now += hourMs;
  await poll();
  asked.length = 0;
  world.fails = undefined;
  world.now += hourMs;
  await poll();
  expect(asked.map(({ granularity }) => granularity)).toEqual(['hourly']);
});

test('what fails is asked for again, ever less often and never less than every five minutes', async () => {
  using folder = new HistoryFolder();
  const { world, poll, asked, problems } = openMeter(folder, [hours('p', 24)]);
  world.fails = 'rate_limited';
  for (let passedMs = 0; passedMs < hourMs; passedMs += 10_000) {
    world.now += 10_000;
    await poll();
  }
  expect(asked.length).toBeGreaterThan(12);
  expect(asked.length).toBeLessThan(25);
  expect(problems.every(({ collector }) => collector === 'consumption')).toBe(true);
});

test.each(['malformed', 'bad_request', 'too_large', 'unavailable'] as const)(
  'a service that fails to tell hours (%s) is asked for days and months all the same, and for hours ever less often',
  async reason => {
    using folder = new HistoryFolder();
    const { world, poll, asked, metered } = openMeter(folder, [hours('p', 24)]);
    Object.assign(world, { fails: reason, failsFor: 'hourly', now: firstAt + 2 * dayMs });
    await poll();
    expect(asked.splice(0).map(({ granularity }) => granularity)).toEqual(['monthly', 'daily', 'hourly']);
    expect(metered()).toBeUndefined();
    for (let passedMs = 0; passedMs < hourMs; passedMs += 10_000) {
      world.now += 10_000;
      await poll();
    }
    expect(new Set(asked.map(({ granularity }) => granularity))).toEqual(new Set(['hourly']));
    expect(asked.length).toBeLessThan(25);
    // What else it tells is not kept from being shown for longer than a day.
    world.now += dayMs;
    await poll();
    expect(metered()?.compute_unit_seconds).toBeGreaterThan(0);
    world.fails = undefined;
    world.now += hourMs;
    await poll();
    expect(asked.at(-1)?.granularity).toBe('hourly');
  },
);

test('a meter whose pages have no end is told of, as nothing of it is taken for settled', async () => {
  using folder = new HistoryFolder();
  const { world, poll, problems } = openMeter(folder, [hours('p', 24)]);
  world.isEndless = true;
  world.now += 2 * dayMs;
  await poll();
  const told = expect.objectContaining({
    message: expect.stringContaining('never came to the end of its pages'),
  });
  expect(problems[0]).toMatchObject({ collector: 'consumption', isPartial: true, error: told });
  problems.length = 0;
  world.isEndless = false;
  world.now += dayMs;
  await poll();
  expect(problems).toEqual([]);
});

test('nothing is asked before there is a reason, or before the service has told the time', async () => {
  using folder = new HistoryFolder();
  const { poll, use, asked } = openMeter(folder, [hours('p', 24)]);
  use({ isWanted: () => false });
  await poll();
  use({ serviceNow: () => undefined });
  await poll();
  expect(asked).toEqual([]);
});
