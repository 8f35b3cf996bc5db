import { findingOptionsOf, isWorthShowing } from '../cost/finding/finding-filter.ts';
import { findFindings } from '../cost/finding/finding-list.ts';
import { estimateMonthUse } from '../cost/finding/month-use.ts';
import { priceSavings } from '../cost/finding/saving.ts';
import {
  type Amount,
  addAmounts,
  amountOf,
  compareAmounts,
  currencyDecimals,
  noAmount,
  shareOut,
  showAmount,
} from '../cost/money/money.ts';
import { assignPlans } from '../cost/price/plan-assignment.ts';
import type { ReportHistory } from '../history/usage/report-history.ts';
import type { Finding } from '../resources/finding.ts';
import { type ReportContent, type ReportSubject, titleOf } from './content.ts';
import type { Cell, Column } from './format/report.ts';
import type { RowScope } from './row/scope.ts';

interface Found {
  readonly scope: RowScope;
  readonly finding: Finding;
  readonly hours: Amount;
  /** Money a month; absent where the compute is unpriced. */
  readonly money?: Amount;
}

interface FindingRow {
  readonly cells: readonly Cell[];
  readonly members: readonly Found[];
  /** The cells behind the numbers. */
  readonly said: readonly Cell[];
}

const hourDecimals = 2;

/** The report of findings: compute that endpoints might not need, with its hours and money in 30 days, dearest first. */
export function reportFindings(subject: ReportSubject): ReportContent {
  const { request, rule } = subject;
  const pricing = request.config.pricing;
  const found = findAll(subject);
  const rows = (request.isByGiven ? byScope(found) : byFinding(found)).sort((a, b) => compareRows(a, b));
  const hours = shareOut(
    rows.map(({ members }) => hoursOf(members)),
    hourDecimals,
  );
  const decimals = pricing === undefined ? 0 : currencyDecimals(pricing.displayCurrency);
  const money = shareOut(
    rows.map(({ members }) => moneyOf(members)),
    decimals,
  );
  const moneyCell = (members: readonly Found[], text: string | undefined): Cell =>
    members.some(each => each.money !== undefined) ? text : { missing: 'unpriced' };
  const moneyColumns: readonly Column[] =
    pricing === undefined ? [] : [{ key: 'cost_per_month', kind: 'decimal', title: 'cost a month' }];
  const own = request.isByGiven ? rule.columns : findingColumns;
  const said = request.isByGiven ? scopeColumns : saidColumns;
  return {
    title: request.isByGiven ? titleOf('Findings', request) : 'Findings',
    ...(pricing && { currency: pricing.displayCurrency }),
    columns: [
      ...own,
      { key: 'compute_hours_per_month', kind: 'decimal', title: 'hours a month' },
      ...moneyColumns,
      ...said,
    ],
    rows: rows.map((row, index) => [
      ...row.cells,
      hours[index],
      ...moneyColumns.map(() => moneyCell(row.members, money[index])),
      ...row.said,
    ]),
    totals: [
      ...own.map((_, index) => (index === 0 ? 'total' : '')),
      showAmount(hoursOf(found), hourDecimals),
      ...moneyColumns.map(() => moneyCell(found, showAmount(moneyOf(found), decimals))),
      ...said.map(() => ''),
    ],
    notes: [windowNote, ...(pricing === undefined ? [pricesNote] : [])],
    gaps: pricing === undefined ? [] : describeUnpriced(found),
  };
}

const windowNote =
  'Findings are of the 28 days before the end of the period, and a month is 30 days. What a finding saves is what remains after the larger ones of its endpoint are followed; "up to" says that it may be less.';
const pricesNote = 'There are no prices in the configuration: see the section pricing.';

function describeUnpriced(found: readonly Found[]): string[] {
  const unpriced = found.filter(each => each.money === undefined).length;
  return unpriced > 0 ? [`${unpriced} of the findings are unpriced: no plan or price is for them.`] : [];
}

const findingColumns: readonly Column[] = [
  'kind',
  'account',
  'project_id',
  'project_name',
  'endpoint_id',
].map(key => ({ key, kind: 'text' }));
const saidColumns: readonly Column[] = [
  { key: 'up_to', kind: 'flag' },
  { key: 'evidence', kind: 'sentence' },
  { key: 'advice', kind: 'sentence' },
];
const scopeColumns: readonly Column[] = [
  { key: 'findings', kind: 'count' },
  { key: 'kinds', kind: 'text' },
];

function findAll({ history, request, groups, rule, onProgress }: ReportSubject): Found[] {
  const { pricing, findings, ignoredFindings } = request.config;
  const findingRules = { ...findings, ignored: ignoredFindings };
  const { fromAt, untilAt } = request.span;
  const { projects } = history.usage;
  const assignments = pricing === undefined ? [] : assignPlans(pricing, projects, groups.groupsOf);
  const planByRef = new Map(
    assignments.flatMap(({ plan, projects }) => projects.map(({ project_ref }) => [project_ref, plan])),
  );
  const found = projects.flatMap((project, index) => {
    const { project_ref } = project;
    const options = findingOptionsOf(findingRules, {
      project,
      plan: planByRef.get(project_ref),
      at: untilAt,
    });
    const endpoints = history.endpoints.endpoints(project, fromAt, untilAt);
    onProgress((index + 1) / projects.length);
    return endpoints.flatMap(each =>
      findFindings(each, options).map(finding => {
        const hours = amountOf(finding.computeHoursPerMonth.toFixed(6));
        return { project_ref, scope: rule.scopeOf(project, finding.endpoint_id), finding, hours };
      }),
    );
  });
  if (pricing === undefined) return found;
  const changes = found.map(({ project_ref, finding }) => {
    return { project_ref, computeHours: finding.computeHoursPerMonth };
  });
  const month = { book: pricing, assignments, at: untilAt - 1, monthUse: estimateUse(history, untilAt) };
  const savings = priceSavings(month, changes);
  return found.flatMap((each, index) => {
    const money = savings[index];
    return isWorthShowing(findingRules, money) ? [{ ...each, ...(money && { money }) }] : [];
  });
}

/** CU-milliseconds of each project in a typical month, by its number. */
function estimateUse({ usage }: ReportHistory, endsAt: number): ReadonlyMap<number, number> {
  return new Map(
    usage.projects.map(project => {
      const untilAt = Math.min(endsAt, usage.knownUntil(project.account) ?? endsAt);
      const knownFromAt = usage.knownFrom(project.account) ?? 0;
      return [project.project_ref, estimateMonthUse(usage, project, { knownFromAt, untilAt })];
    }),
  );
}

function byFinding(found: readonly Found[]): FindingRow[] {
  return found.map(each => {
    const {
      kind,
      account,
      project_id,
      project_name = '',
      endpoint_id,
      isUpperBound,
      evidence,
      advice,
    } = each.finding;
    const cells = [kind, account, project_id, project_name, endpoint_id];
    return { cells, members: [each], said: [isUpperBound, evidence, advice] };
  });
}

function byScope(found: readonly Found[]): FindingRow[] {
  return [...Map.groupBy(found, ({ scope }) => scope.key).values()].map(members => {
    const kinds = new Set(members.map(({ finding }) => finding.kind));
    return { cells: members[0]?.scope.cells ?? [], members, said: [members.length, [...kinds].join(', ')] };
  });
}

function compareRows({ members: a }: FindingRow, { members: b }: FindingRow): number {
  return compareAmounts(moneyOf(b), moneyOf(a)) || compareAmounts(hoursOf(b), hoursOf(a));
}

function hoursOf(found: readonly Found[]): Amount {
  return found.map(({ hours }) => hours).reduce(addAmounts, noAmount);
}

function moneyOf(found: readonly Found[]): Amount {
  return found.map(({ money = noAmount }) => money).reduce(addAmounts, noAmount);
}
