import fc from 'fast-check';
import { expect, test } from 'vitest';
import { liveProjects, type SimulatedAccount } from '../../../src/simulator/model/account.ts';
import { connect } from '../../../src/simulator/model/endpoint-life.ts';
import { createFleet, type FleetOptions } from '../../../src/simulator/model/fleet.ts';
import { liveEndpoints } from '../../../src/simulator/model/project.ts';
import { describeTruth } from '../../../src/simulator/model/truth.ts';
import {
  showApiKey,
  showEndpoint,
  showOperation,
  showProject,
} from '../../../src/simulator/model/wire-form.ts';
import { runs } from '../../support/seed.ts';

const monday = Date.parse('2026-03-02T10:00:00Z') / 1000;

function openFleet(options: Partial<FleetOptions> = {}): SimulatedAccount {
  const now = options.now ?? monday;
  const account = createFleet({
    seed: 1,
    projects: 4,
    historyDays: 2,
    apiKey: 'key',
    plan: 'paid',
    now,
    ...options,
  });
  account.timeline.advanceTo(now);
  return account;
}

/** All that any client could see, and the truth. */
function showEverything(account: SimulatedAccount): unknown {
  const fields = { pendingState: 'always', lastActive: true } as const;
  return {
    truth: describeTruth(account),
    keys: account.keys.list().map(showApiKey),
    projects: liveProjects(account).map(project => ({
      ...showProject(project),
      endpoints: liveEndpoints(project).map(endpoint => showEndpoint(endpoint, fields)),
      operations: project.operations.map(operation => showOperation(project, operation)),
    })),
  };
}

test('the same seed and moment give the same service to the last digit', () => {
  expect(showEverything(openFleet())).toEqual(showEverything(openFleet()));
});

test('the same seed gives the same projects, branches and endpoints whenever it is started', () => {
  const identities = (account: SimulatedAccount) =>
    liveProjects(account).map(({ id, name, branches, endpoints }) => ({
      id,
      name,
      branches,
      endpoints: endpoints.map(endpoint => [endpoint.id, endpoint.settings]),
    }));
  const fleet = identities(openFleet());
  expect(identities(openFleet({ now: monday + 12_345_678, historyDays: 0 }))).toEqual(fleet);
  expect(identities(openFleet({ seed: 8 }))).not.toEqual(fleet);
});

test('advancing at once and in many small steps come to the same state and truth', () => {
  const step = fc.record({ seconds: fc.integer({ min: 0, max: 20_000 }), connects: fc.boolean() });
  const plans = fc.array(step, { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(
      plans,
      fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 5 }),
      (plan, strides) => {
        const atOnce = openFleet();
        const stepwise = openFleet();
        for (const { seconds, connects } of plan) {
          const target = atOnce.timeline.now + seconds;
          atOnce.timeline.advanceTo(target);
          for (let turn = 0; stepwise.timeline.now < target; turn += 1) {
            const stride = strides[turn % strides.length] ?? 1;
            stepwise.timeline.advanceTo(Math.min(target, stepwise.timeline.now + stride));
            describeTruth(stepwise);
          }
          if (connects) {
            for (const account of [atOnce, stepwise]) {
              for (const project of liveProjects(account)) {
                for (const endpoint of liveEndpoints(project)) connect(endpoint, seconds % 500);
              }
            }
          }
        }
        expect(showEverything(stepwise)).toEqual(showEverything(atOnce));
      },
    ),
    { numRuns: runs(8) },
  );
});

test('thirty days of fifty projects have every action, failures, repeated attempts and stuck operations', () => {
  const account = openFleet({ seed: 1, projects: 50, historyDays: 30 });
  const projects = liveProjects(account);
  expect(projects.length).toBe(50);
  const all = [...account.projects.values()].flatMap(project =>
    project.operations.map(operation => showOperation(project, operation)),
  );
  expect(all.length).toBeGreaterThan(20_000);
  expect(all.length).toBeLessThan(60_000);
  expect([...new Set(all.map(({ action }) => action))].sort()).toEqual([
    'apply_config',
    'check_availability',
    'create_branch',
    'create_timeline',
    'delete_tenant',
    'start_compute',
    'suspend_compute',
  ]);
  const dayAgo = new Date((monday - 86_400) * 1000).toISOString();
  expect(all.some(({ status }) => status === 'failed')).toBe(true);
  expect(all.some(({ status, failures_count }) => status === 'finished' && failures_count > 0)).toBe(true);
  expect(all.some(({ status, created_at }) => /scheduling|running/.test(status) && created_at < dayAgo)).toBe(
    true,
  );
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
});

test('the fleet has busy endpoints, some that never sleep and some forgotten for weeks', () => {
  const account = openFleet({ seed: 1, projects: 50, historyDays: 30 });
  const projects = liveProjects(account);
  expect(projects.every(({ branches, endpoints }) => branches.length === endpoints.length)).toBe(true);
  expect(new Set(projects.map(({ branches }) => branches.length))).toEqual(new Set([1, 2, 3, 4]));
  const endpoints = projects.flatMap(liveEndpoints);
  const daysSince = (second = 0) => (monday - second) / 86_400;
  expect(endpoints.some(({ starts }) => starts > 300)).toBe(true);
  expect(endpoints.some(({ state, stateSince }) => state === 'active' && daysSince(stateSince) > 14)).toBe(
    true,
  );
  expect(endpoints.some(({ state, busyUntil }) => state === 'idle' && daysSince(busyUntil) > 14)).toBe(true);
});
