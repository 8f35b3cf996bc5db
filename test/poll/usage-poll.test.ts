import { describe, expect, test } from 'vitest';
import type { Endpoint } from '../../src/resources/endpoint.ts';
import type { ProjectUsageReading, Reading } from '../../src/resources/reading.ts';
import { openPoller } from './open-poller.ts';
import { operation, project, startAt } from './scripted-account.ts';

const endpoint = (current_state: string) =>
  ({ endpoint_id: 'ep', project_id: 'p', current_state }) as Endpoint;

/** A poller with time for everything, of an account whose list tells no use. */
function openSilent(more: Parameters<typeof openPoller>[0] = {}) {
  const opened = openPoller({ requestsPerMinute: 600, cpuSource: 'auto', ...more });
  const { state } = opened;
  state.projects = [project('p')];
  state.endpoints.set('p', [endpoint('idle')]);
  state.operations.set('p', [
    operation('o1', 86_400, { action: 'suspend_compute', updated_at: startAt - 86_400_000 }),
  ]);
  state.usage.set('p', { compute_time_seconds: 70 });
  const asked = async (polls: number) => {
    opened.takeCalls();
    for (let index = 0; index < polls; index += 1) await opened.listPoll();
    return opened.takeCalls().filter(call => call.startsWith('usage'));
  };
  const uses = () =>
    opened.readings.filter((reading): reading is ProjectUsageReading => reading.kind === 'project_usage');
  return { ...opened, asked, uses };
}

describe('use that the list of projects does not tell', () => {
  test('is not asked for before three lists told none, then once of a project at rest', async () => {
    const { asked } = openSilent();
    expect(await asked(2)).toEqual([]);
    expect(await asked(1)).toEqual(['usage p']);
    expect(await asked(40)).toEqual([]);
  });

  test('is read while an endpoint is awake, and once more later', async () => {
    const busy = new Set<string>();
    const { asked, state, uses, listPoll } = openSilent({
      busy,
      cpuSource: 'project',
      knownCpuSource: 'project',
    });
    expect(await asked(5)).toEqual(['usage p']);
    state.endpoints.set('p', [endpoint('active')]);
    busy.add('p');
    state.projects = [project('p', { updated_at: startAt + 1 })];
    state.usage.set('p', { compute_time_seconds: 90, consumption_period_start: startAt - 5000 });
    await listPoll();
    expect(uses()).toMatchObject([
      {
        project_id: 'p',
        servedAt: state.now,
        usage: { compute_time_seconds: 90, consumption_period_start: startAt - 5000 },
      },
    ]);
    // Lists come every half minute, use every minute.
    expect(await asked(6)).toHaveLength(3);
    state.endpoints.set('p', [endpoint('idle')]);
    busy.clear();
    expect(await asked(28)).toHaveLength(0);
    expect(await asked(8)).toHaveLength(1);
    expect(await asked(40)).toHaveLength(0);
  });

  test('was read by an earlier run: it goes on from there', async () => {
    const known = { project_id: 'p', known: { openIds: [] }, busy: false };
    const { asked, state } = openSilent({
      knownCpuSource: 'project',
      knownProjects: () => [
        { project: project('p'), checkpoint: { ...known, usageReadAt: startAt - 3_600_000 } },
      ],
    });
    expect(await asked(20)).toEqual([]);
    state.operations.set('p', [
      operation('o2', -600, { action: 'suspend_compute', updated_at: state.now - 1000 }),
      ...(state.operations.get('p') ?? []),
    ]);
    state.projects = [project('p', { updated_at: state.now })];
    expect(await asked(2)).toEqual(['usage p']);
  });

  test('that a service tells nowhere is asked for three times a day, and all else is read', async () => {
    const { asked, state, problems, readings, listPoll } = openSilent({ cpuSource: 'project' });
    state.usage.clear();
    state.projects = ['p', 'q', 'r', 's'].map(id => project(id));
    expect(await asked(20)).toHaveLength(3);
    expect(problems.map(({ collector, error }) => [collector, String(error)])[0]).toEqual([
      'projects',
      'Error: GET /projects/{project_id} does not tell compute_time_seconds: what the project uses is not known while the list of projects does not tell cpu_used_sec',
    ]);
    expect(problems).toHaveLength(3);
    await listPoll();
    expect(readings.filter(({ kind }: Reading) => kind === 'failure')).toEqual([]);
  });

  test('that cannot be read for now is a failure of its own, and is tried again', async () => {
    const { fail, mend, listPoll, asked } = openSilent({ cpuSource: 'project' });
    fail('usage p', 'unavailable');
    expect(await listPoll()).toContain('failure of projects: unavailable');
    expect((await asked(6)).length).toBeGreaterThan(1);
    mend('usage p');
    expect((await asked(10)).length).toBeGreaterThan(0);
    expect(await asked(20)).toEqual([]);
  });

  test('is not asked for by the setting list', async () => {
    const { asked } = openSilent({ cpuSource: 'list', knownCpuSource: 'project' });
    expect(await asked(20)).toEqual([]);
  });
});
