import { type Amount, addAmounts, compareAmounts, noAmount, showAmount } from '../cost/money/money.ts';
import { findAcceptedGap } from '../cost/price/accepted-gap.ts';
import { planOf } from '../cost/price/plan-assignment.ts';
import { type Finding, figureOf, type ProjectFinding, type Saving } from '../resources/finding.ts';
import type { PriceBook } from '../resources/price-book.ts';
import { type ReportContent, type ReportSubject, titleOf } from './content.ts';
import { leadToDone } from './done-lead.ts';
import { hourDecimals } from './format/hour-text.ts';
import { type TypedColumn, tabulate } from './format/report.ts';
import { type Found, type FoundDone, findAll, findLedgerDoubts } from './row/found.ts';
import { type ShownSaving, showHourSavings, showMoneySavings } from './row/saving-column.ts';
import { noScope, type RowScope } from './row/scope.ts';

/** A finding, or all of one scope; without either it is a row of totals. */
interface GatheredFindings {
  readonly scope: RowScope;
  readonly finding?: Finding | ProjectFinding;
  readonly members: readonly Found[];
}

interface FindingRow extends GatheredFindings {
  readonly hours: ShownSaving | undefined;
  /** Absent where there are no prices. */
  readonly money: ShownSaving | undefined;
}

const textOf = <Key extends 'kind' | 'account' | 'project_id'>(
  key: Key,
  about: string,
): TypedColumn<FindingRow, Key, 'text'> => ({
  ...{ key, kind: 'text', about },
  of: ({ finding }) => finding?.[key] ?? '',
});
const ownColumns = [
  textOf('kind', 'What was found.'),
  textOf('account', 'The account.'),
  textOf('project_id', 'The id of the project.'),
  {
    ...{ key: 'project_name', kind: 'text', about: 'The name of the project as it was last read.' },
    of: ({ finding }) => finding?.project_name ?? '',
  },
  {
    ...{ key: 'endpoint_id', kind: 'text', about: 'The endpoint; empty where it is of the whole project.' },
    of: ({ finding }) => (finding && 'endpoint_id' in finding ? finding.endpoint_id : ''),
  },
] satisfies readonly TypedColumn<FindingRow>[];
const hourColumns = [
  {
    ...{ key: 'compute_hours_per_month', kind: 'decimal', title: 'likely hours' },
    about: 'Compute hours in 30 days that would likely have been saved.',
    of: row => row.hours?.likely,
  },
  {
    ...{ key: 'most_compute_hours_per_month', kind: 'decimal', title: 'hours at most' },
    about: 'Compute hours in 30 days that would have been saved at most.',
    of: row => row.hours?.most,
  },
] satisfies readonly TypedColumn<FindingRow>[];
const moneyColumns = [
  {
    ...{ key: 'cost_per_month', kind: 'decimal', title: 'likely cost' },
    about: 'Money in 30 days that would likely have been saved.',
    of: row => row.money?.likely,
  },
  {
    ...{ key: 'most_cost_per_month', kind: 'decimal', title: 'cost at most' },
    about: 'Money in 30 days that would have been saved at most.',
    of: row => row.money?.most,
  },
] satisfies readonly TypedColumn<FindingRow>[];
const saidColumns = [
  {
    ...{ key: 'up_to', kind: 'flag', about: 'Whether nothing tells what it saves but at most.' },
    of: ({ finding, members: [found] }) => (finding && found ? isUpTo(found) : ''),
  },
  {
    ...{ key: 'evidence', kind: 'sentence', about: 'What shows it.' },
    of: ({ finding }) => finding?.evidence ?? '',
  },
  { key: 'advice', kind: 'sentence', about: 'What to change.', of: ({ finding }) => finding?.advice ?? '' },
] satisfies readonly TypedColumn<FindingRow>[];
const scopeColumns = [
  {
    ...{ key: 'findings', kind: 'count', about: 'How many findings there are.' },
    of: ({ scope, members }) => (scope === noScope ? '' : members.length),
  },
  {
    ...{ key: 'kinds', kind: 'text', about: 'What was found.' },
    of: ({ scope, members }) =>
      scope === noScope ? '' : [...new Set(members.map(({ finding }) => finding.kind))].join(', '),
  },
] satisfies readonly TypedColumn<FindingRow>[];

/** The columns of findings, one by one or by what they are of. */
export const findingColumns = [
  ...[...ownColumns, ...hourColumns, ...moneyColumns, ...saidColumns, ...scopeColumns],
];

/** The report of findings: what endpoints and projects might not need, with its hours and money in 30 days, dearest first. */
export function reportFindings(subject: ReportSubject): ReportContent {
  const { request, rule } = subject;
  const pricing = request.config.pricing;
  const { found: savings, leftOut, done } = findAll(subject);
  const doubts = findLedgerDoubts(subject);
  const found = [...savings, ...doubts];
  const gathered = (request.isByGiven ? byScope(found) : byFinding(found)).sort(dearestFirst);
  const rows = showAll(gathered, pricing?.displayCurrency);
  const [totals] = showAll([{ scope: noScope, members: found }], pricing?.displayCurrency);
  const figures = [...hourColumns, ...(pricing === undefined ? [] : moneyColumns)];
  const columns = request.isByGiven
    ? [...rule.columns, ...figures, ...scopeColumns]
    : [...ownColumns, ...figures, ...saidColumns];
  return {
    title: request.isByGiven ? titleOf('Findings', request) : 'Findings',
    ...(pricing && { currency: pricing.displayCurrency }),
    ...tabulate(columns, rows, totals),
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
  'Findings are of the 30 days before the end of the period, as far as these are known, and so is what they save: no more than was used in them. Likely is what the past shows that would have been saved; at most is what may have been. Where nothing shows what is likely, that is left out, and where too little is known, both are. Larger findings of an endpoint are followed first.';
const branchNote =
  'Branches are as they were last listed. They cost what the meter told of these days, at the prices of branches and of their storage; without a meter or such a price it is not known.';
const moneyNote =
  'Money is the difference of two bills of such a month at the prices of now, with a change and without it, where the changes that save more are made already: included hours and minimums are not saved. It is never more than what the same hours cost in these days.';
const pricesNote = 'There are no prices in the configuration: see the section pricing.';

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
  const unpriced = found.filter(
    each => each.hours !== undefined && each.money === undefined && !isAccepted(each),
  ).length;
  return unpriced > 0 ? [`${unpriced} of the findings are unpriced: no plan or price is for them.`] : [];
}

function byFinding(found: readonly Found[]): GatheredFindings[] {
  return found.map(each => ({ scope: each.scope, finding: each.finding, members: [each] }));
}

function byScope(found: readonly Found[]): GatheredFindings[] {
  return [...Map.groupBy(found, ({ scope }) => scope.key).values()].map(members => {
    return { scope: members[0]?.scope ?? noScope, members };
  });
}

function showAll(gathered: readonly GatheredFindings[], currency: string | undefined): readonly FindingRow[] {
  const members = gathered.map(each => each.members);
  const hours = showHourSavings(members);
  const money = currency === undefined ? [] : showMoneySavings(members, currency);
  return gathered.map((each, index) => ({ ...each, hours: hours[index], money: money[index] }));
}

/** Whether it may save anything up to the most. */
function isUpTo({ hours, money }: Found): boolean {
  const saving = hours ?? money;
  return saving !== undefined && saving.likely === undefined;
}

function dearestFirst({ members: a }: GatheredFindings, { members: b }: GatheredFindings): number {
  return compareAmounts(moneyOf(b), moneyOf(a)) || compareAmounts(hoursOf(b), hoursOf(a));
}

function hoursOf(found: readonly Found[]): Amount {
  return sumFigures(found.map(({ hours }) => hours));
}

function moneyOf(found: readonly Found[]): Amount {
  return sumFigures(found.map(({ money }) => money));
}

function sumFigures(savings: readonly (Saving<Amount> | undefined)[]): Amount {
  return savings
    .flatMap(saving => (saving === undefined ? [] : figureOf(saving)))
    .reduce(addAmounts, noAmount);
}
