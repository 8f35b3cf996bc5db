import { writeDecimal } from '../../../cost/money/decimal-sum.ts';
import { openScratch } from '../../../history/file/scratch.ts';
import { type Grouping, ungrouped } from '../../../resources/grouping.ts';
import { groupPath, matchGroup, offerGroups, refuseUnknownGroup } from '../../chosen-group.ts';
import { firstRows, readCursor, type SortKey } from '../../keyset.ts';
import { mostChoices, refuseOther } from '../../offered-choice.ts';
import { type ProjectTable, type SummedField, summedFields, unitsOf } from './project-index.ts';
import {
  type ProjectAnswer,
  type ProjectsAnswer,
  type ProjectsQuery,
  projectFields,
  sortValues,
} from './projects-answer.ts';

/** The projects of one page, what there is to choose from, and the sums of all that were asked for. */
interface ListedProjects extends Pick<ProjectsAnswer, 'next_cursor' | 'choices' | 'total'> {
  readonly projects: ProjectAnswer[];
}

/**
 * Looks a page of projects up.
 *
 * @param groupings the groupings that the reader may see.
 * @throws PageProblem when what is asked for is of nothing that is known, or the cursor is none.
 */
export function listProjects(
  table: ProjectTable,
  asked: ProjectsQuery,
  groupings: readonly Grouping[],
): ListedProjects {
  const groups = table.groups.filter(({ grouping }) => groupings.some(({ name }) => name === grouping));
  const paths = groups.map(({ grouping, name }) => groupPath(grouping, name));
  const isMeant = matchGroup(asked.group, paths);
  const choices = {
    accounts: table.accounts.toSorted(),
    regions: table.regions.toSorted().slice(0, mostChoices),
    groups: offerGroups(groupings, of =>
      groups.flatMap(({ grouping, name }) => (grouping === of ? name : [])),
    ),
  };
  refuseOther('account', asked.account, choices.accounts);
  // Before the first reading none is known, and of very many not all are told.
  const { length } = choices.regions;
  if (length > 0 && length < mostChoices) refuseOther('region', asked.region, choices.regions);
  refuseUnknownGroup(asked.group, choices.groups, groupings, () => paths.some(isMeant));
  const values = {
    ...asked,
    q: asked.q.toLowerCase(),
    paths: JSON.stringify(paths.filter(isMeant)),
  };
  const after = readCursor(asked.cursor, 3);
  if (table.accounts.length === 0) return { choices, total: noSum, projects: [], next_cursor: null };
  const database = openScratch(table.bytes);
  try {
    const condition = conditionOf(asked);
    return {
      choices,
      total: addUp(database, condition, values, table.places),
      ...findRows(database, condition, values, { after, groupings }),
    };
  } finally {
    database.close();
  }
}

type Scratch = ReturnType<typeof openScratch>;
type Values = ProjectsQuery & { readonly paths: string };

function conditionOf({ q, account, group, region, state, finding, gone }: ProjectsQuery): string {
  const conditions = [
    gone !== 'all' && `gone_at IS ${gone === 'only' ? 'NOT ' : ''}NULL`,
    account !== '' && 'account = @account',
    region !== '' && 'region_id = @region',
    state !== 'all' && 'state = @state',
    finding !== 'all' && `coalesce(findings, 0) ${finding === 'with' ? '>' : '='} 0`,
    group !== '' &&
      `EXISTS (SELECT 1 FROM json_each(groups) AS own
        WHERE own.key || '/' || own.value IN (SELECT value FROM json_each(@paths)))`,
    q !== '' && '(instr(by_id, @q) > 0 OR instr(by_name, @q) > 0)',
  ];
  return conditions.filter(each => each !== false).join(' AND ') || 'true';
}

const noSum: ListedProjects['total'] = { projects: 0, compute_hours: null, cost: null, cost_forecast: null };

function addUp(
  database: Scratch,
  condition: string,
  values: Values,
  places: ProjectTable['places'],
): ListedProjects['total'] {
  const sums = summedFields.map(name => `sum(${unitsOf(name)}) AS ${name}`);
  const found = database
    .prepare<[Values], Record<string, bigint | null>>(
      `SELECT count(*) AS projects, ${sums} FROM project WHERE ${condition}`,
    )
    .safeIntegers()
    .get(values);
  const sumOf = (name: SummedField) => {
    const units = found?.[name] ?? null;
    return units === null ? null : writeDecimal(units, places[name]);
  };
  return {
    projects: Number(found?.projects),
    compute_hours: sumOf('compute_hours'),
    cost: sumOf('cost'),
    cost_forecast: sumOf('cost_forecast'),
  };
}

/** Rows with the same value stay in the order of accounts and ids, and rows without one are last. */
function findRows(
  database: Scratch,
  condition: string,
  values: Values,
  { after, groupings }: { readonly after: SortKey | undefined; readonly groupings: readonly Grouping[] },
): Pick<ListedProjects, 'projects' | 'next_cursor'> {
  const { sort, order, limit } = values;
  const showsOwners = groupings.some(({ by }) => by === 'owner');
  const value = sort === 'groups' && !showsOwners ? 'by_open_groups' : sortValues[sort];
  const found = database
    .prepare<[object], FoundRow>(
      `SELECT ${projectFields}, by_id, ${value} AS sort_value FROM project
      WHERE ${condition} AND ${conditionAfter(after, order)}
      ORDER BY sort_value ${order} NULLS LAST, account, by_id, rowid LIMIT @limit + 1`,
    )
    .all({ ...values, value: after?.[0], afterAccount: after?.[1], afterId: after?.[2] });
  const keyOf = ({ sort_value, account, by_id }: FoundRow) => [sort_value, account, by_id];
  const { rows, next_cursor } = firstRows(found, limit, keyOf);
  return { projects: rows.map(row => rowOf(row, groupings)), next_cursor };
}

function conditionAfter(after: SortKey | undefined, order: 'asc' | 'desc'): string {
  if (after === undefined) return 'true';
  const isLater = '(account, by_id) > (@afterAccount, @afterId)';
  if (after[0] === null) return `sort_value IS NULL AND ${isLater}`;
  const isBeyond = `sort_value ${order === 'asc' ? '>' : '<'} @value`;
  return `(sort_value IS NULL OR ${isBeyond} OR (sort_value = @value AND ${isLater}))`;
}

interface FoundRow extends Omit<ProjectAnswer, 'groups'> {
  readonly groups: string;
  readonly by_id: string;
  readonly sort_value: string | number | null;
}

function rowOf(
  { by_id, sort_value, groups, ...row }: FoundRow,
  groupings: readonly Grouping[],
): ProjectAnswer {
  const known: ProjectAnswer['groups'] = JSON.parse(groups);
  const shown = groupings.map(({ name }) => [name, known[name] ?? ungrouped]);
  return { ...row, groups: Object.fromEntries(shown) };
}
