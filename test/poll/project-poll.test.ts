import { describe, expect, it } from 'vitest';
import { markOperations } from '../../src/poll/operation-poll.ts';
import { LostOperations, type PollContext } from '../../src/poll/poll-context.ts';
import { pollProject } from '../../src/poll/project-poll.ts';
import { collectors } from '../../src/resources/collector.ts';
import type { OperationProgress, Reading } from '../../src/resources/reading.ts';
import {
  describeReading,
  operation,
  type ScriptedAccount,
  scriptedAccount,
  startAt,
} from './scripted-account.ts';

type Known = PollContext['known'];

function contextOf(
  account: ScriptedAccount,
  known: Known,
  pollsBefore = 0,
  lost = new LostOperations(),
): PollContext {
  return {
    account: 'main',
    project_id: 'p',
    source: account.source,
    collectors,
    known,
    pollsBefore,
    lost,
    now: () => account.state.now + 500,
    signal: new AbortController().signal,
    onFailure: () => {},
  };
}

async function refresh(
  account: ScriptedAccount,
  known: Known = { openIds: [] },
  pollsBefore = 0,
  lost = new LostOperations(),
) {
  const readings: Reading[] = [];
  for await (const reading of pollProject(contextOf(account, known, pollsBefore, lost)))
    readings.push(reading);
  return readings;
}

const progressOf = (reading: Reading | undefined): OperationProgress | undefined =>
  reading?.kind === 'project' || reading?.kind === 'operation_import'
    ? reading.operations?.progress
    : undefined;

const operationIds = (readings: readonly Reading[]) =>
  readings.flatMap(reading =>
    reading.kind === 'project' || reading.kind === 'operation_import'
      ? (reading.operations?.items ?? []).map(({ operation_id }) => operation_id)
      : [],
  );

/** `count` operations a minute apart, newest first: `o0` is a minute old. */
const history = (count: number) =>
  Array.from({ length: count }, (_, index) => operation(`o${index}`, (index + 1) * 60));

describe('reading a project', () => {
  it('asks for its endpoints first, so that no change of state they show is missing among the operations', async () => {
    const account = scriptedAccount();
    account.state.operations.set('p', history(2));
    const readings = await refresh(account);
    expect(account.calls).toEqual(['endpoints p', 'operations p from 0']);
    expect(readings.map(describeReading)).toEqual(['project: endpoints, 2 operations']);
    expect(readings[0]).toMatchObject({ account: 'main', project_id: 'p', servedAt: startAt });
  });

  it('tells when the operations were served, which may be much later than the endpoints', async () => {
    const account = scriptedAccount();
    account.state.single.set('open', operation('open', 9000));
    account.onCall('operations p from 0', () => {
      account.state.now += 60_000;
    });
    account.onCall('operation p open', () => {
      account.state.now += 120_000;
    });
    const [reading] = await refresh(account, { headAt: startAt, openIds: ['open'] });
    expect(reading).toMatchObject({ servedAt: startAt, operations: { servedAt: startAt + 180_000 } });
  });

  it('without operations knows them back to their beginning', async () => {
    const [reading] = await refresh(scriptedAccount());
    expect(progressOf(reading)).toEqual({ headAt: 0 });
  });

  it('stops at the page that reaches a minute below what is known', async () => {
    const account = scriptedAccount();
    account.state.pageSize = 2;
    account.state.operations.set('p', history(10));
    const readings = await refresh(account, { headAt: startAt - 3 * 60_000, openIds: [] });
    expect(operationIds(readings)).toEqual(['o0', 'o1', 'o2', 'o3', 'o4', 'o5']);
    expect(progressOf(readings[0])).toEqual({ headAt: startAt - 60_000 });
  });

  it('reads on over operations of the same second as the newest known', async () => {
    const account = scriptedAccount();
    account.state.pageSize = 2;
    const ties = ['a', 'b', 'c', 'd', 'e'].map(id => operation(id, 60));
    account.state.operations.set('p', [...ties, operation('old', 500)]);
    const readings = await refresh(account, { headAt: startAt - 60_000, openIds: [] });
    expect(operationIds(readings)).toEqual(['a', 'b', 'c', 'd', 'e', 'old']);
  });

  it('reads again what is at most a minute older than the newest known: it may have shown up late', async () => {
    const account = scriptedAccount();
    account.state.pageSize = 1;
    account.state.operations.set('p', [operation('new', 10), operation('late', 119), operation('old', 121)]);
    const readings = await refresh(account, { headAt: startAt - 60_000, openIds: [] });
    expect(operationIds(readings)).toEqual(['new', 'late', 'old']);
  });

  it('does not take a date from the future for the newest, which would hide what comes next', async () => {
    const account = scriptedAccount();
    account.state.operations.set('p', [operation('future', -86_400), operation('o', 30)]);
    const [reading] = await refresh(account, { headAt: startAt - 60_000, openIds: [] });
    expect(progressOf(reading)).toEqual({ headAt: startAt - 30_000 });
  });

  it('is not stopped short by one odd date of long ago', async () => {
    const account = scriptedAccount();
    account.state.pageSize = 2;
    const odd = operation('odd', 0, { created_at: 0 });
    account.state.operations.set('p', [odd, operation('a', 10), operation('b', 20), operation('old', 500)]);
    const readings = await refresh(account, { headAt: startAt - 60_000, openIds: [] });
    expect(operationIds(readings)).toEqual(['odd', 'a', 'b', 'old']);
  });

  it('reads again from what is known where a list repeats its first page before it comes to that', async () => {
    const account = scriptedAccount();
    account.state.pageSize = 2;
    account.state.operations.set('p', history(10));
    const known = { headAt: startAt - 5 * 60_000, openIds: [] };
    account.state.ignoresCursors = true;
    const [read, failed] = await refresh(account, known);
    expect(operationIds(read === undefined ? [] : [read])).toEqual(['o0', 'o1']);
    expect(progressOf(read)).toEqual({ headAt: known.headAt });
    expect(failed).toMatchObject({ kind: 'failure', collector: 'operations', reason: 'malformed' });
    account.state.ignoresCursors = false;
    const healed = await refresh(account, known);
    expect(operationIds(healed)).toEqual(['o0', 'o1', 'o2', 'o3', 'o4', 'o5', 'o6', 'o7']);
    expect(healed).toHaveLength(1);
  });

  it('believes a list that repeats its first page where what is known is on it', async () => {
    const account = scriptedAccount();
    account.state.pageSize = 2;
    account.state.operations.set('p', history(10));
    account.state.ignoresCursors = true;
    const readings = await refresh(account, { headAt: startAt - 2 * 60_000, openIds: [] });
    expect(progressOf(readings[0])).toEqual({ headAt: startAt - 60_000 });
    expect(readings).toHaveLength(1);
  });

  it('keeps where an unfinished import stands while it reads what is new', async () => {
    const account = scriptedAccount();
    account.state.operations.set('p', history(3));
    account.fail('operations p from 2', 'unavailable');
    const known = { headAt: startAt - 60_000, tailCursor: 'from 2', openIds: [] };
    const readings = await refresh(account, known);
    expect(progressOf(readings[0])).toEqual({ headAt: startAt - 60_000, tailCursor: 'from 2' });
  });
});

describe('a partial poll', () => {
  const headAt = startAt - 60_000;
  const known = { headAt, openIds: [] };

  const readLightly = async (account: ScriptedAccount, unlessMark: number) => {
    const readings: Reading[] = [];
    const context = { ...contextOf(account, known), unlessMark };
    for await (const reading of pollProject(context)) readings.push(reading);
    return readings;
  };

  it('asks for nothing but the newest operations while they are as they were', async () => {
    const account = scriptedAccount();
    account.state.operations.set('p', history(30));
    const [reading, ...more] = await readLightly(account, markOperations(history(30), headAt));
    expect(account.calls).toEqual(['operations p from 0']);
    expect(more).toEqual([]);
    expect(reading).toMatchObject({
      kind: 'project',
      unchanged: true,
      operations: { items: [], servedAt: startAt, progress: { headAt } },
    });
    expect(reading).not.toHaveProperty('endpoints');
  });

  it.each([
    ['a new one', [operation('new', 5), ...history(3)]],
    ['one that showed up late', [...history(1), operation('late', 100), ...history(3).slice(1)]],
    ['one that failed once more', [operation('o0', 60, { failures_count: 1 }), ...history(3).slice(1)]],
    ['that one of them is not there any more', history(3).slice(1)],
  ])('goes on to a whole one, endpoints first, when they show %s', async (_, operations) => {
    const account = scriptedAccount();
    account.state.operations.set('p', operations);
    const readings = await readLightly(account, markOperations(history(3), headAt));
    expect(account.calls).toEqual(['operations p from 0', 'endpoints p', 'operations p from 0']);
    expect(readings.map(describeReading)).toEqual([`project: endpoints, ${operations.length} operations`]);
    expect(readings[0]).not.toHaveProperty('unchanged');
  });

  it('does not believe a page that may not show all that is new', async () => {
    const account = scriptedAccount();
    account.state.pageSize = 1;
    account.state.operations.set('p', history(3));
    await readLightly(account, markOperations(history(1), headAt));
    expect(account.calls).toContain('endpoints p');
  });

  it('that fails is a failure, and asks for nothing more', async () => {
    const account = scriptedAccount();
    account.fail('operations p from 0', 'timeout');
    expect((await readLightly(account, 0)).map(describeReading)).toEqual(['failure of operations: timeout']);
    expect(account.calls).toEqual(['operations p from 0']);
  });
});

describe('the first import', () => {
  const pagedAccount = () => {
    const account = scriptedAccount();
    account.state.pageSize = 2;
    account.state.operations.set('p', history(7));
    return account;
  };

  it('hands over page after page, each with where to go on', async () => {
    expect((await refresh(pagedAccount())).map(describeReading)).toEqual([
      'project: endpoints, 2 operations, more from 2',
      'operation_import: 2 operations, more from 4',
      'operation_import: 2 operations, more from 6',
      'operation_import: 1 operations',
    ]);
  });

  it.each([1, 2, 3])('that ends after %i pages goes on there, without a loss', async pages => {
    const account = pagedAccount();
    const before: Reading[] = [];
    for await (const reading of pollProject(contextOf(account, { openIds: [] }))) {
      before.push(reading);
      if (before.length === pages) break;
    }
    account.takeCalls();
    const after = await refresh(account, { ...progressOf(before.at(-1)), openIds: [] });
    expect(new Set(operationIds([...before, ...after])).size).toBe(7);
    expect(progressOf(after.at(-1))).toEqual({ headAt: startAt - 60_000 });
    expect(account.calls).toContain(`operations p from ${pages * 2}`);
  });

  it('keeps the pages before one that fails', async () => {
    const account = pagedAccount();
    account.fail('operations p from 4', 'timeout');
    expect((await refresh(account)).map(describeReading)).toEqual([
      'project: endpoints, 2 operations, more from 2',
      'operation_import: 2 operations, more from 4',
      'failure of operations: timeout',
    ]);
  });

  it.each(['malformed', 'bad_request'] as const)(
    'starts again from the top when the service no longer takes the cursor: %s',
    async reason => {
      const account = pagedAccount();
      account.fail('operations p from 4', reason);
      const readings = await refresh(account, { headAt: startAt, tailCursor: 'from 4', openIds: [] });
      expect(readings.map(describeReading).slice(1)).toEqual([
        'operation_import: 0 operations, import reset',
        `failure of operations: ${reason}`,
      ]);
      account.mend('operations p from 4');
      const again = await refresh(account, { ...progressOf(readings[1]), openIds: [] });
      expect(operationIds(again)).toEqual(['o0', 'o1', 'o2', 'o3', 'o4', 'o5', 'o6']);
    },
  );

  const faultsSaid = async (account: ScriptedAccount) => {
    const said: string[] = [];
    const onFailure: PollContext['onFailure'] = (_collector, error) => said.push(String(error));
    for await (const _reading of pollProject({ ...contextOf(account, { openIds: [] }), onFailure }));
    return said;
  };

  it('says what is not known where the list repeats a page, other than its first, before its end', async () => {
    const account = pagedAccount();
    account.state.loopsAt = 4;
    expect(await faultsSaid(account)).toEqual([
      'Error: the list of operations repeats a page before its end: operations older than that page are not known',
    ]);
    account.state.loopsAt = Number.POSITIVE_INFINITY;
    account.state.ignoresCursors = true;
    expect(await faultsSaid(account)).toEqual([]);
  });

  it('says that most of a page cannot be used', async () => {
    const account = pagedAccount();
    account.onCall('operations p from 2', () => (account.state.unusableOperations = 3));
    account.onCall('operations p from 4', () => (account.state.unusableOperations = 2));
    expect(await faultsSaid(account)).toEqual([
      'UnusableOperations: 3 of 5 operations cannot be used: check that base_url is that of an API of version 2',
      'UnusableOperations: 2 of 3 operations cannot be used: check that base_url is that of an API of version 2',
    ]);
  });

  it('ends with the reason of the stop when it is stopped', async () => {
    const account = pagedAccount();
    const stop = new AbortController();
    const context = { ...contextOf(account, { openIds: [] }), signal: stop.signal };
    const readings: Reading[] = [];
    await expect(
      (async () => {
        for await (const reading of pollProject(context)) {
          readings.push(reading);
          stop.abort(new Error('stopping'));
        }
      })(),
    ).rejects.toThrow('stopping');
    expect(readings).toHaveLength(1);
  });
});

describe('operations that have not ended', () => {
  const headAt = startAt;

  it('are read one by one where the page does not show them', async () => {
    const account = scriptedAccount();
    account.state.operations.set('p', [operation('shown', 5, { status: 'running' })]);
    account.state.single.set('far', operation('far', 9000, { status: 'failed' }));
    const [reading] = await refresh(account, { headAt, openIds: ['shown', 'far'] });
    expect(account.calls.filter(call => call.startsWith('operation '))).toEqual(['operation p far']);
    expect(operationIds(reading === undefined ? [] : [reading])).toEqual(['shown', 'far']);
  });

  it('that the service no longer has are told apart from failures, once it said so three times in a minute or longer', async () => {
    const account = scriptedAccount();
    const lost = new LostOperations();
    const vanishedAfter = async (minutes: number) => {
      account.state.now = startAt + minutes * 60_000;
      const readings = await refresh(account, { headAt, openIds: ['lost'] }, 0, lost);
      expect(readings.map(describeReading)).toEqual(['project: endpoints, 0 operations']);
      const [reading] = readings;
      return reading?.kind === 'project' ? reading.operations?.vanishedIds : undefined;
    };
    for (const minutes of [0, 0.4, 0.8]) expect(await vanishedAfter(minutes)).toEqual([]);
    expect(await vanishedAfter(1)).toEqual(['lost']);
    expect(await vanishedAfter(2)).toEqual([]);
    expect(await vanishedAfter(9)).toEqual([]);
    expect(await vanishedAfter(10)).toEqual(['lost']);
  });

  it('are counted by project: one that has the same id in another project is not missed with it', async () => {
    const account = scriptedAccount();
    const lost = new LostOperations();
    for (const [project_id, minutes] of [
      ['p', 0],
      ['other', 0.5],
      ['p', 1],
    ] as const) {
      account.state.now = startAt + minutes * 60_000;
      const context = contextOf(account, { headAt, openIds: ['same'] }, 0, lost);
      for await (const reading of pollProject({ ...context, project_id }))
        expect(reading).toMatchObject({ operations: { vanishedIds: [] } });
    }
  });

  it('are still followed where the service said once that it does not have them', async () => {
    const account = scriptedAccount();
    const lost = new LostOperations();
    const poll = () => refresh(account, { headAt, openIds: ['a'] }, 0, lost);
    await poll();
    account.state.single.set('a', operation('a', 9000, { status: 'running' }));
    expect(operationIds(await poll())).toEqual(['a']);
    account.state.single.delete('a');
    for (const minutes of [20, 21]) {
      account.state.now = startAt + minutes * 60_000;
      expect((await poll())[0]).toMatchObject({ operations: { vanishedIds: [] } });
    }
  });

  it('stop being followed at the first failure, which is told after what was read', async () => {
    const account = scriptedAccount();
    account.state.single.set('a', operation('a', 9000));
    account.fail('operation p b', 'locked');
    const readings = await refresh(account, { headAt, openIds: ['a', 'b', 'c'] });
    expect(readings.map(describeReading)).toEqual([
      'project: endpoints, 1 operations',
      'failure of operations: locked',
    ]);
    expect(account.calls).not.toContain('operation p c');
  });

  it.each([21, 30, 40, 57])('%i of them all have their turn, twenty at a time', async count => {
    const openIds = Array.from({ length: count }, (_, index) => `open${index}`);
    const followed = new Set<string>();
    for (let polls = 0; polls < count; polls += 1) {
      const account = scriptedAccount();
      await refresh(account, { headAt, openIds }, polls);
      const calls = account.calls.filter(call => call.startsWith('operation '));
      expect(calls).toHaveLength(20);
      for (const call of calls) followed.add(call);
    }
    expect(followed.size).toBe(count);
  });
});

describe('when something fails', () => {
  it('of the endpoints, the operations are read all the same, dated by the service', async () => {
    const account = scriptedAccount();
    account.state.operations.set('p', history(1));
    account.fail('endpoints p', 'unavailable');
    const readings = await refresh(account);
    expect(readings.map(describeReading)).toEqual([
      'failure of endpoints: unavailable',
      'project: 1 operations',
    ]);
    expect(readings[1]).toMatchObject({ servedAt: startAt });
  });

  it('of the operations, the endpoints are kept, and the failure comes after them', async () => {
    const account = scriptedAccount();
    account.fail('operations p from 0', 'unauthorized');
    expect((await refresh(account)).map(describeReading)).toEqual([
      'project: endpoints',
      'failure of operations: unauthorized',
    ]);
  });

  it.each([
    [6, ['project: endpoints', 'failure of operations: malformed']],
    [5, ['project: endpoints, 5 operations']],
  ])(
    'of 5 operations and %i that cannot be used, they are unknown only where those are most',
    async (unusable, expected) => {
      const account = scriptedAccount();
      account.state.operations.set('p', history(5));
      account.state.unusableOperations = unusable;
      expect((await refresh(account)).map(describeReading)).toEqual(expected);
    },
  );

  it('of both, there are two failures and no reading', async () => {
    const account = scriptedAccount();
    account.fail('endpoints p', 'forbidden');
    account.fail('operations p from 0', 'network');
    expect((await refresh(account)).map(describeReading)).toEqual([
      'failure of endpoints: forbidden',
      'failure of operations: network',
    ]);
  });

  it('with 404, nothing more is asked', async () => {
    const account = scriptedAccount();
    account.fail('endpoints p', 'not_found');
    expect((await refresh(account)).map(describeReading)).toEqual(['failure of endpoints: not_found']);
    expect(account.calls).toEqual(['endpoints p']);
  });

  it('with 401, its operations are asked for too: what is not tried must not look read', async () => {
    const account = scriptedAccount();
    account.fail('endpoints p', 'unauthorized');
    account.fail('operations p from 0', 'unauthorized');
    expect((await refresh(account)).map(describeReading)).toEqual([
      'failure of endpoints: unauthorized',
      'failure of operations: unauthorized',
    ]);
  });

  it('on a later page of what is new, nothing of it counts as known', async () => {
    const account = scriptedAccount();
    account.state.pageSize = 1;
    account.state.operations.set('p', history(5));
    account.fail('operations p from 1', 'timeout');
    const readings = await refresh(account, { headAt: startAt - 4 * 60_000, openIds: [] });
    expect(operationIds(readings)).toEqual([]);
    expect(readings.map(describeReading)).toEqual(['project: endpoints', 'failure of operations: timeout']);
  });

  it('that is a fault of our own, it is a failure, and the rest is read', async () => {
    const account = scriptedAccount();
    account.breakDown('endpoints p', new RangeError('a fault of our own'));
    expect((await refresh(account)).map(describeReading)).toEqual([
      'failure of endpoints: internal',
      'project: 0 operations',
    ]);
  });
});
