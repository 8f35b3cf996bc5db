import { describe, expect, it } from 'vitest';
import { openPoller } from './open-poller.ts';
import { operation, project, scriptedAccount, startAt } from './scripted-account.ts';

const lists = ['api_keys', 'projects'];
const fault = new RangeError('Maximum call stack size exceeded');

describe('a fault of our own', () => {
  it('while the list of projects is read is a failure of it', async () => {
    const { account, listPoll, problems, state } = openPoller();
    state.projects = [project('a')];
    account.breakDown('projects', fault);
    expect(await listPoll()).toEqual(['api_keys', 'failure of projects: internal']);
    expect(problems).toMatchObject([{ collector: 'projects', error: fault }]);
    account.mend('projects');
    expect(await listPoll()).toContain('projects');
  });

  it('while the API keys are read is a failure of them', async () => {
    const { account, listPoll } = openPoller();
    account.breakDown('api_keys', fault);
    expect(await listPoll()).toEqual(['failure of api_keys: internal', 'projects']);
  });

  it('while endpoints are read is a failure of them, and operations are read all the same', async () => {
    const { account, listPoll, state } = openPoller();
    state.projects = [project('a')];
    account.breakDown('endpoints a', fault);
    expect(await listPoll()).toEqual([...lists, 'failure of endpoints: internal', 'project: 0 operations']);
  });

  it('while operations are read is a failure of them', async () => {
    const { account, listPoll, state } = openPoller();
    state.projects = [project('a')];
    account.breakDown('operations a from 0', fault);
    expect(await listPoll()).toEqual([...lists, 'project: endpoints', 'failure of operations: internal']);
  });

  it('on the way through older operations is a failure, and the next poll goes on from there', async () => {
    const { account, listPoll, state } = openPoller({ idleRefreshMs: 1 });
    state.projects = [project('a')];
    state.pageSize = 2;
    state.operations.set(
      'a',
      [1, 2, 3].map(age => operation(`o${age}`, age)),
    );
    account.breakDown('operations a from 2', fault);
    expect((await listPoll()).at(-1)).toBe('failure of operations: internal');
    account.mend('operations a from 2');
    expect(await listPoll()).toContain('operation_import: 1 operations');
  });

  it('after a project was read is a failure of it, and the others are read', async () => {
    const { listPoll, state, problems } = openPoller({
      concurrency: 1,
      onImport: ({ operations }) => {
        if (operations === 0) throw fault;
      },
    });
    state.projects = [project('a'), project('b')];
    state.operations.set('b', [operation('o', 60)]);
    expect((await listPoll()).slice(2)).toEqual([
      'project: endpoints, 0 operations',
      'failure of operations: internal',
      'project: endpoints, 1 operations',
    ]);
    expect(problems).toMatchObject([{ collector: 'operations', project_id: 'a', error: fault }]);
  });

  it('is none when the daemon was told to stop meanwhile', async () => {
    const { account, listPoll, stop, state } = openPoller();
    state.projects = [project('a')];
    account.onCall('endpoints a', () => stop.abort(new Error('stopped')));
    expect(await listPoll()).toEqual(lists);
  });
});

it('a hundred and fifty thousand operations in one answer are read', async () => {
  const { source } = scriptedAccount();
  const items = Array.from({ length: 150_000 }, (_, index) => operation(`o${index}`, index));
  const { listPoll } = openPoller({
    source: {
      ...source,
      async *projects() {
        yield { items: [project('a')], servedAt: startAt, end: { rejected: 0, complete: true } };
      },
      async *operationPages() {
        yield { items, rejected: 0, servedAt: startAt, cursor: undefined };
      },
    },
  });
  expect((await listPoll()).at(-1)).toBe('project: endpoints, 150000 operations');
});
