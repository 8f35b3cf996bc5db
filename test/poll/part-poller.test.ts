import { expect, test } from 'vitest';
import { PartPoller } from '../../src/poll/part-poller.ts';
import { partRefreshMs } from '../../src/poll/scheduler/due-time.ts';
import type { Reading } from '../../src/resources/reading.ts';
import type { Reason } from '../../src/resources/reason.ts';

const minute = 60_000;
const day = 86_400_000;

/** A service whose projects fail as `failing` says, and a poller that has its own clock. */
function open(ids: readonly string[]) {
  const asked: string[] = [];
  const recorded: Reading[] = [];
  const failing = new Map<string, Reason>();
  const refused: unknown[] = [];
  let now = Date.UTC(2026, 10, 21);
  let projectIds = ids;
  const poller = new PartPoller({
    account: 'main',
    now: () => now,
    projectIds: () => projectIds,
    collector: 'branches',
    async readPart(project_id) {
      asked.push(project_id);
      const reason = failing.get(project_id) ?? failing.get('*');
      if (reason !== undefined) throw new Error(reason);
      return { items: [{ branch_id: 'br-1' }], rejected: 0, complete: true, servedAt: now };
    },
    reasonOf: error => (error instanceof Error ? (error.message as Reason) : 'internal'),
    async commit(reading) {
      recorded.push(reading);
      return [];
    },
    onProblem: () => {},
    onRefused: error => refused.push(error),
  });
  return {
    failing,
    refused,
    recorded,
    list(next: readonly string[]) {
      projectIds = next;
    },
    /** Ids that are asked for within so long, a call a minute. */
    async ask(afterMs = minute): Promise<readonly string[]> {
      now += afterMs;
      await poller.poll(new AbortController().signal);
      return asked.splice(0);
    },
  };
}

const many = Array.from({ length: 25 }, (_, index) => `p-${index}`);

test('every project is asked once, ten at a time, and again after six hours', async () => {
  const { ask, recorded } = open(many);
  expect(await ask()).toEqual(many.slice(0, 10));
  expect(await ask()).toEqual(many.slice(10, 20));
  expect(await ask()).toEqual(many.slice(20));
  expect(await ask()).toEqual([]);
  expect(await ask(partRefreshMs - 4 * minute)).toEqual([]);
  expect(await ask(minute)).toEqual(many.slice(0, 10));
  expect(recorded[0]).toMatchObject({
    kind: 'project_part',
    collector: 'branches',
    project_id: 'p-0',
    list: { complete: true },
  });
});

test('one that fails is tried again later, after the others', async () => {
  const { ask, failing, recorded } = open(['a', 'b', 'c']);
  failing.set('a', 'unavailable');
  expect(await ask()).toEqual(['a']);
  expect(recorded).toMatchObject([{ kind: 'failure', collector: 'branches', project_id: 'a' }]);
  failing.clear();
  expect(await ask()).toEqual(['b', 'c', 'a']);
  expect(await ask()).toEqual([]);
});

test('a failure that lasts is asked ever less often', async () => {
  const { ask, failing } = open(['a']);
  failing.set('*', 'network');
  const asked: number[] = [];
  for (let minutes = 1; minutes <= 30; minutes += 1) if ((await ask()).length > 0) asked.push(minutes);
  expect(asked).toEqual([1, 2, 3, 5, 9, 14, 19, 24, 29]);
});

test('a project that is not there is left out, and a service that lists no branches is asked again in a day', async () => {
  const { ask, failing, refused, recorded } = open(many);
  failing.set('p-0', 'not_found');
  expect(await ask()).toEqual(many.slice(0, 10));
  expect(refused).toEqual([]);
  failing.set('*', 'forbidden');
  recorded.splice(0);
  expect(await ask()).toEqual(['p-10', 'p-11', 'p-12']);
  expect(refused).toHaveLength(1);
  expect(recorded).toEqual([]);
  expect(await ask(day - minute)).toEqual([]);
  failing.clear();
  expect(await ask(2 * minute)).toHaveLength(10);
});

test('projects that are gone are forgotten', async () => {
  const { ask, list } = open(['a', 'b']);
  await ask();
  list(['b']);
  expect(await ask()).toEqual([]);
  list(['a', 'b']);
  expect(await ask()).toEqual(['a']);
});
