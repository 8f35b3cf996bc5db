import {
  type Amount,
  addAmounts,
  compareAmounts,
  currencyDecimals,
  noAmount,
  shareOut,
  showAmount,
} from '../cost/money/money.ts';
import { findAcceptedGap } from '../cost/price/accepted-gap.ts';
import { planOf } from '../cost/price/plan-assignment.ts';
import type { PriceBook } from '../resources/price-book.ts';
import { type ReportContent, type ReportSubject, titleOf } from './content.ts';
import { leadToDone } from './done-lead.ts';
import type { Cell, Column } from './format/report.ts';
import { type Found, type FoundDone, findAll } from './row/found.ts';
import { findLedgerDoubts } from './row/ledger-doubt.ts';

interface FindingRow {
  readonly cells: readonly Cell[];
  readonly members: readonly Found[];
  /** The cells behind the numbers. */
  readonly said: readonly Cell[];
}

const hourDecimals = 2;

/** The report of findings: what endpoints and projects might not need, with its hours and money in 30 days, dearest first. */
export function reportFindings(subject: ReportSubject): ReportContent {
  const { request, rule } = subject;
  const pricing = request.config.pricing;
  const { found: savings, leftOut, done } = findAll(subject);
  const doubts = findLedgerDoubts(subject);
  const found: readonly Found[] = [...savings, ...doubts];
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
  const hourCell = (members: readonly Found[], text: string | undefined): Cell =>
    members.length === 0 || members.some(each => each.hours !== undefined) ? text : undefined;
  const moneyCell = (members: readonly Found[], text: string | undefined): Cell =>
    members.some(each => each.money !== undefined) ? text : missingMoney(members);
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
      hourCell(row.members, hours[index]),
      ...moneyColumns.map(() => moneyCell(row.members, money[index])),
      ...row.said,
    ]),
    totals: [
      ...own.map((_, index) => (index === 0 ? 'total' : '')),
      hourCell(found, showAmount(hoursOf(found), hourDecimals)),
      ...moneyColumns.map(() => moneyCell(found, showAmount(moneyOf(found), decimals))),
      ...said.map(({ key }) => (key === 'up_to' ? found.some(({ finding }) => finding.isUpperBound) : '')),
    ],
    notes: [
      windowNote,
      ...(found.some(({ finding }) => finding.kind === 'branch_sprawl') ? [branchNote] : []),
      pricing === undefined ? pricesNote : moneyNote,
      ...describeDoubts(doubts.length),
      ...describeLeftOut(leftOut),
      ...describeDone(done),
    ],
    gaps: pricing === undefined ? [] : describeUnpriced(subject, pricing, found),
  };
}

const windowNote =
  'Findings are of the 28 days before the end of the period, and a month is 30 days. What a finding saves is what remains after the larger ones of its endpoint are followed; "up to" says that it may be less.';
const branchNote =
  'Branches are as they were last listed. They cost what the meter told of its last two weeks, or since the youngest of them was made, at the prices of branches and of their storage; without a meter or such a price it is not known.';
const moneyNote =
  'Money is the difference of two bills of such a month, with a change and without it, where the changes that save more are made already: included hours and minimums are not saved.';
const pricesNote = 'There are no prices in the configuration: see the section pricing.';

/** Why findings have no money together: two ledgers that disagree save nothing. */
function missingMoney(members: readonly Found[]): Cell {
  const isSaving = members.length === 0 || members.some(({ finding }) => finding.kind !== 'ledgers_apart');
  return isSaving ? { missing: 'unpriced' } : undefined;
}

function describeDoubts(count: number): string[] {
  if (count === 0) return [];
  const of = count === 1 ? '1 project' : `${count} projects`;
  return [
    `Of ${of} the meter of the service and the counter it reports tell other compute, so that one of them is wrong: see ledgers_apart. Nothing is saved by it.`,
  ];
}

function describeLeftOut(count: number): string[] {
  return count > 0 ? [`${count} that save less money than findings.least_amount are left out.`] : [];
}

function describeDone(done: readonly FoundDone[]): string[] {
  if (done.length === 0) return [];
  const hours = showAmount(done.map(({ hours }) => hours).reduce(addAmounts, noAmount), hourDecimals);
  const what =
    done.length === 1 ? '1 finding is done and saves' : `${done.length} findings are done and save`;
  return [`${what} ${hours} compute hours a month: ${leadToDone}.`];
}

function describeUnpriced(
  { request, groups }: ReportSubject,
  book: PriceBook,
  found: readonly Found[],
): string[] {
  const fromAt = request.span.untilAt - 1;
  const isAccepted = ({ project }: Found) => {
    const plan = planOf(book, project, groups.groupsOf, fromAt)?.name;
    const use = { project, plan, fromAt, untilAt: fromAt + 1 };
    return findAcceptedGap(book, use, groups.groupsOf) !== undefined;
  };
  const compute = found.filter(({ finding }) => 'endpoint_id' in finding);
  const unpriced = compute.filter(each => each.money === undefined && !isAccepted(each)).length;
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

function byFinding(found: readonly Found[]): FindingRow[] {
  return found.map(each => {
    const { kind, account, project_id, project_name = '', isUpperBound, evidence, advice } = each.finding;
    const endpoint = 'endpoint_id' in each.finding ? each.finding.endpoint_id : '';
    const cells = [kind, account, project_id, project_name, endpoint];
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
  return found.map(({ hours = noAmount }) => hours).reduce(addAmounts, noAmount);
}

function moneyOf(found: readonly Found[]): Amount {
  return found.map(({ money = noAmount }) => money).reduce(addAmounts, noAmount);
}
