import * as v from 'valibot';
import { expect, test, vi } from 'vitest';
import { groupPath } from '../../../src/console/chosen-group.ts';
import { compareKeys, type SortKey, sortText } from '../../../src/console/keyset.ts';
import { describeFigures } from '../../../src/console/page/project-index/project-figure.ts';
import { type ProjectTable, writeProjects } from '../../../src/console/page/project-index/project-index.ts';
import { listProjects } from '../../../src/console/page/project-index/project-list.ts';
import { projectsPage } from '../../../src/console/page/project-index/projects.ts';
import {
  type ProjectAnswer,
  type ProjectSort,
  type ProjectsAnswer,
  type ProjectsQuery,
  projectSorts,
  projectStates,
  projectsQuery,
} from '../../../src/console/page/project-index/projects-answer.ts';
import { PageProblem } from '../../../src/console/page-problem.ts';
import { addDecimals } from '../../../src/cost/money/decimal-sum.ts';
import type { Grouping } from '../../../src/resources/grouping.ts';
import { hash } from '../../../src/simulator/model/random.ts';
import { instant } from '../../support/reading-builder.ts';

const names = ['Web', 'web shop', 'ÄÖ\n', 'ber', null, '', '\u{1f9ea} <b>', 'p'.repeat(10_000)];

/** A project by its number: values that are equal, missing, and alike but for large letters come up often. */
function makeRow(seed: number, number: number): ProjectAnswer {
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
    last_active: pick(16, [null, instant(5), instant(9)]),
    created_at: null,
    gone_at: pick(17, [null, null, instant(8)]),
  };
}

const groupings: readonly Grouping[] = ['team', 'place'].map(name => ({
  name,
  groups: ['a', 'b', 'c'].map(group => ({ name: group, match: {} })),
}));

/** As it comes from the thread that writes it. */
function writeTable(rows: readonly ProjectAnswer[], of = groupings): ProjectTable {
  return structuredClone(writeProjects(rows, of));
}

const everything: ProjectsQuery = { ...v.parse(projectsQuery, { limit: '500' }), gone: 'all' };
const filters: readonly Partial<ProjectsQuery>[] = [
  {},
  ...['we', 'P-1', 'ö', '\n', 'pp', '0p', 'x-3web', '\u{1f9ea}'].map(q => ({ q })),
  ...['main', 'other'].map(account => ({ account })),
  ...['team/a', 'place/a', 'place/b', 'a', 'A'].map(group => ({ group })),
  ...['eu', 'us'].map(region => ({ region })),
  ...(['active', 'none'] as const).map(state => ({ state })),
  ...(['with', 'without'] as const).map(finding => ({ finding })),
  ...(['without', 'only'] as const).map(gone => ({ gone })),
  { q: 'p', account: 'main', group: 'team/b', region: 'eu', gone: 'without' },
];

const paths = ['team/a', 'team/b', 'place/a', 'place/c'];

/** The value that a row is sorted by, as the columns of the page have it. */
function sortValue(row: ProjectAnswer, sort: ProjectSort): string | number | null {
  const numberOf = (decimal: string | null) => (decimal === null ? null : Number(decimal));
  const isShown = row.state !== 'gone' && row.state !== 'importing';
  const money = row.findings_cost_per_month ?? row.findings_most_cost_per_month;
  const hours = row.findings_compute_hours_per_month ?? row.findings_most_compute_hours_per_month;
  const values: Readonly<Record<ProjectSort, string | number | null>> = {
    cost: numberOf(row.cost),
    forecast: numberOf(row.cost_forecast),
    name: sortText(row.project_name || row.project_id),
    account: row.account,
    region: row.region_id && sortText(row.region_id),
    groups: sortText(Object.values(row.groups).join(' ')),
    state: row.state,
    endpoints: isShown ? row.endpoints_active + row.endpoints / 1e6 : null,
    hours: numberOf(row.compute_hours),
    starts: row.starts,
    failures: row.failures,
    findings: row.findings && (numberOf(money) ?? -1e9 + Number(hours ?? 0)),
    last_active: row.last_active,
  };
  return sort === 'findings' && row.findings === 0 ? -2e9 : values[sort];
}

function keyOf(row: ProjectAnswer, sort: ProjectSort): SortKey {
  return [sortValue(row, sort), row.account, sortText(row.project_id)];
}

function isMeant(row: ProjectAnswer, filter: ProjectsQuery): boolean {
  const texts = [row.project_id, row.project_name ?? ''].map(each => each.toLowerCase());
  return (
    (filter.gone === 'all' || (row.gone_at !== null) === (filter.gone === 'only')) &&
    (filter.account === '' || row.account === filter.account) &&
    (filter.region === '' || row.region_id === filter.region) &&
    (filter.state === 'all' || row.state === filter.state) &&
    (filter.finding === 'all' || (filter.finding === 'with') === (row.findings ?? 0) > 0) &&
    (filter.group === '' ||
      Object.entries(row.groups)
        .map(each => groupPath(...each))
        .some(path =>
          paths.includes(filter.group) ? path === filter.group : path.includes(filter.group.toLowerCase()),
        )) &&
    texts.some(text => text.includes(filter.q.toLowerCase()))
  );
}

test('a list finds, sorts and adds up what its rows say', () => {
  for (const seed of [1, 2, 3]) {
    const rows = Array.from({ length: 97 }, (_, number) => makeRow(seed, number));
    const table = writeTable(rows);
    for (const some of filters) {
      const filter = { ...everything, ...some };
      const wanted = rows.filter(row => isMeant(row, filter));
      const sum = (column: 'compute_hours' | 'cost' | 'cost_forecast') =>
        addDecimals(wanted.flatMap(row => row[column] ?? [])) ?? null;
      const total = {
        projects: wanted.length,
        ...{ compute_hours: sum('compute_hours'), cost: sum('cost'), cost_forecast: sum('cost_forecast') },
      };
      for (const sort of projectSorts) {
        for (const order of ['asc', 'desc'] as const) {
          const shown = listProjects(table, { ...filter, sort, order }, groupings);
          const sorted = wanted.toSorted((a, b) => compareKeys(keyOf(a, sort), keyOf(b, sort), order));
          expect(shown.projects, `${JSON.stringify(some)} by ${sort} ${order}`).toEqual(sorted);
          expect([shown.total, shown.next_cursor]).toEqual([total, null]);
        }
      }
    }
  }
});

test('pages one after the other are all rows once, in the same order, and the total is the same on each', () => {
  const rows = Array.from({ length: 61 }, (_, number) => {
    const row = makeRow(4, number);
    return { ...row, project_id: `${row.project_id}-${number}` };
  });
  const table = writeTable(rows);
  for (const sort of projectSorts) {
    for (const order of ['asc', 'desc'] as const) {
      const found: ProjectAnswer[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = listProjects(table, { ...everything, sort, order, cursor, limit: 7 }, groupings);
        expect(page.total.projects).toBe(61);
        expect(page.projects.length).toBe(page.next_cursor === null ? 61 % 7 : 7);
        found.push(...page.projects);
        cursor = page.next_cursor;
      }
      const sorted = rows.toSorted((a, b) => compareKeys(keyOf(a, sort), keyOf(b, sort), order));
      expect(found, `${sort} ${order}`).toEqual(sorted);
    }
  }
});

test('a row that comes or goes between two pages shifts none', () => {
  const rows = ['a', 'b', 'c', 'd', 'e'].map(id => ({ ...makeRow(1, 1), project_id: id, project_name: id }));
  const asked = { ...everything, sort: 'name', order: 'asc', limit: 3 } as const;
  const first = listProjects(writeTable(rows), asked, groupings);
  const changed = rows
    .filter(({ project_id }) => project_id !== 'a')
    .concat({ ...makeRow(1, 1), project_id: 'aa', project_name: 'aa' });
  const cursor = first.next_cursor ?? '';
  const second = listProjects(writeTable(changed), { ...asked, cursor }, groupings);
  expect(second.projects.map(({ project_id }) => project_id)).toEqual(['d', 'e']);
});

test('a cursor that no answer gave is refused, also where there are no rows', () => {
  for (const rows of [[], [makeRow(1, 1)]])
    expect(() => listProjects(writeTable(rows), { ...everything, cursor: 'zzz' }, groupings)).toThrow(
      PageProblem,
    );
});

test('of groups by owner a reader who may not see them has none, and does not find or sort by them', () => {
  const owners: Grouping = { name: 'owner', groups: [], by: 'owner' };
  const [team] = groupings;
  if (team === undefined) throw new Error('there is no grouping');
  const owned = (project_id: string, owner: string, group: string): ProjectAnswer => ({
    ...makeRow(1, 1),
    ...{ project_id, groups: { owner, team: group } },
  });
  const table = writeTable([owned('p1', 'x', 'b'), owned('p2', 'y', 'a')], [owners, team]);
  const list = (shown: readonly Grouping[], query: Partial<ProjectsQuery>) => {
    const { projects } = listProjects(
      table,
      { ...everything, sort: 'groups', order: 'asc', ...query },
      shown,
    );
    return projects.map(({ project_id, groups }) => [project_id, groups]);
  };
  expect(list([owners, team], {})).toEqual([
    ['p1', { owner: 'x', team: 'b' }],
    ['p2', { owner: 'y', team: 'a' }],
  ]);
  expect(list([owners, team], { group: 'owner/y' })).toEqual([['p2', { owner: 'y', team: 'a' }]]);
  expect(list([team], {})).toEqual([
    ['p2', { team: 'a' }],
    ['p1', { team: 'b' }],
  ]);
  expect(() => list([team], { group: 'x' })).toThrow(PageProblem);
});

/** The ids of projects as a column sorts them, the largest first. */
function sortIds(
  sort: ProjectSort,
  rows: Readonly<Record<string, Partial<ProjectAnswer>>>,
): readonly string[] {
  const table = writeTable(
    Object.entries(rows).map(([project_id, fields]) => ({ ...makeRow(1, 1), ...fields, project_id })),
  );
  const found = listProjects(table, { ...everything, sort, order: 'desc' }, groupings);
  return found.projects.map(({ project_id }) => project_id);
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

test('a page of a large fleet reads the rows it shows, and no other', async () => {
  const table = writeTable(Array.from({ length: 5000 }, (_, number) => makeRow(1, number)));
  const looks: string[] = [];
  const index = { table, said: describeFigures(), accounts: [], pending: [], failed: [] };
  const sources = {
    config: { groupings },
    history: { look: () => void looks.push('troubled') },
    reports: { projects: async () => index },
  } as unknown as Parameters<typeof projectsPage.read>[0];
  const query = { ...everything, limit: 50 };
  const context = { live: {} } as Parameters<typeof projectsPage.read>[2];
  // Each row that is read has its groups as JSON.
  const parse = vi.spyOn(JSON, 'parse');
  const read = async (cursor: string) =>
    (await projectsPage.read(sources, { ...query, cursor }, context)) as ProjectsAnswer;
  const first = await read('');
  expect([first.projects.length, parse.mock.calls.length]).toEqual([50, 50]);
  parse.mockClear();
  const second = await read(first.next_cursor ?? '');
  expect([second.projects.length, parse.mock.calls.length]).toEqual([50, 51]);
  parse.mockRestore();
  // One a page, for what is stuck or fails now.
  expect(looks).toHaveLength(2);
});
