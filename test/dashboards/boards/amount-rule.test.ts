import { describe, expect, test } from 'vitest';
import { parseDuration } from '../../../src/config/duration.ts';
import { settings } from '../../../src/config/setting.ts';
import { findingKinds } from '../../../src/resources/finding.ts';
import { readQuery } from '../query-reader.ts';
import { type CommittedPanel, committedBoards, dataPanels } from './committed-board.ts';

/** Pixels beside the panels of a page 1600 wide, between two of them, and within one beside its table. */
const [pageWidth, margins, gap, padding] = [1600, 32, 8, 16];
/** What Grafana gives a column that has neither a width nor a least one. */
const usualWidth = 150;

const panels = committedBoards.flatMap(({ board }) =>
  dataPanels(board).map(panel => ({ ...panel, name: `${board.uid}: ${panel.title}` })),
);
const tables = panels.filter(({ type }) => type === 'table');
const money = /_cost(?:_per_month)?\{|_cost_total\{|dbpm_budget_(?:limit|spent)\{/;
const compute = /compute_seconds(?:_per_month|_total)?\{|cpu_used(?:_reported)?_seconds(?:_total)?\{/;

/** Properties of a column of a table. */
function propertiesOf({ fieldConfig }: CommittedPanel, column: string): Readonly<Record<string, unknown>> {
  const own = fieldConfig?.overrides.find(({ matcher }) => matcher.options === column)?.properties ?? [];
  return Object.fromEntries(own.map(({ id, value }) => [id, value]));
}

function columnsOf({
  transformations = [],
}: CommittedPanel): readonly (readonly [field: string, title: string])[] {
  return Object.entries(transformations.find(({ id }) => id === 'organize')?.options.renameByName ?? {});
}

test.each(tables)('$name fits beside the others on a page 1600 pixels wide', panel => {
  const widths = columnsOf(panel).flatMap(([, title]) => {
    const own = propertiesOf(panel, title);
    return own['custom.hidden'] ? [] : [Number(own['custom.width'] ?? own['custom.minWidth'] ?? usualWidth)];
  });
  const inside = ((pageWidth - margins) / 24) * panel.gridPos.w - gap - padding;
  expect(widths.reduce((sum, width) => sum + width, 0)).toBeLessThanOrEqual(inside);
});

/** Units with their decimals, of each query: a table has them by column. */
function unitsOf(panel: CommittedPanel) {
  const { targets = [], fieldConfig } = panel;
  return targets.map(({ expr, refId }) => {
    const field = targets.length === 1 ? 'Value' : `Value #${refId}`;
    const title = columnsOf(panel).find(([name]) => name === field)?.[1];
    const own = title === undefined ? {} : propertiesOf(panel, title);
    const { unit, decimals } = { ...fieldConfig?.defaults, ...own };
    return { expr, unit, decimals };
  });
}

test('amounts of money have separators, cents, and the currency beside them', () => {
  const amounts = panels.flatMap(panel =>
    unitsOf(panel).flatMap(each => (money.test(each.expr) ? [{ name: panel.name, ...each }] : [])),
  );
  expect(amounts.length).toBeGreaterThan(20);
  expect(amounts.filter(({ unit, decimals }) => unit !== 'locale' || decimals !== 2)).toEqual([]);
  const summed = amounts.filter(({ expr }) => !readQuery(expr).groupedLabels.some(isCurrency));
  expect(summed).toEqual([]);
});

function isCurrency(label: string): boolean {
  return label === 'currency' || label === 'unit';
}

test('compute is shown in hours, with separators', () => {
  const amounts = panels.flatMap(panel =>
    unitsOf(panel).flatMap(each =>
      compute.test(each.expr) && !money.test(each.expr) ? [{ name: panel.name, ...each }] : [],
    ),
  );
  expect(amounts.length).toBeGreaterThan(15);
  expect(amounts.filter(({ expr, unit }) => !expr.includes('/ 3600') || unit !== 'locale')).toEqual([]);
});

test('what is counted by the hour or the day is counted over an hour or a day at least', () => {
  const queries = panels.flatMap(({ name, description = '', targets = [] }) =>
    targets.map(({ expr }) => ({ name, description, expr })),
  );
  expect(queries.filter(({ expr }) => /(?:3600|86400|24) \* [^/]*\$__rate_interval/.test(expr))).toEqual([]);
  const hourly = queries.filter(({ name }) => /an hour|a day|Starts and suspends/.test(name));
  expect(hourly.length).toBeGreaterThan(6);
  const ranges = hourly.flatMap(({ expr }) => readQuery(expr).selectors.flatMap(({ range }) => range ?? []));
  expect(ranges.filter(range => range !== '1h' && range !== '1d')).toEqual([]);
});

test('lines over time of the first few are the first few of the whole range', () => {
  const ranked = panels.flatMap(({ name, type, targets = [] }) =>
    targets.flatMap(({ expr }) =>
      type === 'timeseries' && /topk|bottomk/.test(expr) ? [{ name, expr }] : [],
    ),
  );
  expect(ranked.map(({ name }) => name)).toEqual([
    'dbpm-endpoints: Ten endpoints that wake most often',
    'dbpm-fleet: Ten busiest projects',
  ]);
  for (const { expr } of ranked) expect(expr).toMatch(/ topk\(10, .*\[\$__range\] @ end\(\)\)\) > 0\)$/);
});

describe('the age of the data', () => {
  const minutesOf = (key: keyof typeof settings) =>
    (parseDuration(settings[key].default ?? '') ?? 0) / 60_000;
  const ages = panels.filter(({ title }) => title === 'Age of the data');

  test.each(ages)(
    '$name is green while everything is read as often as it should be',
    ({ name, fieldConfig }) => {
      const [base, orange] = fieldConfig?.defaults.thresholds?.steps ?? [];
      const usual =
        name === 'dbpm-api-keys: Age of the data'
          ? minutesOf('collect.api_keys_refresh')
          : Math.max(minutesOf('collect.idle_refresh'), minutesOf('collect.api_keys_refresh'));
      expect(base?.color).toBe('green');
      expect((orange?.value ?? 0) / 60).toBeGreaterThanOrEqual(2 * usual);
    },
  );
});

test('the board of the exporter is closed below what tells whether it is well, that of costs where not every service has data', () => {
  const rows = committedBoards.flatMap(({ board }) =>
    board.panels.flatMap(({ type, title, collapsed }) =>
      type === 'row' ? [{ uid: board.uid, title, collapsed }] : [],
    ),
  );
  expect(rows.filter(({ collapsed }) => collapsed).map(({ uid, title }) => [uid, title])).toEqual([
    ['dbpm-exporter', 'Requests to the service'],
    ['dbpm-exporter', 'Pressure on the request budget'],
    ['dbpm-exporter', 'History and process'],
    ['dbpm-usage-cost', 'What does the service meter?'],
  ]);
});

test('findings are shown in words with what to do, and a budget that is used up says so', () => {
  const [findings, ...others] = tables.filter(({ title }) => title === 'Findings');
  expect(others).toHaveLength(2);
  const words = readWords(findings, 'What to change');
  expect(Object.keys(words)).toEqual([...findingKinds]);
  for (const { text } of Object.values(words)) expect(text).toMatch(/^[A-Z][^:]+: [a-z].+/);
  const budgets = tables.find(({ title }) => title === 'Budgets');
  expect(readWords(budgets, 'Lasts')).toMatchObject({ 0: { text: 'used up' } });
});

function readWords(
  panel: CommittedPanel | undefined,
  column: string,
): Readonly<Record<string, { text: string }>> {
  const [mapping] = (panel && (propertiesOf(panel, column).mappings as readonly { options: never }[])) ?? [];
  return mapping?.options ?? {};
}

test('the fleet, a project and the costs show money first, and the forecast as a band with the budgets', () => {
  const first = (uid: string) => panels.find(({ name }) => name.startsWith(`${uid}:`));
  expect(['dbpm-fleet', 'dbpm-project', 'dbpm-usage-cost'].map(uid => first(uid)?.title)).toEqual([
    'Cost so far',
    'This billing period',
    'Cost so far',
  ]);
  const forecasts = panels.filter(({ title }) => title === 'Cost of the period, and where it will end');
  expect(forecasts.map(({ name }) => name.split(':')[0])).toEqual(['dbpm-fleet', 'dbpm-usage-cost']);
  for (const { targets = [], fieldConfig } of forecasts) {
    const names = targets.map(({ legendFormat = '' }) => legendFormat);
    const band = fieldConfig?.overrides.flatMap(({ matcher, properties }) =>
      properties.flatMap(({ id, value }) => (id === 'custom.fillBelowTo' ? [[matcher.options, value]] : [])),
    );
    expect(band).toEqual([['/^at most, in 4 of 5$/', 'at least, in 4 of 5']]);
    expect(names).toEqual([
      'so far, {{currency}}',
      'expected',
      'at most, in 4 of 5',
      'at least, in 4 of 5',
      'budget {{budget}}',
    ]);
  }
});
