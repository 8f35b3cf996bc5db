import { describe, expect, it } from 'vitest';
import { WatchedProject } from '../../../src/poll/scheduler/project/watched-project.ts';
import { operation, project } from '../scripted-account.ts';

const minuteMs = 60_000;
const noonAt = Date.parse('2026-11-21T12:00:00Z');

function change(action: 'start_compute' | 'suspend_compute', minutesAfterNoon: number) {
  const at = noonAt + minutesAfterNoon * minuteMs;
  return { ...operation(`${action} ${minutesAfterNoon}`, 0), action, created_at: at, updated_at: at };
}

describe('what operations tell of rests', () => {
  it('is when one ended, and how long they usually are', () => {
    const watched = new WatchedProject(project('a'), noonAt);
    expect(watched.learnRests([change('suspend_compute', 0)], 0)).toBeUndefined();
    expect(watched.restedAt).toBe(noonAt);
    expect(watched.learnRests([change('start_compute', 30)], 0)).toBe(noonAt + 30 * minuteMs);
    expect(watched.usualRestMs).toBe(30 * minuteMs);
  });

  it('is by this host clock', () => {
    const watched = new WatchedProject(project('a'), noonAt);
    expect(watched.learnRests([change('start_compute', 0)], -5000)).toBe(noonAt + 5000);
  });

  it('is learned once, though the clocks are another bit apart at every reading', () => {
    const watched = new WatchedProject(project('a'), noonAt);
    const operations = [change('start_compute', 30), change('suspend_compute', 0)];
    watched.learnRests(operations, 0);
    for (const skewMs of [-400, -900, 300, -1200]) {
      expect(watched.learnRests(operations, skewMs)).toBeUndefined();
    }
    expect(watched.usualRestMs).toBe(30 * minuteMs);
  });
});
