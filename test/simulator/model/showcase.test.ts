import { expect, test } from 'vitest';
import type { SimulatedAccount } from '../../../src/simulator/model/account.ts';
import { createFleet } from '../../../src/simulator/model/fleet.ts';
import { scenarios } from '../../../src/simulator/model/scenario.ts';
import { describeTruth } from '../../../src/simulator/model/truth.ts';

const monday = Date.parse('2026-03-02T10:00:00Z') / 1000;

function openFleet(
  options: {
    readonly showcase?: boolean;
    readonly plan?: 'paid' | 'free';
    readonly historyDays?: number;
    readonly stories?: boolean;
  } = {},
): SimulatedAccount {
  const account = createFleet({
    ...{ seed: 1, projects: 4, historyDays: 30, apiKey: 'key', plan: 'paid', now: monday },
    ...options,
  });
  account.timeline.advanceTo(monday);
  return account;
}

/** The only endpoint of each exhibit, by the project's name. */
function tellExhibits(account: SimulatedAccount) {
  const names: readonly string[] = scenarios.map(({ name }) => name);
  const shown = describeTruth(account).projects.filter(({ name }) => names.includes(name));
  return new Map(
    shown.map(({ name, endpoints: [endpoint], ...project }) => [name, { ...project, endpoint }]),
  );
}

test('the showcase leaves all other projects as they are without it, to the last digit', () => {
  const { projects: plain } = describeTruth(openFleet());
  const { projects: all } = describeTruth(openFleet({ showcase: true }));
  const plainIds = new Set(plain.map(({ project_id }) => project_id));
  expect(all.filter(({ project_id }) => plainIds.has(project_id))).toEqual(plain);
  expect(all).toHaveLength(plain.length + scenarios.length);
});

test('stories add an endpoint that suspends since three weeks ago, one whose start failed in production, and a new project', () => {
  const { projects: plain } = describeTruth(openFleet({ showcase: true }));
  const account = openFleet({ showcase: true, stories: true });
  const plainIds = new Set(plain.map(({ project_id }) => project_id));
  const { projects: all } = describeTruth(account);
  expect(all.filter(({ project_id }) => plainIds.has(project_id))).toEqual(plain);
  const [followed, troubled, added, ...others] = all.filter(({ project_id }) => !plainIds.has(project_id));
  expect(others).toEqual([]);
  const [endpoint] = followed?.endpoints ?? [];
  // Nine days without a pause; then a run of at most 40 minutes and the delay each night.
  expect(endpoint?.state_seconds.active).toBeGreaterThan(9 * 86_400);
  expect(endpoint?.state_seconds.active).toBeLessThan(9 * 86_400 + 22 * 45 * 60);
  expect(endpoint?.suspends).toBeGreaterThanOrEqual(20);
  expect(endpoint?.suspends).toBeLessThanOrEqual(24);
  expect(added).toMatchObject({ name: 'billing-api', created_at: '2026-02-18T10:00:00Z' });
  expect(troubled?.name).toBe('checkout-prod');
  const { operations = [] } = account.projects.get(troubled?.project_id ?? '') ?? {};
  const begin = monday - 3 * 3600;
  const story = operations
    .filter(({ createdAtMicros }) => createdAtMicros / 1e6 > begin)
    .map(({ action, status }) => `${action} ${status}`);
  const failures = story.indexOf('start_compute failed');
  expect(story.slice(failures, failures + 4)).toEqual([
    ...Array.from({ length: 3 }, () => 'start_compute failed'),
    'start_compute finished',
  ]);
  expect(story).toContain('apply_config running');
});

test('a history of a day has the incident but not what was changed three weeks ago', () => {
  const names = describeTruth(openFleet({ stories: true, historyDays: 1 })).projects.map(({ name }) => name);
  expect(names).toContain('checkout-prod');
  expect(names).not.toContain('night-reports');
});

test('each exhibit lives through the history the way it is to be found', () => {
  const shown = tellExhibits(openFleet({ showcase: true }));
  const startsOf = (name: string) => shown.get(name)?.endpoint?.starts ?? 0;
  const awakeShareOf = (name: string) =>
    (shown.get(name)?.endpoint?.state_seconds.active ?? 0) / (30 * 86_400);
  // 30 days of 144 ten minutes, and about 70 s awake in each.
  expect(startsOf('stock-sync')).toBeGreaterThan(4250);
  expect(startsOf('stock-sync')).toBeLessThanOrEqual(4325);
  expect(awakeShareOf('stock-sync')).toBeCloseTo(70 / 600, 2);
  expect(awakeShareOf('pooled-backend')).toBeGreaterThan(0.999);
  expect(awakeShareOf('old-campaign')).toBeGreaterThan(0.999);
  expect(startsOf('hourly-glance')).toBeGreaterThan(100);
  expect(startsOf('support-desk')).toBeGreaterThan(50);
  // A check a day, and the start that created it.
  expect(startsOf('abandoned-preview')).toBeGreaterThanOrEqual(28);
  expect(startsOf('abandoned-preview')).toBeLessThanOrEqual(34);
});

test('an endpoint with little to do scales no higher than its smallest size, by the counter and the truth alike', () => {
  const floor = tellExhibits(openFleet({ showcase: true })).get('cautious-floor');
  const activeSeconds = floor?.endpoint?.state_seconds.active ?? 0;
  expect(activeSeconds).toBeGreaterThan(86_400);
  expect(floor?.endpoint?.cu_seconds).toBe(4 * activeSeconds);
  expect(floor?.cpu_used_sec).toBe(4 * activeSeconds);
});

test('on the free plan the exhibits have its one size and delay', () => {
  const shown = [...tellExhibits(openFleet({ showcase: true, plan: 'free' })).values()];
  expect(shown).toHaveLength(scenarios.length);
  expect(new Set(shown.map(({ endpoint }) => endpoint?.suspend_timeout_seconds))).toEqual(new Set([0]));
});
