import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LivedHistory } from '../../support/lived-history.ts';
import { reportOn, shardOf } from '../../support/report-run.ts';
import { openTables } from './duck.ts';
import { type Axis, axes, expectCost, expectOperations, expectUsage } from './report-agreement.ts';
import { exportTo } from './table-run.ts';

const day = 86_400;
const begin = Date.UTC(2026, 9, 5) / 1000;
const pace = { listEverySeconds: 3600, projectsEvery: 2 };

/** Things that apply once to an account, in billing periods of two days, in a currency that is not shown. */
const configOf = (zone: string) => `
usage: {timezone: ${zone}}
groups: {team: {web: {projects: ["*a*"]}, data: {projects: ["*e*"]}}}
pricing:
  currency: USD
  display_currency: EUR
  exchange_rates: [{currency: USD, from: 2026-01-01, rate: 0.9171}]
  billing_period: {hours: 24, from: 2026-10-01}
  plans:
    - name: all
      included: {compute_hours: 7, per: account}
      base_fee: 5
      minimum: 19
      prices:
        - {from: 2026-01-01, tiers: [{up_to: 10, per_compute_hour: 0.1607}, {per_compute_hour: 0.1103}]}
`;

test.each([1, 2, 3])(
  'figures over the tables of all shards are those of reports (seed %i)',
  async seed => {
    using life = new LivedHistory({ now: begin, seed, projects: 8, historyDays: 2 });
    const configFile = join(life.folder.path, 'dbpm.yaml');
    writeFileSync(configFile, configOf('UTC'));
    const files = [0, 1].map(shard => join(life.folder.path, `shard-${shard}.sqlite`));
    for (const [shard, file] of files.entries()) {
      const history = life.folder.open({ file });
      life.parts.push({ history, watches: id => shardOf(id, 2) === shard });
    }
    life.watch(3 * day, pace);
    for (const { history } of [life, ...life.parts]) while (history.upkeep(life.now));
    const tables = [
      'usage_hours',
      'cost_lines',
      'operations',
      'endpoint_days',
      'endpoint_states',
      'key_uses',
    ];
    // Cost is of all shards together; everything else is the same in each export.
    const together = join(life.folder.path, 'together');
    expect(await exportTo(together, configFile, files)).toMatchObject({ exitCode: 0, stderr: '' });
    const apart = [0, 1].map(shard => join(life.folder.path, `shard-${shard}`));
    for (const [shard, folder] of apart.entries())
      expect(await exportTo(folder, configFile, [files[shard] ?? ''])).toMatchObject({
        exitCode: 0,
        stderr: '',
      });
    using ask = await openTables([together], tables);
    using askApart = await openTables(apart, tables);
    const period = `day >= DATE '2026-10-05' AND day < DATE '2026-10-07'`;
    const read = async (line: string) =>
      JSON.parse(
        await reportOn(
          configFile,
          [life.folder.file],
          `${line} --format json --period 2026-10-05..2026-10-07`,
          life.now,
        ),
      );
    for (const axis of Object.keys(axes) as Axis[]) {
      const usage = await read(`usage --by ${axis}`);
      expect(usage.rows.length).toBeGreaterThan(0);
      await expectUsage(ask, usage, axis, period);
      await expectUsage(askApart, usage, axis, period);
      const cost = await read(`cost --by ${axis}`);
      await expectCost(ask, cost, axis, period);
      const operations = await read(`operations --by ${axis}`);
      await expectOperations(ask, operations, axis, period);
      await expectOperations(askApart, operations, axis, period);
    }
  },
  120_000,
);
