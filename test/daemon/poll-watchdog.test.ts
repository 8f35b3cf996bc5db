import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { describeStalls, PollWatchdog, type Stall } from '../../src/daemon/poll-watchdog.ts';
import { hourMs, minuteMs } from '../../src/resources/duration.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A watch over a process whose clock of time that really passes can be moved without its timers being called. */
function openWatch() {
  const state = { stoppedMs: 0 };
  const changes: (readonly Stall[])[] = [];
  const beganAt = Date.now();
  const watch = new PollWatchdog({
    runningMs: () => Date.now() - beganAt + state.stoppedMs,
    onChange: stalls => changes.push(stalls),
  });
  return { watch, changes, state };
}

const list = { account: 'main', what: 'the list of projects' };

test('what gives no sign of life for five minutes is stalled, until it gives one', () => {
  const { watch, changes } = openWatch();
  watch.sign('main', 'the list of projects');
  watch.sign('main', 'the projects');
  watch.sign('other', 'the projects');
  vi.advanceTimersByTime(4 * minuteMs);
  watch.sign('main', 'the projects');
  watch.sign('other', 'the projects');
  expect(watch.list()).toEqual([]);
  vi.advanceTimersByTime(minuteMs + 1000);
  expect(watch.list()).toEqual([list]);
  expect([...watch.accounts()]).toEqual([
    ['main', true],
    ['other', false],
  ]);
  expect(changes).toEqual([[list]]);
  watch.sign('main', 'the list of projects');
  expect(watch.list()).toEqual([]);
  vi.advanceTimersByTime(1000);
  expect(changes).toEqual([[list], []]);
  watch.close();
});

test('a rest that was said before is no stall', () => {
  const { watch } = openWatch();
  watch.sign('main', 'the list of projects', hourMs);
  vi.advanceTimersByTime(hourMs + 4 * minuteMs);
  expect(watch.list()).toEqual([]);
  vi.advanceTimersByTime(2 * minuteMs);
  expect(watch.list()).toEqual([list]);
  watch.close();
});

test('time in which the process was stopped does not count, not even for whoever asks first', () => {
  const { watch, state, changes } = openWatch();
  watch.sign('main', 'the list of projects');
  for (let times = 0; times < 10; times += 1) {
    state.stoppedMs += 24 * hourMs;
    expect(watch.list()).toEqual([]);
    vi.advanceTimersByTime(1000);
  }
  expect(changes).toEqual([]);
  vi.advanceTimersByTime(5 * minuteMs);
  expect(watch.list()).toEqual([list]);
  watch.close();
});

test('another configuration is not blamed for what was polled before it', () => {
  const { watch } = openWatch();
  watch.sign('gone', 'the list of projects');
  vi.advanceTimersByTime(6 * minuteMs);
  watch.beginAnew();
  watch.sign('main', 'the list of projects');
  expect([...watch.accounts()]).toEqual([['main', false]]);
  watch.close();
});

test('a stall is told in one sentence without names of accounts', () => {
  expect(describeStalls([])).toBeUndefined();
  expect(describeStalls([list])).toBe(
    'dbpm-exporter has stalled: polling the list of projects of one account gave no sign of life for minutes.',
  );
  expect(
    describeStalls([list, { ...list, account: 'second' }, { account: 'main', what: 'the projects' }]),
  ).toBe(
    'dbpm-exporter has stalled: polling the list of projects and the projects of 2 accounts gave no sign of life for minutes.',
  );
});
