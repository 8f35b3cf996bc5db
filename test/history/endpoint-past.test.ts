import { expect, test } from 'vitest';
import { UsageReader } from '../../src/history/usage/usage-history.ts';
import { createProject } from '../../src/simulator/model/account.ts';
import { drawProject } from '../../src/simulator/model/blueprint.ts';
import { countUsage } from '../../src/simulator/model/endpoint.ts';
import { deleteEndpoint } from '../../src/simulator/model/endpoint-life.ts';
import { LivedHistory } from '../support/lived-history.ts';

const begin = Date.UTC(2026, 9, 1) / 1000;
const hour = 3600;

test('an endpoint that is gone has its past, with each size it had', () => {
  using life = new LivedHistory({ now: begin, seed: 3, projects: 0, historyDays: 1 });
  const drawn = drawProject(3, 'sized', 1, 'paid', { branches: 1, profile: 'ten-minute-cron' });
  const [branch] = drawn.branches;
  if (branch === undefined) throw new Error('one branch');
  const settings = { ...branch.settings, minCu: 1, maxCu: 1, suspendTimeoutSeconds: 60 };
  const project = createProject(life.account, { ...drawn, branches: [{ ...branch, settings }] });
  const [endpoint] = project.endpoints;
  if (endpoint === undefined) throw new Error('one endpoint');
  const often = { listEverySeconds: 300, projectsEvery: 1 };
  life.watch(6 * hour, often);
  countUsage(endpoint);
  endpoint.settings = { ...settings, minCu: 4, maxCu: 4 };
  life.watch(6 * hour, often);
  deleteEndpoint(endpoint);
  life.watch(hour, often);

  const reader = new UsageReader(life.folder.file, ['main']);
  try {
    const { usage, endpointHistories } = reader.look();
    const [known] = usage.projects;
    if (known === undefined) throw new Error('one project');
    expect(endpointHistories.endpoints(known, () => begin * 1000)).toEqual([]);
    const [past, ...others] = endpointHistories.pasts(known, { fromAt: begin * 1000, untilAt: life.now });
    expect(others).toEqual([]);
    expect(past?.goneAt).toBeGreaterThanOrEqual((begin + 12 * hour) * 1000);
    expect(past?.goneAt).toBeLessThan((begin + 12 * hour + 600) * 1000);
    expect(past?.sizes[0]).toMatchObject({ minCu: 1, maxCu: 1 });
    const last = past?.sizes.at(-1);
    expect(last).toMatchObject({ minCu: 4, maxCu: 4 });
    expect(Math.abs((last?.fromAt ?? 0) / 1000 - begin - 6 * hour)).toBeLessThan(1200);
    expect(past?.past.awake.length).toBeGreaterThan(60);
    const early = endpointHistories.pasts(known, { fromAt: begin * 1000, untilAt: (begin + hour) * 1000 });
    expect(early[0]?.sizes).toHaveLength(1);
    const late = endpointHistories.pasts(known, { fromAt: (begin + 9 * hour) * 1000, untilAt: life.now });
    expect(late[0]?.sizes).toEqual([expect.objectContaining({ minCu: 4, maxCu: 4 })]);
    expect(early[0]?.past.awake.at(-1)?.untilAt).toBeLessThanOrEqual((begin + hour) * 1000);
  } finally {
    reader.close();
  }
});
