import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { renderReport } from '../../../src/report/format/rendering.ts';
import { LivedHistory } from '../../support/lived-history.ts';
import { openConsole } from '../../support/open-console.ts';

const yaml = `
groups: {team: {web: {projects: ["*a*"]}, data: {projects: ["*"]}}}
pricing: {currency: USD, plans: [{name: all, prices: [{from: 2026-01-01, per_compute_hour: 0.16}]}]}
budgets: [{name: all, account: main, amount: 100, per: billing}]
`;

let lived: LivedHistory;
let shown: Awaited<ReturnType<typeof openConsole>>;
beforeAll(async () => {
  lived = new LivedHistory({ now: Date.UTC(2026, 10, 4) / 1000, seed: 3, projects: 6, historyDays: 70 });
  lived.watch(6 * 3600, { listEverySeconds: 900, projectsEvery: 2 });
  shown = await openConsole({ file: lived.folder.file, now: lived.now, yaml });
}, 120_000);
afterAll(() => {
  shown?.close();
  lived?.[Symbol.dispose]();
});

type Cells = readonly { readonly cells: readonly string[] }[];

test.each(['usage', 'cost', 'months', 'budgets', 'forecast', 'findings', 'showback', 'why'] as const)(
  'the table of report %s has the words and figures of the command',
  async kind => {
    const { columns, rows, totals } = await shown.json(`/report/${kind}`);
    const report = await shown.report(kind, {});
    // The command writes the pages of a showback as they are sent.
    const { pages: _, ...asTable } = report;
    const lines = renderReport(asTable, 'markdown')
      .split('\n')
      .filter(line => line.startsWith('|'));
    const plain = (cells: readonly string[]) => cells.map(cell => cell.replaceAll(/[\\*|]/g, '')).join(' ');
    const written = lines.map(line => plain(line.slice(2, -2).split(' | ')).replaceAll(/\\/g, ''));
    expect(written[0]).toBe(plain(columns.map(({ title }: { title: string }) => title)).replaceAll('_', '_'));
    expect(written.slice(2)).toEqual([
      ...(rows as Cells).map(({ cells }) => plain(cells)),
      ...(totals === null ? [] : [plain(totals)]),
    ]);
    expect(rows.length).toBeGreaterThan(0);
  },
);

test('the first and the last day of a budget are each on one line', async () => {
  const { text } = await shown.get('/report/budgets');
  for (const day of ['2026-11-01', '2026-11-30'])
    expect(text).toContain(`<span class="nw">${day}</span></td>`);
});

test('a report of this month says so where the page of cost opens on another period', async () => {
  const sentence =
    /This page opens on this month, as the command <code>report usage<\/code> does; <a href="\/cost">Cost<\/a> opens on the billing period\./;
  expect((await shown.get('/report/usage')).text).not.toMatch(sentence);
  const own = yaml.replace('{currency', '{billing_period: {anchor_day: 2}, currency');
  const anchored = await openConsole({ file: lived.folder.file, now: lived.now, yaml: own });
  onTestFinished(() => anchored.close());
  const addresses = ['/report/usage', '/report/usage?period=billing', '/report/keys'];
  const [usual, chosen, keys] = await Promise.all(addresses.map(each => anchored.get(each)));
  expect(usual?.text).toMatch(sentence);
  expect(chosen?.text).not.toContain('This page opens on this month');
  expect(keys?.text).not.toContain('This page opens on this month');
});

test('rows are sorted by their values, whatever these are written like, and what has none is last', async () => {
  const sorted = async (order: string) => {
    const { columns, rows } = await shown.json(`/report/usage?sort=compute_hours&order=${order}`);
    const place = columns.findIndex(({ key }: { key: string }) => key === 'compute_hours');
    return (rows as Cells).map(({ cells }) => Number(cells[place]?.replaceAll(',', '')));
  };
  const up = await sorted('asc');
  expect(up.length).toBeGreaterThan(2);
  expect(up).toEqual(up.toSorted((a, b) => a - b));
  expect(await sorted('desc')).toEqual(up.toReversed());
});

test('a project is a link, files are of what is asked for, and another parameter is refused', async () => {
  const { rows } = await shown.json('/report/cost?period=2026-10');
  const { text } = await shown.get('/report/cost?period=2026-10&step=month');
  expect(text).toContain(`<a href="/projects/main/${rows[0].project_id}">`);
  expect(text).toContain('href="/reports/cost?period=2026-10&amp;step=month&amp;format=csv" download');
  expect(text).toContain('<option value="month" selected>month</option>');
  expect((await shown.get('/report/budgets?by=project')).status).toBe(400);
  expect((await shown.get('/report/bills')).status).toBe(404);
});

test('a choice that is not made says what the report has then', async () => {
  const usual = async (report: string) => {
    const { text } = await shown.get(`/report/${report}`);
    const [asked] = text.split('class="ph sorts"');
    return [...(asked?.matchAll(/<option value selected>([^<]*)</g) ?? [])].map(([, words]) => words);
  };
  expect(await usual('cost')).toEqual(['project, as usual', 'the whole period, as usual']);
  expect(await usual('forecast')).toEqual(['account, as usual']);
  expect(await usual('findings')).toEqual(['finding, as usual']);
  expect(await usual('months')).toEqual(['group, or else account, as usual']);
});

test('a name that is also the word of a flag is a name', async () => {
  const { status, text } = await shown.get('/reports/usage?account=yes&format=csv');
  expect(status).toBe(400);
  expect(text).toContain('account &quot;yes&quot;');
});

test('a file without a format is answered with the formats there are, and an address that works', async () => {
  const { status, text } = await shown.get('/api/v1/reports/cost', { mayFail: true });
  expect(status).toBe(400);
  expect(JSON.parse(text)).toMatchObject({
    detail: 'In it "format" is missing.',
    possible: ['format: one of csv, json, focus, such as /reports/cost?format=csv'],
  });
});
