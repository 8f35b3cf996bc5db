import { describe, expect, test } from 'vitest';
import { CpuSourceWatch } from '../../../src/poll/scheduler/cpu-source-watch.ts';
import { UsageAge } from '../../../src/poll/scheduler/project/watched-project.ts';
import type { Project } from '../../../src/resources/project.ts';
import type { CpuSourceChoice } from '../../../src/resources/project-usage.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A source that follows lists of two projects, a minute from one to the next. */
function watchLists(choice: CpuSourceChoice = 'auto', known?: 'list' | 'project') {
  const watch = new CpuSourceWatch({ choice, known, readsProjects: true });
  let now = 0;
  const list = (...values: (number | undefined)[]) => {
    now += minute;
    watch.beginList();
    const pages = values.map((value, index) => [{ project_id: `p${index}`, cpu_used_sec: value }]);
    for (const page of pages) watch.notePage(page as readonly Project[]);
    watch.endList(() => true, now);
    return watch.current;
  };
  return { watch, list, at: () => now };
}

const times = <Value>(count: number, once: (index: number) => Value) =>
  Array.from({ length: count }, (_, i) => once(i));

describe('where use is read', () => {
  test('is the list while that tells the use of any project', () => {
    const { list, watch } = watchLists();
    watch.noteAwake('p0', true);
    expect(new Set(times(200, index => list(index, undefined)))).toEqual(new Set(['list']));
  });

  test('is each project once three whole lists in a row told of none', () => {
    const { list } = watchLists();
    expect([list(undefined, undefined), list(5), list(undefined), list(undefined), list(undefined)]).toEqual([
      'list',
      'list',
      'list',
      'list',
      'project',
    ]);
    expect(list(7)).toBe('project');
  });

  test('stays the list of an account without projects', () => {
    const { list } = watchLists();
    expect(times(9, () => list())).not.toContain('project');
  });

  test.each([0, 700])(
    'is each project once the list stood still at %d for an hour while one was awake',
    value => {
      const { list, watch } = watchLists();
      list(value);
      watch.noteAwake('p0', true);
      expect(times(60, () => list(value))).not.toContain('project');
      expect(list(value)).toBe('project');
    },
  );

  test('stays the list when nothing was awake, or the list moves now and then, or the one awake is gone', () => {
    const still = watchLists();
    expect(times(300, () => still.list(9))).not.toContain('project');
    const moving = watchLists();
    moving.watch.noteAwake('p0', true);
    expect(times(300, index => moving.list(Math.floor(index / 50)))).not.toContain('project');
    const gone = new CpuSourceWatch({ choice: 'auto', known: undefined, readsProjects: true });
    gone.noteAwake('gone', true);
    for (let now = 0; now < 5 * hour; now += minute) {
      gone.beginList();
      gone.notePage([{ project_id: 'p0', cpu_used_sec: 5 } as Project]);
      gone.endList(project_id => project_id === 'p0', now);
    }
    expect(gone.current).toBe('list');
  });

  test('is what the setting says, and what an earlier run found', () => {
    expect(watchLists('project').watch.current).toBe('project');
    expect(watchLists('auto', 'project').watch.current).toBe('project');
    const { list } = watchLists('list', 'project');
    expect(times(9, () => list(undefined))).not.toContain('project');
  });

  test('is the list where no project is read for itself', () => {
    const watch = new CpuSourceWatch({ choice: 'project', known: 'project', readsProjects: false });
    expect(watch.current).toBe('list');
  });

  test('is not a service that tells it nowhere: it is asked again after a day', () => {
    const { list, watch, at } = watchLists('project');
    list(undefined);
    const answer = (...outcomes: ('told' | 'untold' | 'failed')[]) => {
      for (const outcome of outcomes) {
        expect(watch.begin()).toBe(true);
        watch.end(outcome, at());
      }
    };
    answer('untold', 'untold', 'failed', 'told', 'untold', 'untold');
    expect(watch.current).toBe('project');
    answer('untold');
    expect(watch.current).toBe('list');
    expect(times(day / minute - 1, () => list(undefined))).not.toContain('project');
    expect(list(undefined)).toBe('project');
  });
});

test('is asked for one at a time until the service told it once', () => {
  const { watch } = watchLists('project');
  expect([watch.begin(), watch.begin()]).toEqual([true, false]);
  watch.end('failed', 0);
  expect([watch.begin(), watch.begin()]).toEqual([true, false]);
  watch.end('told', 0);
  expect([watch.begin(), watch.begin()]).toEqual([true, true]);
});

describe('the use of a project', () => {
  const at = (minutes: number) => 1000 * day + minutes * minute;

  test('is read once, and not again while it is at rest', () => {
    const age = new UsageAge();
    expect(age.isDue(at(0))).toBe(true);
    age.noteRead(at(0));
    expect([age.isDue(at(1)), age.isDue(at(1000))]).toEqual([false, false]);
  });

  test('is read while it is awake, at most once a minute', () => {
    const age = new UsageAge();
    age.continueFrom(at(0));
    const reads: number[] = [];
    for (let minutes = 10; minutes < 12; minutes += 0.25) {
      age.noteAwake(at(minutes));
      if (!age.isDue(at(minutes))) continue;
      age.noteTried(at(minutes));
      age.noteRead(at(minutes));
      reads.push(minutes);
    }
    expect(reads).toEqual([10, 11]);
  });

  test('is read once more when all of it must show, and then no more', () => {
    const age = new UsageAge();
    age.noteAwake(at(0));
    age.noteRead(at(1));
    expect([age.isDue(at(5)), age.isDue(at(14.9)), age.isDue(at(15))]).toEqual([false, false, true]);
    age.noteRead(at(15));
    expect(age.isDue(at(600))).toBe(false);
  });

  test('is read again when the clock was set back', () => {
    const age = new UsageAge();
    age.noteTried(at(1000));
    age.noteRead(at(1000));
    expect(age.isDue(at(0))).toBe(true);
  });
});
