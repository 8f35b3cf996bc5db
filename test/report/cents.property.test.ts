import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LivedHistory } from '../support/lived-history.ts';
import { runReport } from '../support/report-run.ts';
import { runs, testSeed } from '../support/seed.ts';

const second = (text: string) => Date.parse(`2026-${text}:00Z`) / 1000;
const now = second('11-25T12:00');

let life: LivedHistory;

/** A fleet whose October was imported, and whose November was watched. */
beforeAll(() => {
  life = new LivedHistory({ now: second('11-20T00:00'), seed: testSeed(), projects: 9, historyDays: 60 });
  life.watch(now - life.account.timeline.now, { listEverySeconds: 12 * 3600, projectsEvery: 1 });
}, 60_000);

afterAll(() => life?.[Symbol.dispose]());

interface DrawnBook {
  readonly currency: string;
  readonly price: string;
  readonly included: number;
  readonly minimum: string;
  readonly tax: string;
  readonly line: string;
}

const cents = (most: number) =>
  fc.integer({ min: 1, max: most * 10_000 }).map(units => (units / 1e4).toString());
const drawn: fc.Arbitrary<DrawnBook> = fc.record({
  currency: fc.constantFrom('USD', 'JPY', 'KWD'),
  price: cents(1),
  included: fc.integer({ min: 1, max: 200 }),
  minimum: cents(600),
  tax: cents(30),
  line: cents(50),
});

function write({ currency, price, included, minimum, tax, line }: DrawnBook): string {
  const path = join(life.folder.path, 'dbpm.yaml');
  // Whatever projects are called, each group has some, and some have none.
  const { projects } = life.truth();
  const third = (place: number) =>
    JSON.stringify(projects.flatMap(({ project_id }, index) => (index % 3 === place ? project_id : [])));
  writeFileSync(
    path,
    `pricing:
  currency: ${currency}
  plans:
    - name: scale
      prices: [{from: 2026-01-01, per_compute_hour: ${price}}, {from: 2026-11-10, per_compute_hour: ${(Number(price) * 1.5).toFixed(6)}}]
      included: {compute_hours: ${included}, per: account}
      minimum: ${minimum}
  lines: [{name: support, from: 2026-01-01, amount: ${line}}]
  adjustments: [{name: VAT, kind: tax, from: 2026-01-01, percent: ${tax}}]
groups:
  team:
    web: {projects: ${third(0)}}
    data: {projects: ${third(1)}}
`,
  );
  return path;
}

async function report(configFile: string, line: string): Promise<string> {
  const made = await runReport(line, { file: life.folder.file, now: now * 1000, configFile });
  expect([0, 3], made.stderr).toContain(made.exitCode);
  return made.stdout;
}

/** Whole units of the last decimal. */
const unitsOf = (text: string) => BigInt(text.replaceAll(/[.,]/g, ''));
const add = (texts: readonly string[]) => texts.map(unitsOf).reduce((sum, units) => sum + units, 0n);

type Row = Readonly<Record<string, string>>;

async function readCost(config: string, line: string) {
  const { rows, totals } = JSON.parse(await report(config, `cost ${line} --format json`));
  return { rows: rows as readonly Row[], total: totals.cost as string, totals: totals as Row };
}

/** Hours of each thing that used any. */
function hoursOf(rows: readonly Row[], key: string): Readonly<Record<string, string>> {
  const scopes = ['account', 'project_id', 'endpoint_id', 'group', 'region_id'];
  const cells = rows.map(row => [scopes.map(scope => row[scope] ?? '').join(' '), row[key] ?? '0.00']);
  return Object.fromEntries(cells.filter(([, hours]) => hours !== '0.00').sort());
}

const costsOf = (rows: readonly Row[]) => add(rows.map(({ cost }) => cost ?? '0'));

const hourKeys = ['used_hours', 'included_hours', 'billed_hours', 'unpriced_hours'];
const thingKeys = ['account', 'project_id', 'endpoint_id', 'group', 'region_id', 'billing_period'];

/** A column added up for each thing that rows are for, whatever their steps. */
function sumsOf(rows: readonly Row[], column: string) {
  const things = Map.groupBy(rows, row => thingKeys.map(key => row[key] ?? '').join(' '));
  const sums = [...things].map(([thing, own]) => [thing, add(own.map(row => row[column] ?? '0'))] as const);
  return new Map(sums.filter(([, sum]) => sum !== 0n));
}

test(`rows add up to their step, steps to their row and to the total, and reports by all axes agree, also with the hours of usage (TEST_SEED=${testSeed()})`, async () => {
  const asked = fc.record({
    book: drawn,
    period: fc.constantFrom('2026-10-01..2026-11-25', '2026-10', '2026-11'),
    step: fc.constantFrom('day', 'week', 'month'),
    by: fc.constantFrom('project', 'group', 'region', 'line', 'endpoint'),
  });
  await fc.assert(
    fc.asyncProperty(asked, async ({ book, step, by, period }) => {
      const config = write(book);
      const whole = await readCost(config, `--period ${period} --by ${by}`);
      const cut = await readCost(config, `--period ${period} --by ${by} --step ${step}`);
      const accounts = await readCost(config, `--period ${period} --by account --step ${step}`);
      expect(costsOf(whole.rows)).toBe(unitsOf(whole.total));
      if (by !== 'line') {
        const usage = JSON.parse(await report(config, `usage --period ${period} --by ${by} --format json`));
        expect(hoursOf(whole.rows, 'used_hours')).toEqual(hoursOf(usage.rows, 'compute_hours'));
        expect(add(whole.rows.map(({ used_hours }) => used_hours ?? '0'))).toBe(
          unitsOf(usage.totals.compute_hours),
        );
      }
      expect(hourKeys.map(key => cut.totals[key])).toEqual(hourKeys.map(key => whole.totals[key]));
      for (const key of by === 'line' ? [] : hourKeys)
        expect(sumsOf(cut.rows, key), key).toEqual(sumsOf(whole.rows, key));
      expect([cut.total, accounts.total]).toEqual([whole.total, whole.total]);
      expect(costsOf(cut.rows)).toBe(unitsOf(cut.total));
      const steps = Map.groupBy(cut.rows, row => row.step);
      for (const [label, rows] of Map.groupBy(accounts.rows, row => row.step))
        expect(costsOf(steps.get(label) ?? []), label).toBe(costsOf(rows));
    }),
    { numRuns: runs(6), seed: testSeed() },
  );
});

test('the costs of all days, weeks or months of a team or a region are those of a report without them', async () => {
  const config = write({
    ...{ currency: 'USD', price: '0.1637', included: 50 },
    ...{ minimum: '19.9', tax: '19', line: '12.3456' },
  });
  for (const by of ['group', 'region']) {
    const line = `--period 2026-10-01..2026-11-25 --by ${by}`;
    const { rows } = await readCost(config, line);
    for (const step of ['day', 'week', 'month']) {
      const cut = await readCost(config, `${line} --step ${step}`);
      expect(sumsOf(cut.rows, 'cost'), `${by} ${step}`).toEqual(sumsOf(rows, 'cost'));
    }
  }
});

/** The cells of the tables below a heading, without those of its title. */
function tableBelow(page: string, heading: string): readonly (readonly string[])[] {
  const [, text = ''] = page.split(`## ${heading}\n`);
  const lines = (text.split('\n## ')[0] ?? '').split('\n').filter(line => line.startsWith('|'));
  return lines.slice(2).map(line =>
    line
      .split('|')
      .slice(1, -1)
      // A total is bold.
      .map(cell => cell.replaceAll('**', '').trim()),
  );
}

test(`a showback agrees above and below, and groups add up to all costs (TEST_SEED=${testSeed()})`, async () => {
  const periods = fc.constantFrom('2026-10', 'billing', '2026-11-01..2026-11-20');
  await fc.assert(
    fc.asyncProperty(drawn, periods, async (book, period) => {
      const config = write(book);
      const text = await report(config, `showback --period ${period}`);
      const pages = text.split(/^# /m).slice(1);
      expect(pages.length).toBeGreaterThan(1);
      let sum = 0n;
      for (const page of pages) {
        const [, figure = ''] = /\*\*This period(?: so far)?: ([\d.,]+)\*\*/.exec(page) ?? [];
        sum += unitsOf(figure);
        const parts = tableBelow(page, 'What it is made of').map(([what = '', cost = '']) => ({
          what,
          cost,
        }));
        const total = parts.at(-1)?.cost ?? '';
        expect(total).toBe(figure);
        expect(add(parts.slice(0, -1).map(({ cost }) => cost))).toBe(unitsOf(total));
        const [compute] = parts;
        const projects = tableBelow(page, 'Projects');
        expect(add(projects.map(cells => cells[3] ?? '0'))).toBe(unitsOf(compute?.cost ?? ''));
        const [, hours = ''] = /\*\* ([\d.,]+) compute hours/.exec(page) ?? [];
        expect(add(projects.map(cells => cells[2] ?? '0'))).toBe(unitsOf(hours));
      }
      const [, whole = ''] = /\*\*Share of all costs: [\d.]+%\*\* of [^\d]*([\d.,]+)/.exec(text) ?? [];
      expect(sum).toBe(unitsOf(whole));
      const shared = await readCost(config, `--period ${period} --by group --share`);
      expect(shared.total).toBe(whole.replaceAll(',', ''));
    }),
    { numRuns: runs(4), seed: testSeed() },
  );
});

test('the compute hours of a show-back are those of the report with a row for each group', async () => {
  const config = write({
    ...{ currency: 'USD', price: '0.1637', included: 50 },
    ...{ minimum: '19.9', tax: '19', line: '12.3456' },
  });
  for (let day = 10; day < 30; day += 1) {
    const period = `--period 2026-10-${day}`;
    const { rows } = JSON.parse(await report(config, `showback ${period} --format json`));
    const whole = await readCost(config, `${period} --by group`);
    const named = (rows as readonly Row[]).map(row => ({ ...row, group: row.group?.split('/')[1] ?? '' }));
    expect(hoursOf(named, 'used_hours'), period).toEqual(hoursOf(whole.rows, 'used_hours'));
  }
});

test(`sentences of why add up to their headline, and rows to it and to each other (TEST_SEED=${testSeed()})`, async () => {
  const periods = fc.constantFrom(
    'why --period billing',
    'why --period 2026-11-11..2026-11-21',
    'why --period last-billing --against billing:2026-11',
  );
  await fc.assert(
    fc.asyncProperty(drawn, periods, async (book, line) => {
      const config = write(book);
      const read = JSON.parse(await report(config, `${line} --format json`));
      const [headline = '', ...sentences] = read.summary as readonly string[];
      const signed = (sentence: string) => {
        if (/, as much as in /.test(sentence)) return 0n;
        const [, amount, word] = /^[^\d]*([\d.,]+) (more|less) /.exec(sentence) ?? [];
        return amount === undefined ? undefined : (word === 'less' ? -1n : 1n) * unitsOf(amount);
      };
      const [, after = '', before = ''] =
        /: [^\d]*([\d.,]+) instead of [^\d]*([\d.,]+)\.$/.exec(headline) ?? [];
      expect(signed(headline), headline).toBe(unitsOf(after) - unitsOf(before));
      const said = sentences.flatMap(sentence => signed(sentence) ?? []);
      expect(
        said.reduce((sum, each) => sum + each, 0n),
        read.summary.join('\n'),
      ).toBe(signed(headline));
      const rows = read.rows as readonly (Row & { readonly level: number })[];
      const sumBelow = (place: number): bigint | undefined => {
        const level = rows[place]?.level ?? 0;
        const end = rows.findIndex((row, at) => at > place && row.level <= level);
        const below = rows.slice(place + 1, end < 0 ? rows.length : end);
        const own = below.filter(row => row.level === level + 1);
        return own.length === 0 ? undefined : add(own.map(({ difference }) => difference ?? '0'));
      };
      expect(sumBelow(-1)).toBe(unitsOf(read.totals.difference));
      for (const [place, { difference = '0' }] of rows.entries())
        expect(sumBelow(place) ?? unitsOf(difference)).toBe(unitsOf(difference));
    }),
    { numRuns: runs(4), seed: testSeed() },
  );
});
