import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { enoughForLists, openPoller, pollOf } from './open-poller.ts';
import { describeReading, operation, project, startAt } from './scripted-account.ts';

const lists = ['api_keys', 'projects'];

describe('a list poll', () => {
  it('reads the lists, then every project that was never read', async () => {
    const { listPoll, state, calls, polled } = openPoller();
    state.projects = [project('a'), project('b')];
    expect(await listPoll()).toEqual([...lists, pollOf, pollOf]);
    expect(polled()).toEqual(['a', 'b']);
    expect(calls.slice(0, 2)).toEqual(['projects', 'api_keys']);
  });

  it('leaves alone what is idle, unchanged and not due', async () => {
    const { listPoll, state } = openPoller();
    state.projects = [project('a')];
    await listPoll();
    expect(await listPoll()).toEqual(lists);
  });

  it('reads again what the list shows differently, what is busy, and what is due', async () => {
    const busy = new Set<string>();
    const { listPoll, state, polled } = openPoller({ busy });
    state.projects = [project('a'), project('b'), project('c')];
    await listPoll();
    state.projects = [project('a', { cpu_used_sec: 5 }), project('b'), project('c')];
    await listPoll();
    expect(polled()).toEqual(['a']);
    busy.add('b');
    state.projects = [project('a', { cpu_used_sec: 5 }), project('b', { cpu_used_sec: 1 }), project('c')];
    await listPoll();
    await listPoll();
    expect(polled()).toEqual(['b']);
    busy.clear();
    state.now += 15 * 60_000;
    await listPoll();
    expect(polled().toSorted()).toEqual(['a', 'b', 'c']);
  });

  it('uses half of the request budget for what is not yet due', async () => {
    const { listPoll, state, polled } = openPoller({ requestsPerMinute: 24 });
    state.projects = Array.from({ length: 10 }, (_, index) => project(`p${index}`));
    await listPoll();
    await listPoll();
    expect(polled()).toEqual(['p0', 'p1', 'p2']);
  });

  it('reads at most so many projects at the same time', async () => {
    const { startListPoll, state, account, poller, calls } = openPoller({ concurrency: 2 });
    state.projects = ['a', 'b', 'c'].map(id => project(id));
    const release = ['a', 'b', 'c'].map(id => account.hold(`endpoints ${id}`));
    await startListPoll();
    await nextTurn();
    expect(calls.filter(call => call.startsWith('endpoints'))).toEqual(['endpoints a', 'endpoints b']);
    for (const open of release) open();
    await poller.idle();
    expect(calls.filter(call => call.startsWith('endpoints'))).toHaveLength(3);
  });

  it('never reads a project that is still being read', async () => {
    const { startListPoll, state, account, poller, calls, polled } = openPoller({
      busy: new Set(['a']),
    });
    state.projects = [project('a'), project('b')];
    const release = account.hold('endpoints a');
    await startListPoll();
    await startListPoll();
    await startListPoll();
    expect(calls.filter(call => call === 'endpoints a')).toHaveLength(1);
    release();
    await poller.idle();
    expect(polled()).toEqual(['b', 'a']);
  });

  it('never reads a project twice at a time, though a list was without it meanwhile', async () => {
    const { startListPoll, state, account, poller, calls } = openPoller({ busy: new Set(['a']) });
    state.projects = [project('a')];
    const release = account.hold('endpoints a');
    await startListPoll();
    state.projects = [];
    await startListPoll();
    state.projects = [project('a')];
    await startListPoll();
    expect(calls.filter(call => call === 'endpoints a')).toHaveLength(1);
    release();
    await poller.idle();
    await startListPoll();
    await poller.idle();
    expect(calls.filter(call => call === 'endpoints a')).toHaveLength(2);
  });

  it('takes up new projects beside one that is still being read', async () => {
    const { startListPoll, state, account, poller, polled } = openPoller({ concurrency: 2 });
    state.projects = [project('a')];
    const release = account.hold('endpoints a');
    await startListPoll();
    state.projects = [project('a'), project('b')];
    await startListPoll();
    await nextTurn();
    expect(polled()).toEqual(['b']);
    release();
    await poller.idle();
  });
});

describe('when a list fails', () => {
  it('of projects, those that are known are read all the same', async () => {
    const { listPoll, state, account, polled } = openPoller({ busy: new Set(['a']) });
    state.projects = [project('a')];
    await listPoll();
    account.fail('projects', 'unavailable');
    await listPoll();
    expect(polled()).toEqual(['a']);
  });

  it('of projects, those an earlier run knew are read all the same', async () => {
    const { listPoll, account, polled } = openPoller({
      knownProjects: () => [
        {
          project: project('a'),
          checkpoint: { project_id: 'a', known: { headAt: 0, openIds: [] }, busy: false },
        },
      ],
    });
    account.fail('projects', 'forbidden');
    await listPoll();
    expect(polled()).toEqual(['a']);
  });

  it('of projects never answers, the other list and the known projects are read', async () => {
    const { startListPoll, state, account, poller, stop, readings, calls } = openPoller({
      busy: new Set(['a']),
    });
    state.projects = [project('a')];
    await startListPoll();
    await poller.idle();
    readings.length = 0;
    calls.length = 0;
    const release = account.hold('projects');
    const hanging = startListPoll();
    poller.beginRound(stop.signal);
    await poller.idle();
    expect(readings.map(({ kind }) => kind).toSorted()).toEqual(['api_keys', 'project']);
    expect(calls).toContain('endpoints a');
    release();
    await hanging;
  });

  it('of projects and none is known, no project is read, and the other list is', async () => {
    const { listPoll, state, account, problems, polled } = openPoller();
    state.projects = [project('a')];
    account.fail('projects', 'unavailable');
    expect((await listPoll()).toSorted()).toEqual(['api_keys', 'failure of projects: unavailable']);
    expect(polled()).toEqual([]);
    expect(problems).toMatchObject([{ collector: 'projects', error: { reason: 'unavailable' } }]);
  });

  it('of projects, polls that still wait are given up', async () => {
    const { startListPoll, state, account, poller, calls } = openPoller({ concurrency: 1 });
    state.projects = [project('a'), project('b')];
    const release = account.hold('endpoints a');
    await startListPoll();
    account.fail('projects', 'unauthorized');
    await startListPoll();
    release();
    await poller.idle();
    expect(calls).not.toContain('endpoints b');
  });

  it('of projects for long and then no more, what failed with it is read at once, and what failed before is not', async () => {
    const { listPoll, state, account, polled } = openPoller();
    state.projects = [project('a'), project('b'), project('c')];
    await listPoll();
    account.fail('endpoints c', 'locked');
    state.now += 15 * 60_000;
    await listPoll();
    await listPoll();
    for (const call of ['projects', 'endpoints a', 'endpoints b']) account.fail(call, 'network');
    state.now += 15 * 60_000;
    for (let count = 0; count < 15; count += 1) await listPoll();
    for (const call of ['projects', 'endpoints a', 'endpoints b', 'endpoints c']) account.mend(call);
    await listPoll();
    expect(polled().toSorted()).toEqual(['a', 'b']);
  });

  it('of projects for long and then no more, the API keys that failed with it are read at the next list poll', async () => {
    const { listPoll, account } = openPoller({ apiKeysRefreshMs: 5 * 60_000 });
    for (const call of ['projects', 'api_keys']) account.fail(call, 'unauthorized');
    for (let count = 0; count < 14; count += 1) await listPoll();
    for (const call of ['projects', 'api_keys']) account.mend(call);
    expect(await listPoll()).toEqual(['projects']);
    expect(await listPoll()).toEqual(['api_keys', 'projects']);
  });

  it('of API keys, the projects are read all the same', async () => {
    const { listPoll, state, account } = openPoller();
    state.projects = [project('a')];
    account.fail('api_keys', 'forbidden');
    expect((await listPoll()).toSorted()).toEqual(['failure of api_keys: forbidden', pollOf, 'projects']);
  });

  it('with a fault of our own, it is told and recorded as one', async () => {
    const { listPoll, account, problems } = openPoller();
    account.breakDown('projects', new RangeError('ours'));
    expect(await listPoll()).toEqual(['api_keys', 'failure of projects: internal']);
    expect(problems).toMatchObject([{ collector: 'projects', error: { message: 'ours' } }]);
  });
});

describe('a project', () => {
  it('that is refused with 401 keeps no other one from being read', async () => {
    const { listPoll, state, account, polled } = openPoller({ concurrency: 1 });
    state.projects = [project('a'), project('b'), project('c')];
    for (const call of ['endpoints a', 'operations a from 0']) account.fail(call, 'unauthorized');
    expect(await listPoll()).toContain('failure of endpoints: unauthorized');
    expect(polled()).toEqual(['b', 'c']);
  });

  it('that is refused with 401 like the one before it ends the round: nothing more is asked with this key', async () => {
    const { listPoll, state, account, calls, polled } = openPoller({ concurrency: 1 });
    state.projects = [project('a'), project('b'), project('c')];
    const refused = ['endpoints a', 'operations a from 0', 'endpoints b', 'operations b from 0'];
    for (const call of refused) account.fail(call, 'unauthorized');
    await listPoll();
    expect(calls.toSorted()).toEqual(['projects', 'api_keys', ...refused].toSorted());
    for (const call of ['endpoints a', 'operations a from 0']) account.mend(call);
    await listPoll();
    expect(polled()).toContain('c');
  });

  it('that is turned away with 429 ends the round, and the next one tries again', async () => {
    const { listPoll, state, account, calls, polled } = openPoller({ concurrency: 1 });
    state.projects = [project('a'), project('b'), project('c')];
    account.fail('endpoints a', 'rate_limited');
    account.fail('operations a', 'rate_limited');
    await listPoll();
    expect(calls).not.toContain('endpoints b');
    await listPoll();
    expect(polled()).toEqual(expect.arrayContaining(['a', 'b', 'c']));
  });

  it('that fails does not keep the others from being read', async () => {
    const { listPoll, state, account, polled, problems } = openPoller();
    state.projects = [project('a'), project('b')];
    account.fail('endpoints a', 'timeout');
    account.fail('operations a from 0', 'timeout');
    await listPoll();
    expect(polled()).toEqual(['b']);
    expect(problems).toMatchObject([{ project_id: 'a' }, { project_id: 'a' }]);
  });

  it('that fails is tried again at the next list polls, then ever more rarely, and is a project like any other once it is well', async () => {
    const { listPoll, state, account, calls, polled } = openPoller();
    state.projects = [project('a')];
    account.fail('endpoints a', 'forbidden');
    const tries: number[] = [];
    for (let count = 0; count < 40; count += 1) {
      calls.length = 0;
      await listPoll();
      if (calls.includes('endpoints a')) tries.push(count);
    }
    expect(tries).toEqual([0, 1, 2, 4, 8, 16, 26, 36]);
    account.mend('endpoints a');
    for (let count = 40; count <= 46; count += 1) await listPoll();
    expect(polled()).toEqual(['a']);
    expect(await listPoll()).toEqual(lists);
  });

  it('that is not found is gone, not a failure, and is not asked for again', async () => {
    const { listPoll, state, account, calls, problems } = openPoller();
    state.projects = [project('a'), project('b')];
    account.fail('endpoints a', 'not_found');
    expect((await listPoll()).toSorted()).toEqual([...lists, pollOf, 'project_gone'].toSorted());
    expect(problems).toEqual([]);
    state.projects = [project('b')];
    calls.length = 0;
    expect(await listPoll()).toEqual(lists);
    expect(calls).toEqual(['projects', 'api_keys']);
  });

  it('that is not found stays gone though a list asked for before that still shows it', async () => {
    const { startListPoll, state, account, poller, stop, readings } = openPoller({
      busy: new Set(['a']),
    });
    state.projects = [project('a'), project('b')];
    await startListPoll();
    await poller.idle();
    readings.length = 0;
    const release = account.hold('projects');
    const asked = startListPoll();
    account.fail('endpoints a', 'not_found');
    poller.beginRound(stop.signal);
    await poller.idle();
    release();
    await asked;
    await poller.idle();
    expect(readings).toMatchObject([
      { kind: 'api_keys' },
      { kind: 'project_gone', project_id: 'a' },
      { kind: 'projects', items: [{ project_id: 'b' }] },
    ]);
  });

  it('that is not found though listed again is a failure that is told, and is not declared gone a second time', async () => {
    const { listPoll, state, account, problems } = openPoller();
    state.projects = [project('a'), project('b')];
    account.fail('endpoints a', 'not_found');
    await listPoll();
    expect(await listPoll()).toContain('failure of endpoints: not_found');
    expect(problems).toMatchObject([
      {
        collector: 'endpoints',
        project_id: 'a',
        error: {
          message:
            '404 for this project, which the list still shows: ask the support of the service about it',
        },
      },
    ]);
    account.mend('endpoints a');
    expect(await listPoll()).toEqual([...lists, pollOf]);
  });

  it('that is not found by its operations alone is gone too', async () => {
    const { listPoll, state, account } = openPoller();
    state.projects = [project('a'), project('b')];
    account.fail('operations a from 0', 'not_found');
    expect(await listPoll()).toContain('project_gone');
  });

  it('that an incomplete list does not show is still read, and that it is incomplete is told', async () => {
    const { listPoll, state, polled, problems } = openPoller();
    state.projects = [project('a'), project('b')];
    await listPoll();
    state.complete = false;
    state.projects = [project('b')];
    state.now += 15 * 60_000;
    await listPoll();
    expect(polled().toSorted()).toEqual(['a', 'b']);
    expect(problems.map(({ error }) => error)).toEqual([
      new Error(
        'the list of projects is not whole: the service left projects out, or never came to the end of its pages; ' +
          'what is missing keeps its last values until collect.drop_after, and what is new may not be seen',
      ),
    ]);
    state.complete = true;
    state.now += 15 * 60_000;
    await listPoll();
    expect(polled()).toEqual(['b']);
  });

  it('that the service calls unavailable is counted and named, as far as they are few', async () => {
    const { listPoll, state, readings, problems } = openPoller();
    state.projects = [project('a')];
    state.complete = false;
    const told: unknown[] = [];
    for (const unavailableIds of [
      ['b', 'c'],
      ['d', 'e', 'f', 'g', 'h', 'i'.repeat(5000)],
    ]) {
      state.unavailableIds = unavailableIds;
      await listPoll();
      const list = readings.find(({ kind }) => kind === 'projects');
      const said = problems.at(-1)?.error;
      told.push([list, said instanceof Error ? said.message.replace(/; what is missing.*/, '') : said]);
    }
    expect(told).toEqual([
      [
        expect.objectContaining({ unavailable: 2 }),
        'the list of projects is not whole: the service calls 2 of its projects unavailable (b, c)',
      ],
      [
        expect.objectContaining({ unavailable: 6 }),
        'the list of projects is not whole: the service calls 6 of its projects unavailable (d, e, f, g, h, …)',
      ],
    ]);
  });

  it('that moves behind a list poll of several pages is looked at, not taken for gone', async () => {
    const { listPoll, state, account, readings, polled } = openPoller({
      requestsPerMinute: 2 * enoughForLists,
    });
    const [a, b, c] = [project('a'), project('b'), project('c')];
    state.projectPageSize = 2;
    state.projects = [a, b, c];
    await listPoll();
    account.onCall('projects from 2', () => {
      state.projects = [a, c, b];
    });
    await listPoll();
    expect(readings.find(({ kind }) => kind === 'projects')).toMatchObject({ earlierIds: ['a', 'b', 'c'] });
    expect(polled()).toContain('c');
  });

  it('that two list polls of several pages do not show is gone, though the service still reads it', async () => {
    const { listPoll, state, readings, polled } = openPoller({ requestsPerMinute: 2 * enoughForLists });
    state.projectPageSize = 2;
    state.projects = [project('a'), project('b'), project('c'), project('d')];
    await listPoll();
    state.projects = [project('a'), project('b'), project('d')];
    await listPoll();
    expect(polled()).toContain('c');
    await listPoll();
    expect(readings.find(({ kind }) => kind === 'projects')).toMatchObject({ earlierIds: ['a', 'b'] });
    expect(polled()).not.toContain('c');
  });

  it('that meets a fault of our own is told, and the others are read', async () => {
    const { listPoll, state, account, polled, problems } = openPoller({ concurrency: 1 });
    state.projects = [project('a'), project('b')];
    account.breakDown('endpoints a', new RangeError('ours'));
    await listPoll();
    expect(polled()).toEqual(['a', 'b']);
    expect(problems).toMatchObject([{ collector: 'endpoints', project_id: 'a', error: { message: 'ours' } }]);
  });

  it('that is listed again is read back to what was known of it, not to its beginning', async () => {
    const known = { headAt: startAt - 60_000, openIds: [] };
    const { listPoll, state, calls } = openPoller({
      commit: async reading => (reading.kind === 'projects' ? [{ project_id: 'a', known, busy: false }] : []),
    });
    state.projects = [project('a')];
    state.pageSize = 2;
    state.operations.set(
      'a',
      [60, 600, 1200, 1800].map(age => operation(`o${age}`, age)),
    );
    await listPoll();
    expect(calls.filter(call => call.startsWith('operations'))).toEqual(['operations a from 0']);
  });

  it('tells how far its import is', async () => {
    const { listPoll, state, imports } = openPoller();
    state.projects = [project('a')];
    state.pageSize = 2;
    state.operations.set(
      'a',
      [1, 2, 3, 4, 5].map(age => operation(`o${age}`, age)),
    );
    await listPoll();
    expect(imports).toEqual([
      { operations: 2, projectsLeft: 1 },
      { operations: 4, projectsLeft: 1 },
      { operations: 5, projectsLeft: 0 },
    ]);
  });
});

describe('an import that is interrupted', () => {
  const openInterrupted = async () => {
    const poller = openPoller();
    poller.state.projects = [project('a')];
    poller.state.pageSize = 2;
    poller.state.operations.set(
      'a',
      [100, 200, 300, 400, 500].map(age => operation(`o${age}`, age)),
    );
    poller.account.fail('operations a from 4', 'timeout');
    await poller.listPoll();
    expect(poller.imports.splice(0).at(-1)).toEqual({ operations: 4, projectsLeft: 1 });
    return poller;
  };

  it('counts what is read again only once', async () => {
    const { listPoll, account, imports } = await openInterrupted();
    account.mend('operations a from 4');
    await listPoll();
    expect(imports.at(-1)).toEqual({ operations: 5, projectsLeft: 0 });
  });

  it('counts anew when it has to begin from the top', async () => {
    const { listPoll, account, imports } = await openInterrupted();
    account.fail('operations a from 4', 'malformed');
    await listPoll();
    account.mend('operations a from 4');
    for (let count = 0; count < 3; count += 1) await listPoll();
    expect(imports.at(-1)).toEqual({ operations: 5, projectsLeft: 0 });
  });
});

describe('a reading that could not be written', () => {
  it('of a project is made again at the next list poll', async () => {
    const { listPoll, state, disk, problems } = openPoller();
    state.projects = [project('a')];
    disk.refuses = reading => reading.kind === 'project';
    expect(await listPoll()).toEqual(lists);
    expect(problems).toMatchObject([{ project_id: 'a', error: { message: 'disk full' } }]);
    disk.refuses = () => false;
    expect(await listPoll()).toEqual([...lists, pollOf]);
    expect(await listPoll()).toEqual(lists);
  });

  it('of the list of projects has no project read until it can be: what nobody knows cannot be recorded', async () => {
    const { listPoll, state, disk } = openPoller();
    state.projects = [project('a')];
    disk.refuses = reading => reading.kind === 'projects';
    expect(await listPoll()).toEqual(['api_keys']);
    disk.refuses = () => false;
    expect(await listPoll()).toEqual([...lists, pollOf]);
  });

  it('of the newest operations lets none be imported behind them: those would never be asked for again', async () => {
    const { listPoll, state, disk, readings } = openPoller();
    state.projects = [project('a')];
    state.pageSize = 2;
    const ids = [100, 200, 300].map(age => operation(`o${age}`, age));
    state.operations.set('a', ids);
    let refused = false;
    disk.refuses = ({ kind }) => {
      const isFirst = kind === 'project' && !refused;
      refused ||= isFirst;
      return isFirst;
    };
    expect(await listPoll()).toEqual(lists);
    await listPoll();
    const recorded = readings.flatMap(reading =>
      reading.kind === 'project' || reading.kind === 'operation_import'
        ? (reading.operations?.items ?? [])
        : [],
    );
    expect(recorded.map(({ operation_id }) => operation_id)).toEqual(['o100', 'o200', 'o300']);
  });

  it('of an import ends it for now, and it goes on where it was', async () => {
    const { listPoll, state, disk, calls } = openPoller();
    state.projects = [project('a')];
    state.pageSize = 2;
    state.operations.set(
      'a',
      [1, 2, 3, 4, 5].map(age => operation(`o${age}`, age)),
    );
    disk.refuses = reading => reading.kind === 'operation_import';
    expect(await listPoll()).toEqual([...lists, 'project: endpoints, 2 operations, more from 2']);
    disk.refuses = () => false;
    calls.length = 0;
    expect((await listPoll()).slice(3)).toEqual([
      'operation_import: 2 operations, more from 4',
      'operation_import: 1 operations',
    ]);
    expect(calls).toContain('operations a from 2');
  });
});

describe('stopping', () => {
  it('records nothing more and tells no problem', async () => {
    const { startListPoll, state, account, poller, stop, readings, problems } = openPoller();
    state.projects = [project('a'), project('b')];
    const release = ['a', 'b'].map(id => account.hold(`endpoints ${id}`));
    await startListPoll();
    stop.abort(new Error('stopping'));
    for (const open of release) open();
    await poller.idle();
    await startListPoll();
    expect(readings.map(describeReading)).toEqual(lists);
    expect(problems).toEqual([]);
  });
});
