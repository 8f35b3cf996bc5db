import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { reportCommand } from '../../src/cli/report.ts';
import { reportAxes } from '../../src/report/kind.ts';
import { createRandom, type Random } from '../../src/simulator/model/random.ts';
import { makeFakeIo } from '../cli/fake-io.ts';
import { readCsv } from '../support/csv-reader.ts';
import { LivedHistory } from '../support/lived-history.ts';

const day = 86_400;
const begin = Date.UTC(2026, 9, 5) / 1000;
const pace = { listEverySeconds: 1800, projectsEvery: 2 };
const zones = ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns'];
/** Lines are those of a bill alone. */
const axes = reportAxes.filter(axis => axis !== 'line');
const hourKinds = ['included_hours', 'billed_hours', 'unpriced_hours'] as const;

interface JsonReport {
  readonly rows: readonly Readonly<Record<string, string | null>>[];
  readonly totals: Readonly<Record<string, string | null>>;
}

/** Prices that change, in billing periods that begin within days, and a region without a plan. */
function writeConfig(random: Random, regions: readonly string[]): string {
  const zone = zones[random.integer(0, zones.length - 1)];
  const included = random.integer(1, 60);
  return `
usage: {timezone: ${zone}}
groups: {team: {web: {projects: ["*a*"]}, data: {projects: ["*e*"]}}}
pricing:
  currency: USD
  billing_period: {hours: ${random.integer(30, 200)}, from: 2026-10-01}
  plans:
    - name: all
      match: {regions: [${regions.slice(1).map(region => JSON.stringify(region))}]}
      included: {compute_hours: ${included}, per: ${random.chance(0.5) ? 'account' : 'project'}}
      prices:
        - {from: 2026-01-01, per_compute_hour: 0.16}
        - {from: 2026-10-07, per_compute_hour: 0.15}
        - {from: 2026-10-08, per_compute_hour: 0.17}
`;
}

/** @returns a period that may begin and end at any second. */
function drawPeriod(random: Random, until: number): string {
  if (random.chance(0.3)) return '2026-10';
  const from = begin - random.integer(-day, 2 * day);
  const end = from + random.integer(3600, until - from);
  const show = (second: number) => `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
  return `${show(from)}..${show(end)}`;
}

test.each([1, 2, 3])(
  'usage and cost reports have the same hours to the last digit, and rows that add up (seed %i)',
  async seed => {
    using life = new LivedHistory({ now: begin, seed, projects: 14, historyDays: 5 });
    const random = createRandom(seed, 'reports');
    life.watch(2 * day + random.integer(0, day), pace);
    while (life.history.upkeep(life.now));
    const regions = [...new Set([...life.account.projects.values()].map(({ regionId }) => regionId))];
    const configFile = join(life.folder.path, 'dbpm.yaml');
    const report = async (line: string) => {
      const { io, printed } = makeFakeIo();
      const files = ['--config.file', configFile, '--history.file', life.folder.file];
      const command = reportCommand(io, { now: () => life.now });
      await runCommandLine(io, ['report', ...files, ...line.split(' ')], [command]);
      if (printed.stdout === '') throw new Error(printed.stderr);
      return printed.stdout;
    };
    for (let round = 0; round < 2; round += 1) {
      writeFileSync(configFile, writeConfig(random, regions));
      const period = drawPeriod(random, life.now / 1000);
      for (const by of axes) {
        const options = `--period ${period} --by ${by}`;
        const usage: JsonReport = JSON.parse(await report(`usage ${options} --format json`));
        const cost: JsonReport = JSON.parse(await report(`cost ${options} --format json`));
        const used = hoursByScope(usage, 'compute_hours');
        expect([options, hoursByScope(cost, 'used_hours')]).toEqual([options, used]);
        expect(cost.totals.used_hours ?? '0.00').toBe(usage.totals.compute_hours);
        expectRowsToAddUp(usage, ['compute_hours', 'reconstructed_lower_hours', 'awake_hours']);
        expectRowsToAddUp(cost, ['used_hours', ...hourKinds]);
        for (const row of [...cost.rows, cost.totals]) {
          expect(hourKinds.reduce((sum, key) => sum + hundredths(row[key]), 0n)).toBe(
            hundredths(row.used_hours),
          );
        }
        const table = readCsv(await report(`cost ${options} --format csv`));
        expect(table.rows.map(row => row.used_hours)).toEqual(cost.rows.map(row => row.used_hours));
        const text = await report(`cost ${options} --format markdown`);
        for (const row of cost.rows) expect(text).toContain(separate(row.used_hours ?? ''));
      }
    }
  },
);

function hoursByScope({ rows }: JsonReport, key: string): Readonly<Record<string, string>> {
  const scopes = ['account', 'project_id', 'endpoint_id', 'group', 'region_id'];
  const cells = rows.map(
    row => [scopes.map(scope => row[scope] ?? '').join(' '), row[key] ?? '0.00'] as const,
  );
  return Object.fromEntries(cells.filter(([, hours]) => hours !== '0.00').sort());
}

function expectRowsToAddUp({ rows, totals }: JsonReport, keys: readonly string[]): void {
  for (const key of keys) {
    const sum = rows.reduce((before, row) => before + hundredths(row[key]), 0n);
    expect([key, sum]).toEqual([key, hundredths(totals[key])]);
  }
}

function hundredths(hours: string | null | undefined): bigint {
  return BigInt((hours ?? '0').replace('.', ''));
}

function separate(hours: string): string {
  return hours.replace(/\B(?=(?:\d{3})+\.)/g, ',');
}
