import { describe, expect, it } from 'vitest';
import { ListLag } from '../../../src/poll/scheduler/list-lag.ts';
import { diffProject, Listing } from '../../../src/poll/scheduler/project/listing.ts';
import type { Project } from '../../../src/resources/project.ts';
import { project } from '../scripted-account.ts';

const second = 1000;
const minute = 60 * second;

/** A project in list polls ten seconds apart; tells after each what the list gives a reason for. */
function watch({ busy = false } = {}) {
  const lag = new ListLag();
  const listing = new Listing(project('p', { cpu_used_sec: 100 }));
  const known: { busy: boolean; restedAt: number | undefined } = { busy, restedAt: undefined };
  const clock = { now: 0 };
  const listPoll = (fields: Partial<Project>) => {
    clock.now += 10 * second;
    listing.follow(project('p', fields), known, lag, clock.now);
    const reason = listing.changedAt !== undefined ? 'changed' : listing.stopSuspected && 'stopping';
    listing.clearReasons();
    return reason || 'same';
  };
  const cpu = (...seconds: number[]) => seconds.map(cpu_used_sec => listPoll({ cpu_used_sec }));
  const settle = (startedAt?: number) => {
    const found = { wasBusy: false, restedAt: undefined, startedAt, news: startedAt !== undefined };
    listing.learn(found, lag, clock.now);
  };
  return { listing, known, lag, clock, listPoll, cpu, settle };
}

describe('a project at rest', () => {
  it('may have started when its CPU time grew or anything else changed', () => {
    const { cpu, listPoll } = watch();
    expect(cpu(100, 101, 101)).toEqual(['same', 'changed', 'same']);
    expect(listPoll({ cpu_used_sec: 101, updated_at: 5 })).toBe('changed');
    expect(listPoll({ cpu_used_sec: 101, updated_at: 5, locked: true })).toBe('changed');
    expect(listPoll({ cpu_used_sec: 101, updated_at: 5 })).toBe('changed');
  });

  it('is as it was when the service sets its CPU time back', () => {
    expect(watch().cpu(100, 0, 0)).toEqual(['same', 'same', 'same']);
  });

  it('has changed when its CPU time is told for the first time, or no more', () => {
    const { listPoll } = watch();
    expect([listPoll({}), listPoll({ cpu_used_sec: 0 })]).toEqual(['changed', 'changed']);
  });

  it('grows a last time in the list poll after it stopped, which is no start', () => {
    const { cpu, known } = watch();
    cpu(100);
    known.restedAt = 14 * second;
    expect(cpu(104, 105)).toEqual(['same', 'changed']);
  });

  it('that grows without ever doing anything is looked into ever more rarely', () => {
    const { cpu, settle } = watch();
    cpu(100);
    const looked: number[] = [];
    for (let listPolls = 1; listPolls <= 60; listPolls += 1) {
      if (cpu(100 + listPolls)[0] !== 'changed') continue;
      looked.push(listPolls);
      settle();
    }
    expect(looked).toEqual([1, 3, 6, 12, 24, 48]);
  });
});

describe('a busy project', () => {
  it('grows all the time, and may have stopped when it grows less', () => {
    const { cpu } = watch({ busy: true });
    expect(cpu(100, 110, 120, 125)).toEqual(['same', 'same', 'same', 'stopping']);
  });

  it('that grows unevenly only by rounding has not stopped', () => {
    expect(watch({ busy: true }).cpu(100, 103, 105, 108, 110)).not.toContain('stopping');
  });

  it('does not grow for long before that is seen, and it is said once', () => {
    expect(watch({ busy: true }).cpu(100, 110, 110, 110, 110)).toEqual([
      ...['same', 'same'],
      ...['stopping', 'same', 'same'],
    ]);
  });
});

describe('the lag of the list', () => {
  it('is learned from starts that the list showed first', () => {
    const { cpu, settle, lag } = watch();
    for (let starts = 0; starts < 5; starts += 1) {
      cpu(100 + starts, 101 + starts);
      // Shown between ten and twenty seconds after list polls began to show it: a minute and a half late.
      settle((2 * starts + 2) * 10 * second - 95 * second);
    }
    expect(lag.lagMs).toBe(90 * second);
  });

  it('is learned from starts that were found before the list showed them', () => {
    const { listing, known, clock, cpu, settle, lag } = watch();
    listing.follow(listing.project, known, lag, clock.now);
    for (let starts = 0; starts < 5; starts += 1) {
      settle(clock.now);
      known.busy = true;
      const shown = listing.project.cpu_used_sec ?? 0;
      cpu(shown, shown, shown, shown + 10);
      known.busy = false;
    }
    expect(lag.lagMs).toBe(35 * second);
  });

  it('is none while starts show up in the next list poll', () => {
    const lag = new ListLag();
    for (let starts = 0; starts < 9; starts += 1) lag.learn(12_000, 10_000, 20_000);
    expect(lag.lagMs).toBe(0);
  });

  it('is a median that a few odd starts do not move, and follows a service that changes', () => {
    const lag = new ListLag();
    const learn = (lagMs: number, times: number) => {
      for (let time = 0; time < times; time += 1) lag.learn(0, lagMs - 1, lagMs + 1);
    };
    learn(minute, 4);
    expect(lag.lagMs).toBe(0);
    learn(minute, 20);
    learn(20 * minute, 5);
    expect(lag.lagMs).toBe(minute);
    learn(5 * minute, 31);
    expect(lag.lagMs).toBe(5 * minute);
  });

  it('of a list that shows nothing is half an hour', () => {
    const { clock, lag, listPoll, settle } = watch();
    for (let starts = 0; starts < 5; starts += 1) {
      settle(clock.now);
      for (let listPolls = 0; listPolls < 182; listPolls += 1) listPoll({ cpu_used_sec: 100 });
    }
    expect(lag.lagMs).toBe(30 * minute);
  });
});

describe('comparing two listings', () => {
  it('finds nothing when every field is the same, in whatever order', () => {
    const before = { project_id: 'p', locked: true, updated_at: 5 } as Project;
    const after = { updated_at: 5, locked: true, project_id: 'p' } as Project;
    expect(diffProject(before, after)).toEqual({ growthSec: 0, fields: false, settings: false });
  });

  it('tells growth, an update and a changed setting apart', () => {
    const before = project('p', { cpu_used_sec: 5, updated_at: 5 });
    const diff = (fields: Partial<Project>) =>
      diffProject(before, project('p', { cpu_used_sec: 5, updated_at: 5, ...fields }));
    expect(diff({ cpu_used_sec: 7 })).toEqual({ growthSec: 2, fields: false, settings: false });
    expect(diff({ updated_at: 6 })).toEqual({ growthSec: 0, fields: true, settings: false });
    expect(diff({ region_id: 'r' })).toEqual({ growthSec: 0, fields: true, settings: true });
  });
});
