import type { Period } from '../../cost/calendar/calendar.ts';
import { findingWindowMs } from '../../cost/finding/saving.ts';
import {
  type Amount,
  compareAmounts,
  currencyDecimals,
  noAmount,
  showAmount,
} from '../../cost/money/money.ts';
import { writeMoney } from '../../cost/money/money-text.ts';
import { type CostLine, sumLines } from '../../cost/rating/cost-line.ts';
import { Failure } from '../../resources/failure.ts';
import type { Saving } from '../../resources/finding.ts';
import { ungrouped } from '../../resources/grouping.ts';
import type { DecimalText, PriceBook } from '../../resources/price-book.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import { describeClosed } from '../closed-note.ts';
import type { ReportSubject } from '../content.ts';
import { allCountedFrom, countedLedger } from '../counted-ledger.ts';
import { describeEstimatedShares } from '../estimated-share.ts';
import { describeUnknown } from '../format/cost-text.ts';
import { describeGaps } from '../format/gap-text.ts';
import { hourDecimals } from '../format/hour-text.ts';
import type { FindingPart, ShowbackPage } from '../format/showback-page.ts';
import { separateThousands, showInstant } from '../format/shown-cell.ts';
import { findGaps, type ProjectGap } from '../gap.ts';
import { describeKnownUse } from '../known-use.ts';
import { describeLedgers } from '../ledger-note.ts';
import { describeUnpricedThings, findAcceptedUse } from '../money-note.ts';
import type { ReportRequest } from '../request.ts';
import { type FoundFinding, findAll, savedHours } from '../row/found-finding.ts';
import { findProjects } from '../row/found-project.ts';
import { forecastMembers } from '../row/member-forecast.ts';
import { requirePricing } from '../row/scoped-cost.ts';
import { gatherPeriods, type PeriodCosts } from './group-cost.ts';
import {
  costOf,
  describeIdle,
  figuresOf,
  type GroupCosts,
  isMetered,
  partsOf,
  projectsOf,
} from './group-page.ts';
import { type GroupTotals, shareTotals } from './group-total.ts';

const shownFindings = 10;

/** A page for one group, or for each group of a grouping that has projects. */
export function makePages(subject: ReportSubject): ShowbackPage[] {
  const { request, groups, history } = subject;
  const { grouping } = request;
  const book = requirePricing(subject.request);
  const costs = gatherPeriods(subject, book);
  const span = { ...request.span, fromAt: request.span.untilAt - findingWindowMs };
  const { found } = findAll({ ...subject, request: { ...request, span } });
  const gaps = findGaps(subject);
  const projects = findProjects(history.usage.projects, [...costs.used, ...costs.usedBefore]);
  const groupOf = (project: UsageProject) => groups.groupOf(grouping, project);
  const totalsOf = shareTotals(costs, groupOf, currencyDecimals(book.displayCurrency));
  return listPageGroups(request, groupOf, projects).map(name => {
    const members = projects.filter(project => groupOf(project) === name);
    const refs = new Set(members.map(({ project_ref }) => project_ref));
    const isMember: GroupFacts['isMember'] = project =>
      project !== undefined && refs.has(project.project_ref);
    return makePage(subject, book, costs, {
      path: `${grouping}/${name}`,
      totals: totalsOf(name),
      members,
      isMember,
      found: found.filter(({ project }) => isMember(project)),
      gaps: gaps.filter(({ project }) => isMember(project)),
    });
  });
}

interface GroupFacts {
  readonly path: string;
  readonly totals: GroupTotals;
  readonly members: readonly UsageProject[];
  readonly isMember: (project: Pick<UsageProject, 'project_ref'> | undefined) => boolean;
  readonly found: readonly FoundFinding[];
  readonly gaps: readonly ProjectGap[];
}

function makePage(
  all: ReportSubject,
  book: PriceBook,
  periods: PeriodCosts,
  { path, totals, members, isMember, found, gaps }: GroupFacts,
): ShowbackPage {
  const subject = ofAccounts(all, new Set(members.map(({ account }) => account)));
  const { request, history } = subject;
  const own = (lines: readonly CostLine[]) => lines.filter(({ project }) => isMember(project));
  const { isOpen, costing, pair } = periods;
  const forecast = isOpen
    ? forecastMembers(all, { whole: pair.whole, costing, book }, members)?.cost
    : undefined;
  const knownFromAt = allCountedFrom(history, countedLedger(request), history.accounts);
  const [used, charges, usedBefore] = [own(periods.used), own(periods.charges), own(periods.usedBefore)];
  const decimals = currencyDecimals(book.displayCurrency);
  const sum = sumLines([...used, ...charges]);
  const costs: GroupCosts = {
    ...{ ...totals, isOpen, used, charges, usedBefore, decimals, currency: book.displayCurrency },
    usedByThen: own(periods.usedByThen),
    cost: sum.amount,
    before: costOf([...usedBefore, ...own(periods.chargesBefore)]),
    whole: costOf([...periods.used, ...periods.charges]),
    knownBefore: knownOf(knownFromAt, pair.before),
    ...(forecast && { forecast }),
  };
  const coverage = describeKnownUse(history, request, [request.span], isMember);
  const { gaps: unread, notes: deleted } = describeGaps(gaps, request.span, book.displayCurrency);
  const accepted = findAcceptedUse(all, book, isMember);
  const { ofUse, ...shown } = partsOf(costs);
  const known = (before: DecimalText) => (costs.knownBefore === 'nothing' ? null : before);
  return {
    group: path,
    cost: totals.total,
    used_hours: totals.hours,
    cost_before: known(totals.totalBefore),
    is_before_whole: costs.knownBefore === 'all',
    use_cost: ofUse,
    use_cost_before: known(showAmount(costOf(costs.usedByThen), decimals)),
    figures: figuresOf(costs),
    ...shown,
    projects: projectsOf(costs, ofUse),
    cost_title: [...used, ...costs.usedByThen].some(isMetered) ? 'Cost of use' : 'Compute cost',
    before_title: isOpen ? 'Same time before' : 'Period before',
    findings: showFindings(found, book),
    missing: [...coverage.gaps, ...unread, ...describeUnknown([sum], accepted.cuMs)],
    notes: [
      ...coverage.notes,
      ...describeLedgers(subject, book),
      ...describeUnpricedThings(costing, request, book, isMember),
      ...describeEstimatedShares(subject, book, costing),
      ...deleted,
      ...accepted.notes,
      ...describeClosed(subject, book),
      ...(costs.knownBefore === 'part'
        ? [
            `The period before is known from ${showInstant(knownFromAt, request.span.timezone)} on: its figures are of that part, and this period is not compared with it.`,
          ]
        : []),
      ...describeIdle(members, costs, request.span),
      ...describePage(subject, costs, periods, found.length),
    ],
  };
}

/** The subject with some of its accounts alone. */
function ofAccounts(subject: ReportSubject, accounts: ReadonlySet<string>): ReportSubject {
  const { history } = subject;
  const own = {
    accounts: history.accounts.filter(account => accounts.has(account)),
    closings: history.closings.filter(({ account }) => accounts.has(account)),
  };
  return { ...subject, history: { ...history, ...own } };
}

/** How much is known of a period, where all is from an instant on. */
function knownOf(knownFromAt: number, { fromAt, untilAt }: Period): GroupCosts['knownBefore'] {
  if (knownFromAt <= fromAt) return 'all';
  return knownFromAt < untilAt ? 'part' : 'nothing';
}

function describePage(
  { request }: ReportSubject,
  { isOpen, forecast }: GroupCosts,
  { charges, comparedUntilAt }: PeriodCosts,
  found: number,
): string[] {
  const unshared = costOf(charges.filter(({ project }) => project === undefined));
  const compared = showInstant(comparedUntilAt, request.span.timezone);
  const open = [
    `"Same time before" is until ${compared}, as far into the period before as this one is by now.`,
    'Charges are the ones known so far; a minimum is due once its billing period is over.',
    ...(forecast === undefined
      ? ['There is no forecast: it needs two days of history, and projects that use something.']
      : []),
  ];
  return [
    ...(isOpen ? open : []),
    ...(compareAmounts(unshared, noAmount) === 0
      ? []
      : ['Some charges are in no group, as no project was there to share them out to.']),
    ...(found > shownFindings ? [`${found - shownFindings} more findings save less each.`] : []),
  ];
}

function showFindings(found: readonly FoundFinding[], book: PriceBook): FindingPart[] {
  const decimals = currencyDecimals(book.displayCurrency);
  return found.slice(0, shownFindings).map(each => {
    const { project, finding } = each;
    const [hours, money] = [savedHours(each), finding.costPerMonth];
    const inMoney = (amount: Amount) => writeMoney(showAmount(amount, decimals), book.displayCurrency);
    const inHours = (amount: Amount) =>
      `${separateThousands(showAmount(amount, hourDecimals))} compute hours`;
    const saved = money === undefined ? hours && saySaving(hours, inHours) : saySaving(money, inMoney);
    const isUnknown = finding.endpoint_id !== undefined && hours === undefined;
    return {
      project: project.project_name ?? project.project_id,
      endpoint: finding.endpoint_id ?? null,
      saves: saved ?? (isUnknown ? 'too little is known' : 'unpriced'),
      evidence: finding.evidence,
      advice: finding.advice,
    };
  });
}

/** `likely €20.00 and at most €30.00 a month`. */
function saySaving({ likely, most }: Saving<Amount>, say: (amount: Amount) => string): string {
  return `${likely === undefined ? '' : `likely ${say(likely)} and `}at most ${say(most)} a month`;
}

/**
 * The groups that get a page: the one that was asked for, or all that have projects.
 *
 * @throws Failure when no project belongs to whose the page was asked for.
 */
function listPageGroups(
  { config, grouping, group }: ReportRequest,
  groupOf: (project: UsageProject) => string,
  projects: readonly UsageProject[],
): readonly string[] {
  const configured = config.groupings.find(({ name }) => name === grouping);
  const found = new Set(projects.map(groupOf));
  const isFixed = configured?.by === undefined;
  const named = isFixed ? (configured?.groups.map(({ name }) => name) ?? []) : [...found].toSorted();
  const names = [...new Set([...named, ungrouped])];
  if (group === undefined) return names.filter(name => found.has(name));
  if (names.includes(group)) return [group];
  throw new Failure(`--group: no project of the period belongs to "${group}"`, 'usage');
}
