import { findLedgerDoubts } from '../cost/finding/ledger-finding.ts';
import {
  type Amount,
  compareAmounts,
  currencyDecimals,
  noAmount,
  shareOut,
  showAmount,
  sumAmounts,
} from '../cost/money/money.ts';
import { findAcceptedGap } from '../cost/price/accepted-gap.ts';
import { planOf } from '../cost/price/plan-assignment.ts';
import type { PriceBook } from '../resources/price-book.ts';
import {
  type DoneRow,
  doneColumns,
  doneEvidenceColumn,
  doneMoneyColumn,
  leadToDone,
} from './column/done-finding.ts';
import {
  countColumns,
  evidenceColumns,
  type FindingRow,
  findingColumns,
  type GatheredFindings,
  savedHourColumns,
  savedMoneyColumns,
} from './column/finding.ts';
import { type ReportContent, type ReportSubject, titleOf } from './content.ts';
import { hourDecimals } from './format/hour-text.ts';
import { tabulate } from './format/report.ts';
import {
  compareSavings,
  doneHours,
  type FoundFinding,
  type FoundFindings,
  findAll,
  rulesOf,
  savedHours,
  savedMoney,
  showSavings,
} from './row/found-finding.ts';
import { noScope, type ScopeRule } from './row/scope.ts';

/** The report of findings: what endpoints and projects might not need, with its hours and money in 30 days, dearest first. */
export function reportFindings(subject: ReportSubject): ReportContent {
  const { request, rule, history } = subject;
  const pricing = request.config.pricing;
  const { found: savings, leftOut, done } = findAll(subject);
  const doubts = findLedgerDoubts(history, rulesOf(request), request.span.untilAt);
  const found = [...savings, ...doubts];
  const gathered = (request.isByGiven ? byScope(found, rule) : byFinding(found)).sort((a, b) =>
    compareSavings(a.members, b.members),
  );
  const rows = showAll(gathered, pricing?.displayCurrency);
  const [totals] = showAll([{ scope: noScope, members: found }], pricing?.displayCurrency);
  const figures = [...savedHourColumns, ...(pricing === undefined ? [] : savedMoneyColumns)];
  const columns = request.isByGiven
    ? [...rule.columns, ...figures, ...countColumns]
    : [...findingColumns, ...figures, ...evidenceColumns];
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
  'Findings are of the 30 days before the last whole hour of the period, as far as these are known, and so is what they save: no more than was used in them. Likely is what the past shows that would have been saved; at most is what may have been. Where nothing shows what is likely, that is left out, and where too little is known, both are. Larger findings of an endpoint are followed first.';
const branchNote =
  'Branches are as they were last listed. They cost what the meter told of these days, at the prices of branches and of their storage; without a meter or such a price it is not known.';
const moneyNote =
  'Money is the difference of two bills of such a month, with a change and without it, where the changes that save more are made already: included hours and minimums are not saved. Its hours are at the prices of now, or at what they cost in these 30 days where that is less.';
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

function describeDone(done: FoundFindings['done']): string[] {
  if (done.length === 0) return [];
  const hours = showSum(done.map(doneHours), hourDecimals);
  const what =
    done.length === 1 ? '1 finding is done and saves' : `${done.length} findings are done and save`;
  return [`${what} ${hours} compute hours a month: ${leadToDone}.`];
}

function describeUnpriced(
  { request, groups }: ReportSubject,
  book: PriceBook,
  found: readonly FoundFinding[],
): string[] {
  const fromAt = request.span.untilAt - 1;
  const isAccepted = ({ project }: FoundFinding) => {
    const plan = planOf(book, project, groups.groupsOf, fromAt)?.name;
    const use = { project, plan, fromAt, untilAt: fromAt + 1 };
    return findAcceptedGap(book, use, groups.groupsOf) !== undefined;
  };
  const unpriced = found.filter(
    each =>
      each.finding.hoursPerMonth !== undefined &&
      each.finding.costPerMonth === undefined &&
      !isAccepted(each),
  ).length;
  return unpriced > 0 ? [`${unpriced} of the findings are unpriced: no plan or price is for them.`] : [];
}

function byFinding(found: readonly FoundFinding[]): GatheredFindings[] {
  return found.map(each => ({ scope: noScope, finding: each.finding, members: [each] }));
}

function byScope(found: readonly FoundFinding[], rule: ScopeRule): GatheredFindings[] {
  const scoped = found.map(each => ({
    each,
    scope: rule.scopeOf(each.project, each.finding.endpoint_id ?? ''),
  }));
  return [...Map.groupBy(scoped, ({ scope }) => scope.key).values()].map(own => {
    return { scope: own[0]?.scope ?? noScope, members: own.map(({ each }) => each) };
  });
}

function showAll(gathered: readonly GatheredFindings[], currency: string | undefined): readonly FindingRow[] {
  const members = gathered.map(each => each.members);
  const hours = showSavings(members, savedHours, hourDecimals);
  const money = currency === undefined ? [] : showSavings(members, savedMoney, currencyDecimals(currency));
  return gathered.map((each, index) => ({ ...each, hours: hours[index], money: money[index] }));
}

/** The report of done findings: what they had claimed to save in 30 days, and what is saved, most first. */
export function reportDone(subject: ReportSubject): ReportContent {
  const pricing = subject.request.config.pricing;
  const done = findAll(subject).done.toSorted(compareDone);
  const decimals = pricing === undefined ? 0 : currencyDecimals(pricing.displayCurrency);
  const [hours, money] = [done.map(doneHours), done.map(doneMoney)];
  const hourTexts = shareOut(hours, hourDecimals);
  const moneyTexts = shareOut(money, decimals);
  return {
    title: 'Findings that are done',
    ...(pricing && { currency: pricing.displayCurrency }),
    ...tabulate<DoneRow>(
      [...doneColumns, ...(pricing === undefined ? [] : [doneMoneyColumn]), doneEvidenceColumn],
      done.map(({ finding }, index) => ({
        ...{ finding, savedHours: hourTexts[index] },
        savedMoney: finding.costPerMonth === undefined ? { missing: 'unpriced' } : moneyTexts[index],
      })),
      { savedHours: showSum(hours, hourDecimals), savedMoney: showSum(money, decimals) },
    ),
    notes: [doneWindowNote, ...(pricing === undefined ? [] : [doneMoneyNote])],
    gaps: [],
  };
}

const doneWindowNote =
  'A finding is done when its cause is gone: the setting was changed, the schedule stopped, the endpoint was deleted. Saved is what the endpoint used in up to four whole weeks before, less what it used in up to four whole weeks since, for a month of 30 days; so what else changed its use counts too. It is told once a week has passed since, for up to 60 days.';
const doneMoneyNote =
  'Money is the difference of two bills of such a month at the prices of now, without the change and with it.';

type Done = FoundFindings['done'][number];

const doneMoney = ({ finding: { costPerMonth = noAmount } }: Done) => costPerMonth;

function compareDone(a: Done, b: Done): number {
  return compareAmounts(doneMoney(b), doneMoney(a)) || compareAmounts(doneHours(b), doneHours(a));
}

function showSum(amounts: readonly Amount[], decimals: number): string {
  return showAmount(sumAmounts(amounts), decimals);
}
