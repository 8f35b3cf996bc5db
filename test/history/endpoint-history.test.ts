import { expect, onTestFinished, test } from 'vitest';
import { findFindings } from '../../src/cost/finding/finding-list.ts';
import { UsageReader } from '../../src/history/usage/usage-history.ts';
import type { EndpointHistory } from '../../src/resources/endpoint-history.ts';
import { createProject } from '../../src/simulator/model/account.ts';
import { drawProject } from '../../src/simulator/model/blueprint.ts';
import { countUsage } from '../../src/simulator/model/endpoint.ts';
import { deleteEndpoint } from '../../src/simulator/model/endpoint-life.ts';
import { LivedHistory } from '../support/lived-history.ts';
import { casesOf } from '../support/seed.ts';

const begin = Date.UTC(2026, 9, 1) / 1000;
const hour = 3600;
const day = 24 * hour;

/** The history of the endpoint that clients use every few hours and that never suspends, over 28 days. */
function neverSuspended(life: LivedHistory): EndpointHistory {
  const reader = new UsageReader(life.folder.file, ['main']);
  onTestFinished(() => reader.close());
  const { usage, endpoints } = reader.look();
  const project = usage.projects.find(({ project_name }) => project_name === 'pooled-backend');
  if (project === undefined) throw new Error('there is no such project');
  const [history] = endpoints.endpoints(project, () => life.now - 28 * day * 1000);
  if (history === undefined) throw new Error('it has no endpoint');
  return history;
}

test.each(casesOf(1, 2))(
  'what was seen of its uses speaks for the weeks before them, and only that, seed %i',
  seed => {
    using life = new LivedHistory({ now: begin, seed, projects: 1, historyDays: 35, showcase: true });
    const pace = { listEverySeconds: 1800, projectsEvery: 1 };
    const allMonth = 2 * 28 * 24;

    // One use seen just now says nothing of the weeks before it.
    life.watch(hour, pace);
    const [finding] = findFindings(neverSuspended(life));
    expect(finding).toMatchObject({ kind: 'never_suspends' });
    expect(finding).not.toHaveProperty('hoursPerMonth');

    // A few days of uses do. Sessions of 60 to 900 seconds every 1 to 6 hours: about a twentieth of the time is use.
    life.watch(4 * day - hour, pace);
    const [later] = findFindings(neverSuspended(life));
    expect(later).toMatchObject({ kind: 'never_suspends' });
    const { likely = 0, most = 0 } = later?.hoursPerMonth ?? {};
    expect(likely).toBeGreaterThan(0.8 * allMonth);
    expect(likely).toBeLessThan(most);
    expect(most).toBeLessThan(allMonth);

    // Days without a reading are no use, and no pause.
    life.miss(10 * day);
    life.watch(day, pace);
    const [span] = neverSuspended(life).awake;
    expect(span?.unseenMs).toBeGreaterThan((28 - 6) * day * 1000);
    expect(span?.pauses?.every(({ fromAt, untilAt }) => untilAt - fromAt < 7 * hour * 1000)).toBe(true);
    expect(findFindings(neverSuspended(life))[0]?.hoursPerMonth?.likely).toBeGreaterThan(0.8 * allMonth);
  },
);

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
    const { usage, endpoints } = reader.look();
    const [known] = usage.projects;
    if (known === undefined) throw new Error('one project');
    expect(endpoints.endpoints(known, () => begin * 1000)).toEqual([]);
    const [past, ...others] = endpoints.pasts(known, { fromAt: begin * 1000, untilAt: life.now });
    expect(others).toEqual([]);
    expect(past?.goneAt).toBeGreaterThanOrEqual((begin + 12 * hour) * 1000);
    expect(past?.goneAt).toBeLessThan((begin + 12 * hour + 600) * 1000);
    expect(past?.sizes[0]).toMatchObject({ minCu: 1, maxCu: 1 });
    const last = past?.sizes.at(-1);
    expect(last).toMatchObject({ minCu: 4, maxCu: 4 });
    expect(Math.abs((last?.fromAt ?? 0) / 1000 - begin - 6 * hour)).toBeLessThan(1200);
    expect(past?.past.awake.length).toBeGreaterThan(60);
    const early = endpoints.pasts(known, { fromAt: begin * 1000, untilAt: (begin + hour) * 1000 });
    expect(early[0]?.sizes).toHaveLength(1);
    const late = endpoints.pasts(known, { fromAt: (begin + 9 * hour) * 1000, untilAt: life.now });
    expect(late[0]?.sizes).toEqual([expect.objectContaining({ minCu: 4, maxCu: 4 })]);
    expect(early[0]?.past.awake.at(-1)?.untilAt).toBeLessThanOrEqual((begin + hour) * 1000);
  } finally {
    reader.close();
  }
});
