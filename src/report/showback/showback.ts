import type { Period } from '../../cost/calendar/calendar.ts';
import { findingWindowMs } from '../../cost/finding/month-use.ts';
import { compareAmounts, currencyDecimals, noAmount, showAmount } from '../../cost/money/money.ts';
import { type CostLine, sumLines } from '../../cost/rating/cost-line.ts';
import { largest } from '../../resources/extreme.ts';
import { ungrouped } from '../../resources/grouping.ts';
import type { PriceBook } from '../../resources/price-book.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import { findAcceptedUse } from '../accepted-gap.ts';
import { describeClosed } from '../closed-note.ts';
import type { ReportSubject } from '../content.ts';
import { describeCoverage } from '../coverage.ts';
import { describeUnknown } from '../format/cost-text.ts';
import { describeGaps } from '../format/gap-text.ts';
import { renderPeriod } from '../format/heading.ts';
import type { FindingPart, ShowbackPage } from '../format/showback-page.ts';
import { showCell, showInstant } from '../format/shown-cell.ts';
import { findGaps, type ProjectGap } from '../gap.ts';
import { type Found, findAll } from '../row/found.ts';
import { requirePricing } from '../row/scoped-cost.ts';
import { describeUnplaced } from '../unplaced.ts';
import { forecastCompute } from './forecast.ts';
import { gatherPeriods, type PeriodCosts } from './group-cost.ts';
import { costOf, figuresOf, type GroupCosts, partsOf, projectsOf } from './group-page.ts';

const shownFindings = 10;

/**
 * A page for one group, or for each group of a grouping that has projects.
 *
 * @throws Failure when the configuration has no prices.
 */
export function makePages(subject: ReportSubject): ShowbackPage[] {
  const { request, groups, history } = subject;
  const { grouping } = request;
  const book = requirePricing(subject);
  const costs = gatherPeriods(subject, book);
  const { untilAt } = request.span;
  const span = { ...request.span, fromAt: untilAt - findingWindowMs };
  const { found } = findAll({ ...subject, request: { ...request, span } });
  const gaps = findGaps(subject);
  const membersOf = (group: string) =>
    history.usage.projects.filter(project => groups.groupOf(grouping, project) === group);
  const named = request.config.groupings.find(({ name }) => name === grouping)?.groups ?? [];
  const names = [...named.map(({ name }) => name), ungrouped];
  const wanted =
    request.group === undefined ? names.filter(name => membersOf(name).length > 0) : [request.group];
  return wanted.map(name => {
    const members = membersOf(name);
    const refs = new Set(members.map(({ project_ref }) => project_ref));
    const isMember = (project: UsageProject | undefined) =>
      project !== undefined && refs.has(project.project_ref);
    return makePage(subject, book, costs, {
      path: `${grouping}/${name}`,
      members,
      isMember,
      found: found.filter(({ project }) => isMember(project)),
      gaps: gaps.filter(({ project }) => isMember(project)),
    });
  });
}

interface GroupFacts {
  readonly path: string;
  readonly members: readonly UsageProject[];
  readonly isMember: (project: UsageProject | undefined) => boolean;
  readonly found: readonly Found[];
  readonly gaps: readonly ProjectGap[];
}

function makePage(
  subject: ReportSubject,
  book: PriceBook,
  periods: PeriodCosts,
  { path, members, isMember, found, gaps }: GroupFacts,
): ShowbackPage {
  const { request } = subject;
  const own = (lines: readonly CostLine[]) => lines.filter(({ project }) => isMember(project));
  const forecast = periods.isOpen ? forecastCompute(subject, book, periods, members) : undefined;
  const costs: GroupCosts = {
    isOpen: periods.isOpen,
    used: own(periods.used),
    charges: own(periods.charges),
    usedBefore: own(periods.usedBefore),
    chargesBefore: own(periods.chargesBefore),
    usedByThen: own(periods.usedByThen),
    whole: costOf([...periods.used, ...periods.charges]),
    decimals: currencyDecimals(book.displayCurrency),
    knownBefore: knownOf(knownFrom(subject, members), periods.pair.before),
    ...(forecast && { forecast }),
  };
  const known = describeKnown(subject, members);
  const { gaps: unread, notes: deleted } = describeGaps(gaps, request.span, book.displayCurrency);
  const accepted = findAcceptedUse(subject, book, isMember);
  const sum = sumLines([...costs.used, ...costs.charges]);
  return {
    group: path,
    period: renderPeriod(request.span),
    currency: book.displayCurrency,
    figures: figuresOf(costs),
    ...partsOf(costs),
    projects: projectsOf(costs),
    beforeTitle: periods.isOpen ? 'Same time before' : 'Period before',
    findings: showFindings(found, book),
    gaps: [
      ...known.gaps,
      ...unread,
      ...describeUnknown([{ scope: { key: '', cells: [] }, sum }], accepted.cuMs),
    ],
    notes: [
      ...known.notes,
      ...deleted,
      ...accepted.notes,
      ...describePast(subject, book, costs, members),
      ...describePage(subject, costs, periods, found.length),
    ],
  };
}

/** Since when all accounts of projects have been watched. */
function knownFrom({ history }: ReportSubject, members: readonly UsageProject[]): number {
  const accounts = new Set(members.map(({ account }) => account));
  return largest([...accounts].map(account => history.usage.knownFrom(account) ?? Number.POSITIVE_INFINITY));
}

/** How much is known of a period that is known from an instant on. */
function knownOf(knownFromAt: number, { fromAt, untilAt }: Period): GroupCosts['knownBefore'] {
  if (knownFromAt <= fromAt) return 'all';
  return knownFromAt < untilAt ? 'part' : 'nothing';
}

/** What is missing in the accounts that projects of a group are in. */
function describeKnown({ history, request }: ReportSubject, members: readonly UsageProject[]) {
  const accounts = history.accounts.filter(name => members.some(({ account }) => account === name));
  const own = { ...history, accounts };
  const { gaps, notes } = describeCoverage(own, request.span, request.now);
  return { gaps: [...gaps, ...describeUnplaced(own, request.span)], notes };
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
    'Charges are those that are known so far; a minimum is due once its billing period is over.',
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

function showFindings(found: readonly Found[], book: PriceBook): FindingPart[] {
  const decimals = currencyDecimals(book.displayCurrency);
  const show = (text: string) => showCell(text, { key: '', kind: 'decimal' }, 'UTC');
  return found
    .toSorted(
      (a, b) => compareAmounts(b.money ?? noAmount, a.money ?? noAmount) || compareAmounts(b.hours, a.hours),
    )
    .slice(0, shownFindings)
    .map(({ project, finding, hours, money }) => {
      const upTo = finding.isUpperBound ? 'up to ' : '';
      const amount =
        money === undefined
          ? `${show(showAmount(hours, 2))} compute hours`
          : `${show(showAmount(money, decimals))} ${book.displayCurrency}`;
      return {
        project: project.project_name ?? project.project_id,
        endpoint: finding.endpoint_id,
        saves: `${upTo}${amount} a month`,
        evidence: finding.evidence,
        advice: finding.advice,
      };
    });
}
