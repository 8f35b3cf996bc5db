import { describe, expect, it } from 'vitest';
import { orderRefreshes, type RefreshCandidate } from '../../src/poll/refresh-order.ts';

const now = Date.UTC(2026, 0, 1);
const minute = 60_000;
const limits = { idleRefreshMs: 15 * minute, capacity: 0 };

/** An idle project that was just read. */
const candidate = (project_id: string, more: Partial<RefreshCandidate> = {}): RefreshCandidate => ({
  project_id,
  lastReadAt: now - minute,
  changed: false,
  busy: false,
  ...more,
});

const neverRead = (project_id: string): RefreshCandidate => ({ project_id, changed: false, busy: false });
const failing = (triedMsAgo: number, failedForMs: number) => ({
  since: now - triedMsAgo - failedForMs,
  lastTriedAt: now - triedMsAgo,
});

describe('the order of refreshes', () => {
  it('is what changed, what was never read, what is busy, then what is idle and due', () => {
    const idle = candidate('idle', { lastReadAt: now - 15 * minute });
    const busy = candidate('busy', { busy: true, lastReadAt: now - 16 * minute });
    const changed = candidate('changed', { changed: true, lastReadAt: now - 17 * minute });
    // The never-read one also waited longest, which is what the first turn goes to.
    expect(orderRefreshes([idle, busy, neverRead('new'), changed], now, limits)).toEqual([
      'new',
      'changed',
      'busy',
      'idle',
    ]);
    expect(orderRefreshes([idle, busy, changed], now, limits)).toEqual(['changed', 'busy', 'idle']);
  });

  it('is the longest unread first among equals', () => {
    const candidates = [3, 5, 4].map(age => candidate(`${age}`, { busy: true, lastReadAt: now - age }));
    expect(orderRefreshes(candidates, now, limits)).toEqual(['5', '4', '3']);
  });

  it('leaves out what is idle and was read within idle_refresh', () => {
    const fresh = candidate('fresh', { lastReadAt: now - 15 * minute + 1 });
    const due = candidate('due', { lastReadAt: now - 15 * minute });
    expect(orderRefreshes([fresh, due], now, limits)).toEqual(['due']);
  });

  it('fills spare capacity with those not yet due, longest unread first, after all that are due', () => {
    const idle = [1, 4, 2, 3].map(age => candidate(`${age}`, { lastReadAt: now - age * minute }));
    const busy = candidate('busy', { busy: true });
    expect(orderRefreshes([...idle, busy], now, { ...limits, capacity: 3 })).toEqual(['busy', '4', '3']);
  });

  it('never leaves out what is due for lack of capacity', () => {
    const busy = Array.from({ length: 5 }, (_, index) => candidate(`${index}`, { busy: true }));
    expect(orderRefreshes(busy, now, { ...limits, capacity: 2 })).toHaveLength(5);
    expect(orderRefreshes(busy, now, { ...limits, capacity: -2 })).toHaveLength(5);
  });

  it('gives the first and every fourth turn to whoever waited longest, however little it needs', () => {
    const changed = Array.from({ length: 6 }, (_, index) => candidate(`c${index}`, { changed: true }));
    const idle = [60, 50].map(age => candidate(`idle${age}`, { lastReadAt: now - age * minute }));
    expect(orderRefreshes([...changed, ...idle], now, limits)).toEqual([
      'idle60',
      'c0',
      'c1',
      'c2',
      'idle50',
      'c3',
      'c4',
      'c5',
    ]);
  });

  it('puts those that keep failing behind those that can be read', () => {
    const refused = ['f1', 'f2'].map(project_id => ({
      ...neverRead(project_id),
      failing: failing(minute, minute),
    }));
    const busy = ['b1', 'b2', 'b3'].map(project_id =>
      candidate(project_id, { busy: true, lastReadAt: now - 2 * minute }),
    );
    expect(orderRefreshes([...refused, ...busy], now, limits)).toEqual(['b1', 'b2', 'b3', 'f1', 'f2']);
  });

  it('of nothing is nothing', () => {
    expect(orderRefreshes([], now, { ...limits, capacity: 10 })).toEqual([]);
  });
});

describe('what failed', () => {
  const isTried = (triedMsAgo: number, failedForMs: number) =>
    orderRefreshes([candidate('p', { failing: failing(triedMsAgo, failedForMs) })], now, limits).length === 1;

  it('is tried again at the next sweep after its first failure', () => {
    expect(isTried(1, 0)).toBe(true);
  });

  it.each([
    [30_000, 30_000],
    [120_000, 120_000],
    [5 * minute, 5 * minute],
    [60 * minute, 5 * minute],
    [7 * 24 * 60 * minute, 5 * minute],
  ])('for %i ms is tried again after %i ms, never more than five minutes', (failedForMs, waitMs) => {
    expect(isTried(waitMs - 1, failedForMs)).toBe(false);
    expect(isTried(waitMs, failedForMs)).toBe(true);
  });

  it('is not kept waiting by a clock that was set back', () => {
    expect(isTried(-60 * minute, minute)).toBe(true);
    const read = candidate('p', { lastReadAt: now + 60 * minute });
    expect(orderRefreshes([read], now, limits)).toEqual(['p']);
  });
});
