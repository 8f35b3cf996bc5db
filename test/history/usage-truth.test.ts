import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { computeOf } from '../../src/history/usage/compute-query.ts';
import { UsageQuery } from '../../src/history/usage/usage-query.ts';
import { deleteProject, liveProjects } from '../../src/simulator/model/account.ts';
import { setCpuUsed } from '../../src/simulator/model/endpoint.ts';
import { deleteEndpoint } from '../../src/simulator/model/endpoint-life.ts';
import { createRandom } from '../../src/simulator/model/random.ts';
import { LivedHistory } from '../support/lived-history.ts';
import { casesOf, isLong } from '../support/seed.ts';

const day = 86_400;
const begin = Date.UTC(2026, 9, 1) / 1000;
const pace = { listEverySeconds: 1200, projectsEvery: 2 };

interface Checkpoint {
  readonly at: number;
  readonly cuSeconds: ReadonlyMap<string, number>;
}

const days = isLong ? 30 : 8;

test.each(casesOf(11, 12))(
  `over ${days} days with the daemon down for random stretches, both ledgers hold the truth (seed %i)`,
  seed => {
    using life = new LivedHistory({ now: begin, seed, projects: 6, historyDays: 20 });
    const random = createRandom(seed, 'down');
    const checkpoints: Checkpoint[] = [];
    const departed = new Set<string>();
    for (let passed = 0; passed < days * day; ) {
      const watched = random.integer(1, 40) * 1800;
      life.watch(watched, pace);
      checkpoints.push(note(life));
      disturb(life, random, departed);
      const missed = random.integer(0, 30) * 1801;
      life.miss(missed);
      if (random.chance(0.3)) life.restart();
      passed += watched + missed;
    }
    life.watch(3600, pace);
    checkpoints.push(note(life));

    using database = open(life);
    const usage = new UsageQuery(database.connection);
    const compute = computeOf(database.connection);
    for (const project of life.truth().projects) {
      const known = usage.projects.find(({ project_id }) => project_id === project.project_id);
      if (known === undefined || departed.has(project.project_id)) continue;
      expect([project.project_id, usage.usedUntil(known.project_ref, life.now)]).toEqual([
        project.project_id,
        project.cpu_used_sec_ever * 1000,
      ]);
    }
    let exact = 0;
    const outside = checkpoints.flatMap(({ at, cuSeconds }) =>
      [...cuSeconds].flatMap(([endpoint_id, truth]) => {
        const endpoint_ref = database.endpoint(endpoint_id);
        const totals = endpoint_ref === undefined ? undefined : compute.endpoint(endpoint_ref, at);
        if (totals === undefined) return [];
        const { lower, upper } = totals;
        if (lower === upper) exact += 1;
        return lower <= truth * 1000 && truth * 1000 <= upper
          ? []
          : [{ endpoint_id, at, truth, lower, upper }];
      }),
    );
    expect(outside).toEqual([]);
    // Three in four endpoints have a fixed size.
    expect(exact).toBeGreaterThan(checkpoints.length * 4);
    expect(checkpoints.length).toBeGreaterThan((days * 2) / 3);
  },
);

function note(life: LivedHistory): Checkpoint {
  const endpoints = life.truth().projects.flatMap(({ endpoints }) => endpoints);
  return {
    at: life.now,
    cuSeconds: new Map(endpoints.map(({ endpoint_id, cu_seconds }) => [endpoint_id, cu_seconds])),
  };
}

/** Resets, other sizes, deleted endpoints and projects. */
function disturb(
  { account }: LivedHistory,
  random: ReturnType<typeof createRandom>,
  departed: Set<string>,
): void {
  const live = liveProjects(account);
  const project = live[random.integer(0, live.length - 1)];
  if (project === undefined) return;
  if (random.chance(0.1)) setCpuUsed(project, 0);
  const [endpoint, ...others] = project.endpoints.filter(({ deletedAt }) => deletedAt === undefined);
  if (others[0] !== undefined && random.chance(0.1)) deleteEndpoint(others[0]);
  if (endpoint !== undefined && endpoint.settings.minCu < endpoint.settings.maxCu && random.chance(0.3)) {
    endpoint.settings = { ...endpoint.settings, maxCu: random.integer(2, 7) };
  }
  if (live.length > 4 && random.chance(0.04)) {
    deleteProject(project);
    departed.add(project.id);
  }
}

function open(life: LivedHistory) {
  const connection = new Database(life.folder.file, { readonly: true });
  const find = connection
    .prepare<[string], number>(
      'SELECT endpoint_ref FROM endpoint WHERE endpoint_id = ? AND ledger_until_at IS NOT NULL',
    )
    .pluck();
  return {
    connection,
    endpoint: (endpoint_id: string) => find.get(endpoint_id),
    [Symbol.dispose]: () => connection.close(),
  };
}
