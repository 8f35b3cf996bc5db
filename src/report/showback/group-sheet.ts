import { findingWindowMs } from '../../cost/finding/saving.ts';
import {
  type Amount,
  compareAmounts,
  currencyDecimals,
  noAmount,
  shareOut,
  showAmount,
} from '../../cost/money/money.ts';
import { type CostLine, sumLines, sumLinesBy } from '../../cost/rating/cost-line.ts';
import { Failure } from '../../resources/failure.ts';
import type { Saving } from '../../resources/finding.ts';
import { ungrouped } from '../../resources/grouping.ts';
import type { DecimalText, PriceBook } from '../../resources/price-book.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import { findAcceptedUse } from '../accepted-gap.ts';
import { describeClosed } from '../closed-note.ts';
import type { ReportSubject } from '../content.ts';
import { describeEstimatedShares } from '../estimated-share.ts';
import { describeUnknown } from '../format/cost-text.ts';
import { describeGaps } from '../format/gap-text.ts';
import { renderPeriod } from '../format/heading.ts';
import { hourDecimals, showHourTotal } from '../format/hour-text.ts';
import type { FindingPart, ShowbackPage } from '../format/showback-page.ts';
import { separateThousands, showInstant } from '../format/shown-cell.ts';
import { findGaps, type ProjectGap } from '../gap.ts';
import type { ReportRequest } from '../request.ts';
import { type FoundFinding, findAll, savedHours } from '../row/found-finding.ts';
import { findProjects } from '../row/found-project.ts';
import { forecastMembers } from '../row/member-forecast.ts';
import { requirePricing } from '../row/scoped-cost.ts';
import { describeUnpricedThings } from '../unpriced-thing.ts';
import { gatherPeriods, type PeriodCosts } from './group-cost.ts';
import { costOf, figuresOf, type GroupCosts, isMetered, partsOf, projectsOf } from './group-page.ts';
import { describeKnown, knownFrom, knownOf } from './known-part.ts';

const shownFindings = 10;

/** A page for one group, or for each group of a grouping that has projects. */
export function makePages(subject: ReportSubject): ShowbackPage[] {
  const { request, groups, history } = subject;
  const { grouping } = request;
  const book = requirePricing(subject);
  const costs = gatherPeriods(subject, book);
  const { untilAt } = request.span;
  const span = { ...request.span, fromAt: untilAt - findingWindowMs };
  const { found } = findAll({ ...subject, request: { ...request, span } });
  const gaps = findGaps(subject);
  const projects = findProjects(history.usage.projects, [...costs.used, ...costs.usedBefore]);
  const membersOf = (group: string) =>
    projects.filter(project => groups.groupOf(grouping, project) === group);
  const totals = shareByGroup(costs, currencyDecimals(book.displayCurrency), ({ project }) =>
    project === undefined ? undefined : groups.groupOf(grouping, project),
  );
  const wanted = listPageGroups(request, project => groups.groupOf(grouping, project), projects);
  return wanted.map(name => {
    const members = membersOf(name);
    const refs = new Set(members.map(({ project_ref }) => project_ref));
    const isMember = (project: UsageProject | undefined) =>
      project !== undefined && refs.has(project.project_ref);
    return makePage(subject, book, costs, {
      path: `${grouping}/${name}`,
      total: totals.get(name) ?? showAmount(noAmount, currencyDecimals(book.displayCurrency)),
      members,
      isMember,
      found: found.filter(({ project }) => isMember(project)),
      gaps: gaps.filter(({ project }) => isMember(project)),
    });
  });
}

/** What each group comes to as it is shown, so that all add up, with charges that are no group's. */
function shareByGroup(
  { used, charges }: PeriodCosts,
  decimals: number,
  groupOf: (line: CostLine) => string | undefined,
): ReadonlyMap<string | undefined, DecimalText> {
  const sums = [...sumLinesBy([...used, ...charges], groupOf)].toSorted(([, a], [, b]) =>
    compareAmounts(b.amount, a.amount),
  );
  const texts = shareOut(
    sums.map(([, { amount }]) => amount),
    decimals,
  );
  return new Map(sums.map(([group], index) => [group, texts[index] ?? '']));
}

interface GroupFacts {
  readonly path: string;
  readonly total: DecimalText;
  readonly members: readonly UsageProject[];
  readonly isMember: (project: UsageProject | undefined) => boolean;
  readonly found: readonly FoundFinding[];
  readonly gaps: readonly ProjectGap[];
}

function makePage(
  subject: ReportSubject,
  book: PriceBook,
  periods: PeriodCosts,
  { path, total, members, isMember, found, gaps }: GroupFacts,
): ShowbackPage {
  const { request } = subject;
  const own = (lines: readonly CostLine[]) => lines.filter(({ project }) => isMember(project));
  const { costing, pair } = periods;
  const forecast = periods.isOpen
    ? forecastMembers(subject, { whole: pair.whole, costing, book }, members)?.cost
    : undefined;
  const costs: GroupCosts = {
    isOpen: periods.isOpen,
    used: own(periods.used),
    charges: own(periods.charges),
    usedBefore: own(periods.usedBefore),
    chargesBefore: own(periods.chargesBefore),
    usedByThen: own(periods.usedByThen),
    total,
    whole: costOf([...periods.used, ...periods.charges]),
    decimals: currencyDecimals(book.displayCurrency),
    knownBefore: knownOf(knownFrom(subject, members), periods.pair.before),
    ...(forecast && { forecast }),
  };
  const known = describeKnown(subject, book, members);
  const { gaps: unread, notes: deleted } = describeGaps(gaps, request.span, book.displayCurrency);
  const accepted = findAcceptedUse(subject, book, isMember);
  const sum = sumLines([...costs.used, ...costs.charges]);
  const { ofUse, ...shown } = partsOf(costs);
  return {
    group: path,
    period: renderPeriod(request.span),
    currency: book.displayCurrency,
    cost: total,
    usedHours: showHourTotal(costs.used.map(({ usedCuMs }) => usedCuMs)),
    ...(costs.knownBefore !== 'nothing' && {
      costBefore: showAmount(costOf([...costs.usedBefore, ...costs.chargesBefore]), costs.decimals),
    }),
    isBeforeWhole: costs.knownBefore === 'all',
    figures: figuresOf(costs),
    ...shown,
    projects: projectsOf(costs, ofUse),
    costTitle: [...costs.used, ...costs.usedByThen].some(isMetered) ? 'Cost of use' : 'Compute cost',
    beforeTitle: periods.isOpen ? 'Same time before' : 'Period before',
    findings: showFindings(found, book),
    gaps: [...known.gaps, ...unread, ...describeUnknown([{ sum }], accepted.cuMs)],
    notes: [
      ...known.notes,
      ...known.ledgers,
      ...describeUnpricedThings(periods.costing, request, book, isMember),
      ...describeEstimatedShares(ofAccounts(subject, members), book, periods.costing),
      ...deleted,
      ...accepted.notes,
      ...describePast(subject, book, costs, members),
      ...describePage(subject, costs, periods, found.length),
    ],
  };
}

/** The subject with the accounts that projects of a group are in alone. */
function ofAccounts(subject: ReportSubject, members: readonly UsageProject[]): ReportSubject {
  const accounts = subject.history.accounts.filter(name => members.some(({ account }) => account === name));
  return { ...subject, history: { ...subject.history, accounts } };
}

/** Sentences on closed bills, and on how much is known of the period before. */
function describePast(
  subject: ReportSubject,
  book: PriceBook,
  { knownBefore }: GroupCosts,
  members: readonly UsageProject[],
): string[] {
  const { history, request } = subject;
  const closings = history.closings.filter(closed =>
    members.some(({ account }) => account === closed.account),
  );
  const closed = describeClosed({ ...subject, history: { ...history, closings } }, book);
  if (knownBefore !== 'part') return [...closed];
  const known = showInstant(knownFrom(subject, members), request.span.timezone);
  return [
    ...closed,
    `The period before is known from ${known} on: its figures are of that part, and this period is not compared with it.`,
  ];
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
    const inMoney = (amount: Amount) =>
      `${separateThousands(showAmount(amount, decimals))} ${book.displayCurrency}`;
    const inHours = (amount: Amount) =>
      `${separateThousands(showAmount(amount, hourDecimals))} compute hours`;
    const saved = money === undefined ? hours && saySaving(hours, inHours) : saySaving(money, inMoney);
    const isUnknown = finding.endpoint_id !== undefined && hours === undefined;
    return {
      project: project.project_name ?? project.project_id,
      ...(finding.endpoint_id !== undefined && { endpoint: finding.endpoint_id }),
      saves: saved ?? (isUnknown ? 'too little is known' : 'unpriced'),
      evidence: finding.evidence,
      advice: finding.advice,
    };
  });
}

/** `likely 20.00 EUR and at most 30.00 EUR a month`. */
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
