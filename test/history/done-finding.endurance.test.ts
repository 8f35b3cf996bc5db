import { expect, test } from 'vitest';
import { doneWindowMs, findDone } from '../../src/cost/finding/done-finding.ts';
import { UsageReader } from '../../src/history/usage/usage-history.ts';
import type { DoneFinding, FindingKind } from '../../src/resources/finding.ts';
import { deleteEndpoint, settle } from '../../src/simulator/model/endpoint-life.ts';
import { createFleet } from '../../src/simulator/model/fleet.ts';
import type { SimulatedEndpoint } from '../../src/simulator/model/project.ts';
import { quarterCuSecondsOf } from '../quality/simulated-past.ts';
import { LivedHistory } from '../support/lived-history.ts';

const day = 86_400;
const begin = Date.UTC(2026, 9, 1) / 1000;
const pace = { listEverySeconds: 3600, projectsEvery: 1 };

const fleet = {
  seed: 31,
  projects: 0,
  historyDays: 30,
  showcase: true,
  apiKey: 'key',
  plan: 'paid',
  hasSureStarts: true,
} as const;

type Change = (endpoint: SimulatedEndpoint) => void;
const withDelay =
  (suspendTimeoutSeconds: number): Change =>
  endpoint => {
    quarterCuSecondsOf(endpoint);
    endpoint.settings = { ...endpoint.settings, suspendTimeoutSeconds };
    settle(endpoint);
  };
const withFloor =
  (minCu: number): Change =>
  endpoint => {
    quarterCuSecondsOf(endpoint);
    endpoint.settings = { ...endpoint.settings, minCu };
  };
const disable: Change = endpoint => {
  quarterCuSecondsOf(endpoint);
  endpoint.settings = { ...endpoint.settings, disabled: true };
  settle(endpoint);
};

const changes: Readonly<Record<string, readonly [FindingKind, Change]>> = {
  'stock-sync': ['woken_on_period', disable],
  'pooled-backend': ['never_suspends', withDelay(300)],
  'hourly-glance': ['idle_tail', withDelay(300)],
  'support-desk': ['longer_than_needed', withDelay(300)],
  'cautious-floor': ['floor_size', withFloor(3)],
  'old-campaign': ['awake_unused', withDelay(300)],
  'abandoned-preview': ['woken_by_checks', endpoint => deleteEndpoint(endpoint)],
};

function endpointsOf({
  projects,
}: {
  readonly projects: ReadonlyMap<string, { readonly name: string; readonly endpoints: SimulatedEndpoint[] }>;
}) {
  return [...projects.values()].flatMap(({ name, endpoints }) =>
    endpoints.map(endpoint => ({ name, endpoint })),
  );
}

function readDone(life: LivedHistory): readonly DoneFinding[] {
  const reader = new UsageReader(life.folder.file, ['main']);
  try {
    const { usage, endpoints } = reader.look();
    return usage.projects.flatMap(project =>
      endpoints
        .remembered(project, life.now - doneWindowMs, life.now)
        .flatMap(endpoint => findDone(endpoint, { smallestDelayMs: 300_000 })),
    );
  } finally {
    reader.close();
  }
}

test('what was saved by following each kind of finding is what the same fleet uses without it less than with it', () => {
  using life = new LivedHistory({ ...fleet, now: begin });
  life.watch(2 * day, pace);
  expect(readDone(life)).toEqual([]);
  const changedAt = life.account.timeline.now;
  for (const { name, endpoint } of endpointsOf(life.account)) changes[name]?.[1](endpoint);
  life.watch(6 * day, pace);
  expect(readDone(life)).toEqual([]);
  life.watch(17 * day, pace);

  const done = readDone(life);
  const saved = saveByTruth(life, changedAt);
  const kindsOf = (id: string) =>
    done.filter(({ endpoint_id }) => endpoint_id === id).map(({ kind }) => kind);
  expect(new Map([...saved].map(([name, { id }]) => [name, kindsOf(id)]))).toEqual(
    new Map([...saved.keys()].map(name => [name, [changes[name]?.[0]]])),
  );
  for (const [name, { id, hours }] of saved) {
    const finding = done.find(({ endpoint_id }) => endpoint_id === id);
    const ratio = (finding?.computeHoursPerMonth ?? 0) / hours;
    // Its clients come in bursts, by chance: one month of them is not like the next.
    const factor = name === 'support-desk' ? 2 : 1.1;
    expect(Math.max(ratio, 1 / ratio), name).toBeLessThan(factor);
    expect(Math.abs((finding?.doneAt ?? 0) / 1000 - changedAt), name).toBeLessThanOrEqual(1.5 * day);
  }
}, 120_000);

/** What each project uses in 30 days less than it would without its change. */
function saveByTruth({ account }: LivedHistory, changedAt: number) {
  const unchanged = createFleet({ ...fleet, now: begin });
  unchanged.timeline.advanceTo(account.timeline.now);
  const used = new Map(
    endpointsOf(account).map(({ endpoint }) => [endpoint.id, quarterCuSecondsOf(endpoint)]),
  );
  const days = (account.timeline.now - changedAt) / day;
  return new Map(
    endpointsOf(unchanged).map(({ name, endpoint }) => {
      const { id } = endpoint;
      const saved = quarterCuSecondsOf(endpoint) - (used.get(id) ?? 0);
      return [name, { id, hours: ((saved / 4 / 3600) * 30) / days }];
    }),
  );
}
