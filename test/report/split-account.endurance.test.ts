import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findShard } from '../../src/resources/shard.ts';
import { LivedHistory } from '../support/lived-history.ts';
import { reportOn, shardOf } from '../support/report-run.ts';

const day = 86_400;
const begin = Date.UTC(2026, 9, 5) / 1000;
const pace = { listEverySeconds: 3600, projectsEvery: 2 };

/** An allowance that is shared, a minimum, a base fee, tiers and things that are counted: each applies once to the account. */
const config = `
groups: {team: {web: {projects: ["*a*"]}, data: {projects: ["*e*"]}}}
pricing:
  currency: USD
  billing_period: {hours: 40, from: 2026-10-01}
  plans:
    - name: all
      included: {compute_hours: 7, per: account}
      base_fee: 5
      minimum: 19
      counted: [{name: endpoints, of: endpoints, price: 0.1, included: 2}]
      prices:
        - {from: 2026-01-01, tiers: [{up_to: 10, per_compute_hour: 0.16}, {per_compute_hour: 0.11}]}
`;

const lines = [
  ...['project', 'group', 'account', 'region', 'endpoint'].flatMap(by => [
    `usage --by ${by} --format json --period 2026-10`,
    `cost --by ${by} --format json --period 2026-10`,
    `operations --by ${by} --format json --period 2026-10`,
  ]),
  'cost --by project --share --step day --format csv --period 2026-10-05..2026-10-07',
  'cost --by line --format json --period 2026-10',
  'cost --format focus --period 2026-10',
  'keys --format json --period 2026-10',
  'showback --period 2026-10',
  'findings --format json --period 2026-10',
  'why --format json --period 2026-10-06..2026-10-07 --against 2026-10-05..2026-10-06',
];

interface Split {
  readonly configFile: string;
  readonly files: readonly string[];
}

/** Every report over the histories of all shards says the same as over that of the whole account. */
async function expectSameReports(
  life: LivedHistory,
  { configFile, files }: Split,
  compared: readonly string[] = lines,
): Promise<void> {
  for (const { history } of [life, ...life.parts]) while (history.upkeep(life.now));
  for (const line of compared) {
    const whole = await reportOn(configFile, [life.folder.file], line, life.now);
    expect(whole).not.toContain('dbpm-exporter:');
    const split = await reportOn(configFile, files, line, life.now);
    const sorted = (text: string) => text.split('\n').toSorted();
    if (line.includes('focus')) expect([line, sorted(split)]).toEqual([line, sorted(whole)]);
    else expect([line, split]).toEqual([line, whole]);
  }
}

function prepare(life: LivedHistory, shards: number): Split {
  const configFile = join(life.folder.path, 'dbpm.yaml');
  writeFileSync(configFile, config);
  const names = Array.from({ length: shards }, (_, shard) => `shard-${shard}.sqlite`);
  return { configFile, files: names.map(name => join(life.folder.path, name)) };
}

test.each([1, 2, 3])(
  'an account split over shards is reported as it is whole (seed %i)',
  async seed => {
    using life = new LivedHistory({ now: begin, seed, projects: 9, historyDays: 2 });
    const shards = seed + 1;
    const split = prepare(life, shards);
    for (const [shard, file] of split.files.entries()) {
      const history = life.folder.open({ file });
      life.parts.push({ history, watches: id => shardOf(id, shards) === shard });
    }
    life.watch(2 * day, pace);
    await expectSameReports(life, split);
  },
  120_000,
);

test.each([
  { counts: [3, 4], seed: 1 },
  { counts: [3, 4], seed: 2 },
  { counts: [4, 3], seed: 3 },
  { counts: [3, 4, 3], seed: 1 },
  { counts: [3, 4, 3], seed: 4 },
])(
  'an account that goes through $counts shards in a billing period is reported as it is whole (seed $seed)',
  async ({ counts, seed }) => {
    using life = new LivedHistory({ now: begin, seed, projects: 12, historyDays: 2 });
    const split = prepare(life, Math.max(...counts));
    const start = (count: number) => {
      for (const { history } of life.parts.splice(0)) life.folder.close(history);
      for (const [shard, file] of split.files.slice(0, count).entries())
        life.parts.push({
          history: life.folder.open({ file }),
          watches: id => findShard(id, count) === shard,
        });
    };
    const owners = (id: string) => new Set(counts.map(count => findShard(id, count)));
    for (const [index, count] of counts.entries()) {
      if (index > 0) life.miss(600);
      start(count);
      life.watch(day, pace);
      // The list is read more often than projects are.
      life.miss(1500);
      life.readLists();
    }
    const moved = life.truth().projects.filter(({ project_id }) => owners(project_id).size > 1);
    expect(moved.length).toBeGreaterThan(1);
    const findings = await reportOn(split.configFile, split.files, 'findings --format csv', life.now);
    expect(moved.some(({ project_id }) => findings.includes(project_id))).toBe(true);
    await expectSameReports(life, split);
  },
  120_000,
);
