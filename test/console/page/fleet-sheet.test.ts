import { expect, test, vi } from 'vitest';
import { groupPath } from '../../../src/console/chosen-group.ts';
import { compareKeys } from '../../../src/console/keyset.ts';
import { fleetPage } from '../../../src/console/page/fleet/fleet.ts';
import { type FleetSort, fleetSorts, keyOf } from '../../../src/console/page/fleet/fleet-order.ts';
import { type FleetRow, projectStates } from '../../../src/console/page/fleet/fleet-row.ts';
import { describeFigures } from '../../../src/console/page/fleet/sheet/fleet-figure.ts';
import { type FleetFilter, OpenSheet } from '../../../src/console/page/fleet/sheet/open-sheet.ts';
import { writeSheet } from '../../../src/console/page/fleet/sheet/sheet-writer.ts';
import { addDecimals } from '../../../src/cost/money/decimal-sum.ts';
import { hash } from '../../../src/simulator/model/random.ts';

const names = ['Web', 'web shop', 'ÄÖ\n', 'ber', null, '', '\u{1f9ea} <b>', 'p'.repeat(10_000)];

/** A project by its number: values that are equal, missing, and alike but for large letters come up often. */
function makeRow(seed: number, number: number): FleetRow {
  const pick = <Value>(what: number, values: readonly Value[]) =>
    values[hash(seed * 1000 + what, number) % values.length] as Value;
  const decimal = (what: number) => pick(what, [null, '0.00', '1.05', '-0.40', '12.00', '901.99']);
  return {
    account: pick(1, ['main', 'other', '']),
    project_id: `${pick(2, ['p', 'P', 'x'])}-${number >> 1}`,
    project_name: pick(3, names),
    region_id: pick(4, ['eu', 'us', null]),
    groups: { team: pick(5, ['a', 'b']), place: pick(6, ['a', 'c']) },
    state: pick(7, projectStates),
    ...{ endpoints: pick(8, [0, 1, 5]), endpoints_active: 0 },
    ...{ compute_hours: decimal(9), cost: decimal(10), cost_missing: null, cost_forecast: decimal(18) },
    ...{ starts: pick(11, [null, 0, 7]), failures: pick(12, [null, 0, 2]) },
    findings: pick(13, [null, 0, 1]),
    findings_compute_hours_per_month: decimal(14),
    findings_cost_per_month: decimal(15),
    findings_most_compute_hours_per_month: decimal(19),
    findings_most_cost_per_month: decimal(20),
    lastActiveAt: pick(16, [null, 5, 9]),
    createdAt: null,
    goneAt: pick(17, [null, null, 8]),
  };
}

function makeSheet(rows: readonly FleetRow[]): OpenSheet {
  const groupings = ['team', 'place'].map(name => ({ name, groups: [] }));
  const sheet = writeSheet({ said: describeFigures(), pending: [], groupings, rows });
  // As it comes from the thread that writes it.
  return new OpenSheet(structuredClone(sheet));
}

const everything: FleetFilter = {
  ...{ q: '', account: '', group: '', region: '', state: 'all', finding: 'all', gone: 'all' },
};
const filters: readonly Partial<FleetFilter>[] = [
  {},
  ...['we', 'P-1', 'ö', '\n', 'pp', '0p', 'x-3web', '\u{1f9ea}'].map(q => ({ q })),
  ...['main', 'none'].map(account => ({ account })),
  ...['team/a', 'place/a', 'place/b', 'a'].map(group => ({ group })),
  ...['eu', 'us'].map(region => ({ region })),
  ...(['active', 'none'] as const).map(state => ({ state })),
  ...(['with', 'without'] as const).map(finding => ({ finding })),
  ...(['without', 'only'] as const).map(gone => ({ gone })),
  { q: 'p', account: 'main', group: 'team/b', region: 'eu', gone: 'without' },
];

const paths = ['team/a', 'team/b', 'place/a', 'place/c'];

function isMeant(row: FleetRow, filter: FleetFilter): boolean {
  const texts = [row.project_id, row.project_name ?? ''].map(each => each.toLowerCase());
  return (
    (filter.gone === 'all' || (row.goneAt !== null) === (filter.gone === 'only')) &&
    (filter.account === '' || row.account === filter.account) &&
    (filter.region === '' || row.region_id === filter.region) &&
    (filter.state === 'all' || row.state === filter.state) &&
    (filter.finding === 'all' || (filter.finding === 'with') === (row.findings ?? 0) > 0) &&
    (filter.group === '' ||
      Object.entries(row.groups)
        .map(each => groupPath(...each))
        .some(path =>
          paths.includes(filter.group) ? path === filter.group : path.includes(filter.group),
        )) &&
    texts.some(text => text.includes(filter.q.toLowerCase()))
  );
}

test('a sheet finds, sorts and adds up what its rows say', () => {
  for (const seed of [1, 2, 3]) {
    const rows = Array.from({ length: 97 }, (_, number) => makeRow(seed, number));
    const sheet = makeSheet(rows);
    for (const some of filters) {
      const filter = { ...everything, ...some };
      const found = sheet.find(filter);
      const wanted = rows.filter(row => isMeant(row, filter));
      for (const column of ['cost', 'compute_hours'] as const)
        expect(sheet.sum(found, column)).toBe(addDecimals(wanted.flatMap(row => row[column] ?? [])) ?? null);
      for (const sort of fleetSorts) {
        for (const order of ['asc', 'desc'] as const) {
          const shown = Array.from(sheet.sort(found, sort, order), number => sheet.row(number));
          const sorted = wanted.toSorted((a, b) => compareKeys(keyOf(a, sort), keyOf(b, sort), order));
          expect(shown, `${JSON.stringify(some)} by ${sort} ${order}`).toEqual(sorted);
        }
      }
    }
  }
});

/** The ids of projects as a column sorts them, the largest first. */
function sortIds(sort: FleetSort, rows: Readonly<Record<string, Partial<FleetRow>>>): readonly string[] {
  const sheet = makeSheet(
    Object.entries(rows).map(([project_id, fields]) => ({ ...makeRow(1, 1), ...fields, project_id })),
  );
  return Array.from(sheet.sort(sheet.find(everything), sort, 'desc'), number => sheet.row(number).project_id);
}

test('active endpoints are sorted by how many are active, then by how many there are', () => {
  const of = (endpoints_active: number, endpoints: number) =>
    ({ state: endpoints_active > 0 ? 'active' : 'idle', endpoints_active, endpoints }) as const;
  const rows = {
    ...{
      none: of(0, 90),
      two: of(2, 3),
      twoOfMore: of(2, 9),
      gone: { ...of(0, 99), state: 'gone' as const },
    },
  };
  expect(sortIds('endpoints', rows)).toEqual(['twoOfMore', 'two', 'none', 'gone']);
});

test('findings with a price are sorted by money, and those without one come below by hours', () => {
  const of = (findings: number, cost: string | null, hours: string | null) => ({
    findings,
    findings_cost_per_month: cost,
    findings_compute_hours_per_month: hours,
    ...{ findings_most_cost_per_month: null, findings_most_compute_hours_per_month: null },
  });
  const rows = {
    hours: of(1, null, '300.00'),
    fewHours: of(1, null, '2.00'),
    little: of(1, '0.20', '1.25'),
    much: of(3, '48.00', '300.00'),
    unknown: of(1, null, null),
    nothing: of(0, null, null),
    // Nothing shows what it likely saves.
    mostly: { ...of(1, null, null), findings_most_cost_per_month: '12.00' },
  };
  expect(sortIds('findings', rows)).toEqual([
    ...['much', 'mostly', 'little', 'hours', 'fewHours', 'unknown', 'nothing'],
  ]);
});

test('a page of a large fleet reads the rows it shows, and hardly any other', async () => {
  const sheet = makeSheet(Array.from({ length: 5000 }, (_, number) => makeRow(1, number)));
  const row = vi.spyOn(sheet, 'row');
  const looks: number[] = [];
  const sources = {
    config: { groupings: [] },
    history: { look: () => looks.push(1) },
    fleet: { read: async () => sheet, failing: [] },
  } as unknown as Parameters<typeof fleetPage.read>[0];
  const query = { ...everything, sort: 'cost', order: 'desc', limit: 50, cursor: '' };
  const context = { live: {} } as Parameters<typeof fleetPage.read>[2];
  const first = (await fleetPage.read(sources, query, context)) as {
    next_cursor: string;
    projects: unknown[];
  };
  expect(first.projects).toHaveLength(50);
  expect(row.mock.calls.length).toBeLessThanOrEqual(52);
  row.mockClear();
  await fleetPage.read(sources, { ...query, cursor: first.next_cursor }, context);
  expect(row.mock.calls.length).toBeLessThanOrEqual(50 + 2 + Math.ceil(Math.log2(5000)));
  expect(looks).toEqual([]);
});
