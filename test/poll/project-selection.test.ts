import { describe, expect, it } from 'vitest';
import { AccountPoller } from '../../src/poll/account-poller.ts';
import { selectProjects } from '../../src/poll/account-source.ts';
import { collectors } from '../../src/resources/collector.ts';
import { createProjectFilter } from '../../src/resources/project-filter.ts';
import type { Reading } from '../../src/resources/reading.ts';
import { project, scriptedAccount } from './scripted-account.ts';

/** A poller that leaves out what is called old; pages have two projects. */
function openPoller() {
  const account = scriptedAccount();
  account.state.projectPageSize = 2;
  const readings: Reading[] = [];
  const stop = new AbortController();
  const isWatched = createProjectFilter({ include: ['*'], exclude: ['old *'] });
  const poller = new AccountPoller({
    account: 'main',
    collectors,
    source: selectProjects(account.source, isWatched),
    urgentSource: account.source,
    async commit(reading) {
      readings.push(reading);
      if (reading.kind !== 'project') return [];
      const { project_id, operations } = reading;
      return [{ project_id, known: { ...operations?.progress, openIds: [] }, busy: true }];
    },
    knownProjects: () => [],
    onProblem: ({ error }) => {
      if (!String(error).includes('the list of projects is not whole')) throw error;
    },
    onImport: () => {},
    scheduleMs: 30_000,
    idleRefreshMs: 60_000,
    dropAfterMs: 600_000,
    apiKeysRefreshMs: 60_000,
    requestsPerMinute: 6000,
    budgetPerMinute: () => 6000,
    concurrency: 4,
    now: () => account.state.now,
    sleep: async () => {},
  });
  /** @returns what of the list was recorded in one list poll, and which projects were read then. */
  const listPoll = async () => {
    account.state.now += 30_000;
    readings.length = 0;
    await poller.pollProjectList(stop.signal);
    poller.beginRound(stop.signal);
    await poller.idle();
    const lists = readings.flatMap(reading =>
      reading.kind === 'project_page' || reading.kind === 'projects' ? [reading] : [],
    );
    const read = readings.flatMap(reading => (reading.kind === 'project' ? [reading.project_id] : []));
    return { lists, read: [...new Set(read)].toSorted() };
  };
  return { state: account.state, listPoll };
}

const named = (project_id: string, project_name: string) => project(project_id, { project_name });

describe('projects that are left out', () => {
  it('are neither recorded nor read, on no page of the list', async () => {
    const { state, listPoll } = openPoller();
    state.projects = [named('a', 'shop'), named('b', 'old shop'), named('c', 'old site'), named('d', 'site')];
    const { lists, read } = await listPoll();
    expect(lists).toMatchObject([
      { kind: 'project_page', items: [{ project_id: 'a' }] },
      { kind: 'projects', items: [{ project_id: 'd' }], earlierIds: ['a'], complete: true, rejected: 0 },
    ]);
    expect(lists.filter(list => 'leftOut' in list)).toEqual([]);
    expect(read).toEqual(['a', 'd']);
  });

  it('leave a list that came to its end complete, and one that did not incomplete', async () => {
    const { state, listPoll } = openPoller();
    state.projects = [named('b', 'old shop')];
    expect((await listPoll()).lists).toMatchObject([{ kind: 'projects', items: [], complete: true }]);
    state.complete = false;
    expect((await listPoll()).lists).toMatchObject([{ kind: 'projects', items: [], complete: false }]);
  });

  it('are told by name when they were watched before, once, and are not read any more', async () => {
    const { state, listPoll } = openPoller();
    state.projects = [named('a', 'shop'), named('b', 'site')];
    expect((await listPoll()).read).toEqual(['a', 'b']);
    state.complete = false;
    state.projects = [named('a', 'old shop'), named('b', 'site')];
    const { lists, read } = await listPoll();
    expect(lists).toMatchObject([
      { items: [{ project_id: 'b' }], leftOut: [{ project_id: 'a', project_name: 'old shop' }] },
    ]);
    expect(read).toEqual(['b']);
    expect((await listPoll()).lists.filter(list => 'leftOut' in list)).toEqual([]);
  });

  it('are not taken for lost, however many are left out at once', async () => {
    const { state, listPoll } = openPoller();
    state.projects = [named('a', 'shop'), named('b', 'site'), named('c', 'blog')];
    await listPoll();
    state.projects = state.projects.map(each => ({ ...each, project_name: `old ${each.project_name}` }));
    expect((await listPoll()).lists.at(-1)).toMatchObject({ kind: 'projects', complete: true });
  });

  it('are watched from the list on that gives them another name', async () => {
    const { state, listPoll } = openPoller();
    state.projects = [named('a', 'old shop')];
    expect((await listPoll()).read).toEqual([]);
    state.projects = [named('a', 'shop')];
    expect((await listPoll()).read).toEqual(['a']);
  });
});
