import { describe, expect, test } from 'vitest';
import { boards } from '../../../dashboards/boards/board-list.ts';
import type { Fault } from '../../../dashboards/boards/fault.ts';
import { parseDuration } from '../../../src/config/duration.ts';
import { settings } from '../../../src/config/setting.ts';
import { selfFamilies } from '../../../src/metrics/self/self-family.ts';
import { catalog } from '../../../src/resources/catalog.ts';
import { findingKinds } from '../../../src/resources/finding.ts';
import { readQuery } from '../query-reader.ts';
import { type CommittedPanel, committedBoards, dataPanels } from './committed-board.ts';

/** Pixels beside the panels of a page, between two of them, and within one beside its table. */
const [margins, gap, padding] = [32, 8, 16];
/** The least that Grafana gives a column that has neither a width nor a least one. */
const usualLeast = 150;
/** An id of the service may have 29 characters, which are 235 pixels wide, and a cell has 13 beside its text. */
const idWidths: Readonly<Record<string, number>> = { endpoint_id: 248, project_id: 222 };

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

/**
 * Widths of the columns as Grafana lays them out: a column with a width has it, and the others share what these leave, of
 * which each gets its least. Hidden ones count, as not every version of Grafana knows that they are.
 */
function layOut(panel: CommittedPanel, inside: number): ReadonlyMap<string, number> {
  const columns = columnsOf(panel).map(([, title]) => {
    const own = propertiesOf(panel, title);
    return { title, width: own['custom.width'], least: Number(own['custom.minWidth'] ?? usualLeast) };
  });
  const fixed = columns.reduce((sum, { width }) => sum + Number(width ?? 0), 0);
  const open = columns.filter(({ width }) => width === undefined).length;
  const share = (inside - fixed) / open;
  return new Map(columns.map(({ title, width, least }) => [title, Number(width ?? Math.max(least, share))]));
}

describe.each([1600, 1920])('on a page %i pixels wide', pageWidth => {
  test.each(tables)('$name fits beside the others, and shows its ids whole', panel => {
    const inside = ((pageWidth - margins) / 24) * panel.gridPos.w - gap - padding;
    const widths = layOut(panel, inside);
    expect(widths.values().reduce((sum, width) => sum + width, 0)).toBeLessThanOrEqual(inside);
    for (const [field, title] of columnsOf(panel)) {
      const isShown = propertiesOf(panel, title)['custom.hidden'] !== true;
      if (isShown) expect({ title, width: widths.get(title) }).toSatisfy(wide(idWidths[field]));
    }
  });
});

function wide(least = 0) {
  return ({ width = 0 }: { readonly width: number | undefined }) => width >= least;
}

test('a column that is hidden is so in the words of each version of Grafana, and kept for a link alone', () => {
  const hidden = tables.flatMap(panel =>
    columnsOf(panel).flatMap(([field, title]) => {
      const own = propertiesOf(panel, title);
      return own['custom.hidden'] ? [{ field, isHiddenAnew: own['custom.hideFrom.viz'] }] : [];
    }),
  );
  expect(hidden.length).toBeGreaterThan(5);
  expect(new Set(hidden.map(column => JSON.stringify(column)))).toEqual(
    new Set(['account', 'project_id'].map(field => JSON.stringify({ field, isHiddenAnew: true }))),
  );
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

test('amounts of money have separators, the decimals of their currency, and the currency beside them', () => {
  const amounts = panels.flatMap(panel =>
    unitsOf(panel).flatMap(each => (money.test(each.expr) ? [{ name: panel.name, ...each }] : [])),
  );
  expect(amounts.length).toBeGreaterThan(20);
  expect(amounts.filter(({ unit }) => unit !== 'locale')).toEqual([]);
  expect(amounts.filter(({ expr }) => !/^round\(.*, \$cent\)$/.test(expr))).toEqual([]);
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

test('rows are closed that have nothing to show where all is well, or where the service does not tell it', () => {
  const closed = committedBoards.flatMap(({ board }) =>
    board.panels.flatMap(({ collapsed, title }) => (collapsed ? [`${board.uid}: ${title}`] : [])),
  );
  expect(closed).toEqual([
    'dbpm-api-keys: What changed',
    'dbpm-endpoints: Changing state, or disabled',
    'dbpm-exporter: What fails',
    'dbpm-fleet: What changed',
    'dbpm-operations: Failed and stuck',
    'dbpm-project: Operations that failed, or did not end',
    'dbpm-project: Settings and limits',
    'dbpm-project: What does the service meter, and what does that cost?',
    'dbpm-usage-cost: What was saved, and branches without use',
    'dbpm-usage-cost: What does the service meter, and what does that cost?',
    'dbpm-usage-cost: What is unusual?',
    'dbpm-usage-cost: Do the ledgers agree?',
  ]);
});

test('a panel that is empty on a healthy fleet takes no room of its own: it is a small number, or in a closed row', () => {
  /** What happens within a day wherever something runs. */
  const usual: readonly (Fault | undefined)[] = [
    undefined,
    'operation ended',
    'endpoint woken',
    'endpoint never suspends',
  ];
  const open = boards.flatMap(({ uid, sections }) =>
    sections
      .filter(({ isFolded }) => !isFolded)
      .flatMap(({ panels: own }) => own.map(each => ({ uid, ...each }))),
  );
  const empty = open.filter(({ filledBy }) => !usual.includes(filledBy));
  expect(empty.map(({ uid, panel }) => `${uid}: ${panel.title}`)).toEqual([
    'dbpm-project: Oldest unfinished operation',
    'dbpm-operations: Oldest in progress',
  ]);
  expect(empty.every(({ panel }) => panel.type === 'stat' && (panel.gridPos?.h ?? 0) <= 4)).toBe(true);
});

test('the health of the exporter is fifteen panels', () => {
  const health = committedBoards.find(({ board }) => board.uid === 'dbpm-exporter')?.board.panels ?? [];
  expect(health.filter(({ type }) => type !== 'row' && type !== 'text').map(({ title }) => title)).toEqual([
    'Age of the data',
    'Accounts readable',
    'API keys accepted',
    'Readings not written',
    'Configuration in force',
    'History on disk',
    'Exporters',
    'Age of the data, by collector',
    'Collectors',
    'Requests a minute, by outcome',
    'Requests a minute: needed, allowed, made',
    'Longest overdue',
    'Latency of the service',
    'Memory of the exporter',
    'Delay of the event loop',
  ]);
});

test('twenty budgets are a row each, coloured by how bad it is', () => {
  const drawn = panels.filter(({ title = '' }) => /^(?:How fast|Part of) the budgets/.test(title));
  expect(drawn.map(({ type, gridPos }) => ({ type, height: gridPos.h }))).toEqual([
    { type: 'state-timeline', height: 14 },
    { type: 'state-timeline', height: 14 },
  ]);
  for (const { targets = [], fieldConfig } of drawn) {
    expect(targets.map(({ legendFormat }) => legendFormat)).toEqual(['{{budget}}']);
    expect(fieldConfig?.defaults.thresholds?.steps.map(({ color }) => color)).toEqual([
      'green',
      'orange',
      'red',
    ]);
  }
});

test('words of the service and of metrics are those of people', () => {
  const words = ['action', 'quota', 'unit'];
  const raw = tables.flatMap(panel =>
    columnsOf(panel).flatMap(([field, title]) =>
      words.includes(field) && !propertiesOf(panel, title).mappings ? [panel.name] : [],
    ),
  );
  expect(raw).toEqual([]);
  const ofWords = panels.filter(({ type, targets = [] }) => {
    const labels = targets.flatMap(({ legendFormat = '' }) => legendFormat.match(/\{\{\w+\}\}/g) ?? []);
    return (
      type !== 'table' &&
      labels.length > 0 &&
      labels.every(label => /action|kind|line|outcome|reason/.test(label))
    );
  });
  expect(ofWords.length).toBeGreaterThan(8);
  const rename = { id: 'renameByRegex', options: { regex: '/_/g', renamePattern: ' ' } };
  for (const { name, transformations } of ofWords)
    expect({ name, transformations }).toEqual({ name, transformations: [rename] });
});

test('an auto-suspend delay of the plan, or none, is a word wherever it is shown, and passwordless access is no warning', () => {
  const delays = panels.filter(({ targets = [] }) =>
    targets.some(({ expr }) => expr.includes('suspend_timeout')),
  );
  expect(delays.map(({ title }) => title)).toEqual(['Auto-suspend', 'Endpoints by default']);
  for (const [panel, column] of [
    [delays[0], 'Suspends after'],
    [delays[1], 'Suspended after'],
  ] as const) {
    const words = readWords(panel, column);
    expect([words['-1']?.text, words['0']?.text]).toEqual(['never', 'default of the plan']);
  }
  const endpoints = panels.find(({ name }) => name === 'dbpm-project: Endpoints');
  expect(readWords(endpoints, 'Passwordless')[1]).toMatchObject({ text: 'yes', color: 'text' });
});

test('the projects by use are of one range', () => {
  const [own] = panels.filter(({ title }) => title === 'Projects by use');
  const selectors = (own?.targets ?? []).flatMap(({ expr }) => readQuery(expr).selectors);
  expect(selectors.filter(({ range }) => range !== undefined)).toEqual([]);
});

test('what an export tells is drawn at any distance of its samples: nothing looks back less than an hour', () => {
  const told = new Set(catalog.flatMap(({ families }) => Object.values(families).map(({ name }) => name)));
  const live = Object.values(selfFamilies).map(({ name }): string => name);
  const ranges = panels.flatMap(({ name, targets = [] }) =>
    targets.flatMap(({ expr }) =>
      readQuery(expr).selectors.flatMap(({ name: metric, range = '1h' }) =>
        told.has(metric.replace(/_bucket$/, '')) &&
        !live.includes(metric) &&
        !['1h', '1d', '$__range'].includes(range)
          ? [{ name, metric, range }]
          : [],
      ),
    ),
  );
  expect(ranges.filter(({ name }) => !name.startsWith('dbpm-exporter:'))).toEqual([]);
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
): Readonly<Record<string, { text: string; color?: string }>> {
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
