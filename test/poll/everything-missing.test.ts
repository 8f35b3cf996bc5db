import { describe, expect, it } from 'vitest';
import { enoughForLists, openPoller } from './open-poller.ts';
import { project } from './scripted-account.ts';

const lists = ['api_keys', 'projects'];
const dropAfterMs = 600_000;
const ids = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`);

/** A poller that has read this number of projects once. */
async function openRead(count: number) {
  const opened = openPoller({
    busy: new Set(ids(count)),
    requestsPerMinute: 20 * enoughForLists,
    dropAfterMs,
  });
  opened.state.projects = ids(count).map(id => project(id));
  await opened.listPoll();
  const messages = () => opened.problems.map(({ error }) => (error instanceof Error ? error.message : ''));
  return { ...opened, messages };
}

describe('a service that does not find', () => {
  it('any project is not believed: each has failed, and none is gone', async () => {
    const { account, listPoll, messages } = await openRead(4);
    for (const id of ids(4)) account.fail(`endpoints ${id}`, 'not_found');
    expect(await listPoll()).toEqual([...lists, ...Array(4).fill('failure of endpoints: not_found')]);
    expect(new Set(messages())).toEqual(
      new Set([
        '404 for this project, and no answer for another one: look for a gateway or a base_url that has changed; its series keep their last values until collect.drop_after',
      ]),
    );
    account.mend('endpoints p0');
    const healing = await listPoll();
    expect(healing).not.toContain('project_gone');
  });

  it('any project, though it is listed, is not believed when its operations alone are asked for', async () => {
    const { account, listPoll } = await openRead(3);
    for (const id of ids(3)) account.fail(`operations ${id} from 0`, 'not_found');
    expect(await listPoll()).not.toContain('project_gone');
  });

  it('any project is asked about neighbours once, and again when one answered', async () => {
    const { account, calls, listPoll, state } = await openRead(6);
    for (const id of ids(6)) account.fail(`endpoints ${id}`, 'not_found');
    calls.length = 0;
    await listPoll();
    const asked = calls.filter(call => call.startsWith('endpoints'));
    // One poll of each, and the neighbours that those were asked about which were under way at the same time.
    expect(asked.length).toBeLessThanOrEqual(6 + 4);
    for (const id of ids(6)) account.mend(`endpoints ${id}`);
    state.now += dropAfterMs;
    await listPoll();
    account.fail('endpoints p3', 'not_found');
    state.projects = state.projects.map(each => ({ ...each, cpu_used_sec: 5 }));
    expect(await listPoll()).toContain('project_gone');
  });

  it('one project while its neighbours answer has deleted it', async () => {
    const { account, listPoll, readings } = await openRead(4);
    account.fail('endpoints p2', 'not_found');
    await listPoll();
    expect(readings.filter(({ kind }) => kind === 'project_gone')).toMatchObject([{ project_id: 'p2' }]);
    expect(readings.filter(({ kind }) => kind === 'failure')).toEqual([]);
  });

  it('the only project there is leaves it to the list to say that it is gone', async () => {
    const { account, listPoll, messages } = await openRead(1);
    account.fail('endpoints p0', 'not_found');
    expect(await listPoll()).toEqual([...lists, 'failure of endpoints: not_found']);
    expect(messages()[0]).toContain('no other project');
  });
});

describe('a list that lost', () => {
  it('all of its projects is not believed before drop_after, and its projects are looked at', async () => {
    const { listPoll, messages, polled, readings, state } = await openRead(3);
    state.projects = [];
    await listPoll();
    expect(readings.find(({ kind }) => kind === 'projects')).toMatchObject({ items: [], complete: false });
    expect(polled().toSorted()).toEqual(ids(3));
    expect(messages()).toEqual([
      'the list of projects lost 3 of 3 projects at once: each is looked at, and keeps its last values until collect.drop_after',
    ]);
    state.now += dropAfterMs;
    await listPoll();
    expect(readings.find(({ kind }) => kind === 'projects')).toMatchObject({ items: [], complete: true });
    expect(polled()).toEqual([]);
  });

  it('most of its projects is not believed, but each that is not found is gone', async () => {
    const { account, listPoll, readings, state } = await openRead(5);
    state.projects = ['p0', 'p1'].map(id => project(id));
    account.fail('endpoints p3', 'not_found');
    await listPoll();
    expect(readings.find(({ kind }) => kind === 'projects')).toMatchObject({ complete: false });
    const gone = readings.filter(({ kind }) => kind === 'project_gone');
    expect(gone).toMatchObject([{ project_id: 'p3' }]);
  });

  it('no more than half of its projects is believed at once', async () => {
    const { listPoll, readings, state } = await openRead(4);
    state.projects = ['p0', 'p1'].map(id => project(id));
    await listPoll();
    expect(readings.find(({ kind }) => kind === 'projects')).toMatchObject({ complete: true });
  });

  it('its projects on the last of several pages is believed no sooner', async () => {
    const { listPoll, readings, state } = await openRead(5);
    state.projectPageSize = 1;
    state.projects = ['p0', 'p1'].map(id => project(id));
    await listPoll();
    await listPoll();
    await listPoll();
    expect(readings.find(({ kind }) => kind === 'projects')).toMatchObject({ complete: false });
  });

  it('its projects a second time is doubted as long again, when they were back in between', async () => {
    const { listPoll, readings, state } = await openRead(3);
    const all = state.projects;
    state.projects = [];
    await listPoll();
    state.projects = all;
    await listPoll();
    state.now += dropAfterMs;
    state.projects = [];
    await listPoll();
    expect(readings.find(({ kind }) => kind === 'projects')).toMatchObject({ complete: false });
  });
});
