import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SmallHistory } from '../../report/small-history.ts';
import { readCsv } from '../../support/csv-reader.ts';
import { openConsole } from '../../support/open-console.ts';

const now = Date.parse('2026-11-02T00:00:10Z');

let small: SmallHistory;
let shown: Awaited<ReturnType<typeof openConsole>>;
beforeAll(async () => {
  small = new SmallHistory();
  shown = await openConsole({ file: small.file, now, yaml: readFileSync(small.configFile, 'utf8') });
});
afterAll(() => {
  shown.close();
  small[Symbol.dispose]();
});

test('a page of each group has what the report says, and a way to files of it', async () => {
  const { showback } = await shown.json('/showback?period=2026-10');
  const { stdout } = await small.report('showback --period 2026-10');
  expect(showback.pages.map(({ group }: { group: string }) => group)).toEqual([
    'team/web',
    'team/data',
    'team/ungrouped',
  ]);
  for (const { figures, parts } of showback.pages) {
    for (const { label, value } of figures) expect(stdout).toContain(`- **${label}: ${value}**`);
    for (const { what, cost } of parts) expect(stdout).toContain(`| ${what} | ${cost} |`);
  }
  const { text } = await shown.get('/showback?period=2026-10');
  expect(text).toContain('<a href="/showback?period=2026-10&amp;group=team%2Fweb">web</a>');
  expect(text).toContain(
    'href="/reports/showback?period=2026-10&amp;grouping=team&amp;format=html" download',
  );
  const { text: one } = await shown.get('/showback?period=2026-10&group=team/web');
  expect(one.match(/class="sheet"/g)).toHaveLength(1);
});

test('pages of money lie below Cost in the navigation and above their title, and reports below each other', async () => {
  for (const path of ['/showback', '/prices', '/cost/why', '/cost/invoice']) {
    const { text } = await shown.get(path);
    expect(text).toContain('<a href="/cost" aria-current="true">Cost</a>');
    expect(text).toContain('<p class="crumb"><a href="/cost">Cost</a> /</p>');
  }
  expect((await shown.get('/report/usage')).text).toContain(
    '<p class="crumb"><a href="/report/usage">Reports</a> /</p>',
  );
  const { results } = await shown.json('/search?q=/prices');
  expect(results.map(({ name }: { name: string }) => name)).toContain('Prices');
  expect((await shown.get('/')).text).toContain('<a class="logo" href="/" aria-current="page">');
});

test('all groups have a total, and each its share and its change where both periods are known', async () => {
  const { text } = await shown.get('/showback?period=2026-10');
  const rows = [...text.matchAll(/<tr>(<td.*?)<\/tr>/g)].map(([, cells = '']) =>
    [...cells.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = '']) => cell.replaceAll(/<[^>]*>/g, '')),
  );
  expect(rows.slice(0, 3).map(([group, cost, share]) => [group, cost, share])).toEqual([
    ['web', '€19.00', '97.4%'],
    ['data', '€0.51', '2.6%'],
    ['ungrouped', '€0.00', '0%'],
  ]);
  expect(rows).toContainEqual(expect.arrayContaining(['All', '€19.51']));
  expect(text).not.toContain('>Change</th><th scope="col" class="number">Compute hours');
});

test('a period that goes on is compared with the use until the same time of the one before', async () => {
  const later = await openConsole({
    ...{ file: small.file, now: Date.parse('2026-11-06T00:00:10Z') },
    yaml: readFileSync(small.configFile, 'utf8'),
  });
  const { showback } = await later.json('/showback?period=billing');
  const use = showback.pages.map((page: Record<string, string>) => [
    ...[page.group, page.use_cost, page.use_cost_before, page.cost_before],
  ]);
  expect(use).toEqual([
    ['team/web', '0.00', '0.96', '19.00'],
    ['team/data', '0.00', '0.00', '0.51'],
    ['team/ungrouped', '0.00', '0.00', '0.00'],
  ]);
  const { text } = await later.get('/showback?period=billing');
  const [, head = ''] = /What each group comes to<\/caption>\s*<thead>(.*?)<\/thead>/.exec(text) ?? [];
  expect(head.replaceAll(/<[^>]*>/g, '|')).toContain('Use in the same time before||Change of use');
  expect(text).toContain('<td class="number no">€0.96</td><td class="number l2">−€0.96</td>');
  expect(text).toContain('compute until the same time €0.96');
  // A project's change has the minus sign of the group's.
  expect(text).toContain('>−100.0%</td>');
  const file = readCsv((await later.get('/reports/showback?period=billing&format=csv')).text);
  expect(
    file.rows.map(row => [row.group, row.use_cost, row.use_cost_before, row.use_change, row.cost_before]),
  ).toEqual([
    ['team/web', '0.00', '0.96', '-0.96', '19.00'],
    ['team/data', '0.00', '0.00', '0.00', '0.51'],
    ['team/ungrouped', '0.00', '0.00', '0.00', '0.00'],
  ]);
  later.close();
});

test('last month by team is a file with totals by team and the period in every row', async () => {
  const { text } = await shown.get('/reports/showback?period=last-month&format=csv');
  expect(text).toBe((await small.report('showback --period last-month --format csv')).stdout);
  const { rows } = readCsv(text);
  expect(rows.map(({ group, cost, period }) => [group, cost, period])).toEqual([
    ['team/web', '19.00', 'last-month'],
    ['team/data', '0.51', 'last-month'],
    ['team/ungrouped', '0.00', 'last-month'],
  ]);
});

test('a file to send is that of the command', async () => {
  const { text } = await shown.get('/reports/showback?period=2026-10&format=html');
  expect(text).toBe((await small.report('showback --period 2026-10 --format html')).stdout);
});

test('without groups the page says what to write', async () => {
  const prices =
    'pricing: {currency: EUR, plans: [{name: all, prices: [{from: 2026-01-01, per_compute_hour: 1}]}]}';
  const bare = await openConsole({ file: small.file, now, yaml: prices });
  expect(await bare.json('/showback')).toMatchObject({ has_prices: true, showback: null });
  expect((await bare.get('/showback')).text).toContain('The configuration has no groups.');
  bare.close();
});
