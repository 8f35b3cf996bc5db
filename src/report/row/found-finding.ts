import { type ReviewCase, reviewedUntil, reviewFindings } from '../../cost/finding/finding-review.ts';
import {
  type Amount,
  addAmounts,
  amountOf,
  compareAmounts,
  noAmount,
  shareOut,
  showAmount,
  subtractAmounts,
  sumAmounts,
} from '../../cost/money/money.ts';
import { oncePerLook } from '../../history/usage/once-per-look.ts';
import {
  type DoneFinding,
  type Found,
  figureOf,
  type PricedDoneFinding,
  type PricedFinding,
  type PricedProjectFinding,
  type Saving,
} from '../../resources/finding.ts';
import type { FindingRules } from '../../resources/finding-rule.ts';
import type { PricedSubject, ReportSubject } from '../content.ts';
import { type Cell, notKnown } from '../format/report.ts';
import { priceUse } from './scoped-cost.ts';

/** An open finding of an endpoint or of a project, in exact money. */
export type FoundFinding = Found<PricedFinding<Amount> | PricedProjectFinding<Amount>>;

export interface FoundFindings {
  /** The largest savings first, and equal ones by their ids. */
  readonly found: readonly FoundFinding[];
  /** How many are left out for the little money they save. */
  readonly leftOut: number;
  readonly done: readonly Found<PricedDoneFinding<Amount>>[];
}

/**
 * Finds what endpoints and projects might not need, and what they no longer use, and prices it where there are prices; of
 * each account until the last whole hour that is known of it, as of its metrics.
 */
export function findAll(subject: ReportSubject): FoundFindings {
  const prices = pricesOf(subject);
  const { history, request } = subject;
  return foundInLook(prices?.costing ?? history, request.span.untilAt, () => findByAccount(subject, prices));
}

const foundInLook = oncePerLook<number, FoundFindings>();

function findByAccount(subject: ReportSubject, prices: ReviewCase['prices']): FoundFindings {
  const { projects } = subject.history.usage;
  let begun = 0;
  const reviews = [...Map.groupBy(projects, ({ account }) => account)].map(([account, own]) => {
    const before = begun;
    begun += own.length;
    const review = { ...reviewCaseOf(subject, account, prices), reviewed: subject.worked.reviewed };
    return reviewFindings(review, own, done =>
      subject.onProgress((before + done * own.length) / projects.length),
    );
  });
  return {
    found: reviews.flatMap(({ open, branches }) => [...open, ...branches]).toSorted(dearestFirst),
    leftOut: reviews.reduce((sum, { leftOut }) => sum + leftOut, 0),
    done: reviews.flatMap(({ done }) => done),
  };
}

/** The review of the findings of an account in a report. */
export function reviewCaseOf(
  subject: PricedSubject,
  account: string,
  prices = pricesOf(subject),
): ReviewCase {
  const { history, request } = subject;
  const { untilAt } = request.span;
  return {
    ...{ history, rules: rulesOf(request), ...(prices && { prices }) },
    untilAt: reviewedUntil(Math.min(untilAt, history.usage.knownUntil(account) ?? untilAt)),
  };
}

/** The prices of a report, by one costing for all its accounts. */
function pricesOf(subject: PricedSubject): ReviewCase['prices'] {
  const book = subject.request.config.pricing;
  return book && { book, costing: priceUse(subject, book) };
}

/** The rules by which a report finds, with what is to be ignored. */
export function rulesOf({
  config: { findings, ignoredFindings: ignored },
}: ReportSubject['request']): FindingRules {
  return { ...findings, ignored };
}

/** Orders findings and rows of them by what they save, the most first. */
export function compareSavings(a: readonly FoundFinding[], b: readonly FoundFinding[]): number {
  return (
    compareAmounts(sumFigures(b, savedMoney), sumFigures(a, savedMoney)) ||
    compareAmounts(sumFigures(b, savedHours), sumFigures(a, savedHours))
  );
}

/** The order of projects in a history says nothing: equal findings are in the order of their ids. */
function dearestFirst(a: FoundFinding, b: FoundFinding): number {
  return compareSavings([a], [b]) || (placeOf(a) < placeOf(b) ? -1 : 1);
}

function placeOf({ finding: { account, project_id, endpoint_id = '', kind } }: FoundFinding): string {
  return [account, project_id, endpoint_id, kind].join(' ');
}

function sumFigures(
  found: readonly FoundFinding[],
  savedBy: (found: FoundFinding) => Saving<Amount> | undefined,
): Amount {
  return sumAmounts(found.flatMap(each => savedBy(each) ?? []).map(figureOf));
}

/** Absent where a finding is not about compute, and where too little is known. */
export function savedHours({ finding: { hoursPerMonth: hours } }: FoundFinding): Saving<Amount> | undefined {
  if (hours === undefined) return undefined;
  return {
    ...(hours.likely !== undefined && { likely: hourAmount(hours.likely) }),
    most: hourAmount(hours.most),
  };
}

/** In the display currency; absent where what it saves is unpriced, or not known. */
export function savedMoney({ finding }: FoundFinding): Saving<Amount> | undefined {
  return finding.costPerMonth;
}

/** Compute hours that a finding saves since it is done. */
export function doneHours({ finding }: Found<DoneFinding>): Amount {
  return hourAmount(finding.computeHoursPerMonth);
}

function hourAmount(hours: number): Amount {
  return amountOf(hours.toFixed(6));
}

/** What findings save in one unit, in 30 days, as it is shown. */
export interface ShownSaving {
  readonly likely: Cell;
  readonly most: Cell;
}

/** Savings of compute hours or of money, by the members of each row. */
export function showSavings(
  rows: readonly (readonly FoundFinding[])[],
  savedBy: typeof savedHours | typeof savedMoney,
  decimals: number,
): readonly ShownSaving[] {
  const saved = rows.map(members => members.flatMap(each => savedBy(each) ?? []));
  const sum = (savings: readonly Saving<Amount>[], pick: (saving: Saving<Amount>) => Amount) =>
    sumAmounts(savings.map(pick));
  const leastOf = shareOut(
    saved.map(savings => sum(savings, ({ likely = noAmount }) => likely)),
    decimals,
  );
  // Shown as what is likely and the rest: rounding never makes it less.
  const restOf = shareOut(
    saved.map(savings => sum(savings, ({ likely = noAmount, most }) => subtractAmounts(most, likely))),
    decimals,
  );
  return rows.map((members, index) => {
    const savings = saved[index] ?? [];
    const isLikelyKnown = savings.some(({ likely }) => likely !== undefined);
    const [least = '0', rest = '0'] = [leastOf[index], restOf[index]];
    const most = showAmount(addAmounts(amountOf(least), amountOf(rest)), decimals);
    if (members.length === 0) return { likely: least, most };
    if (savings.length > 0) return { likely: isLikelyKnown ? least : notKnown, most };
    const missing = whyMissing(members, savedBy === savedMoney);
    return { likely: missing, most: missing };
  });
}

/** Why findings save nothing that can be told: ledgers that disagree save nothing, and branches no compute. */
function whyMissing(members: readonly FoundFinding[], isOfMoney: boolean): Cell {
  const ofCompute = members.filter(({ finding }) => finding.endpoint_id !== undefined);
  if (ofCompute.length > 0) {
    return ofCompute.every(({ finding }) => finding.hoursPerMonth === undefined)
      ? notKnown
      : { missing: 'unpriced' };
  }
  const isOfBranches = members.some(({ finding }) => finding.kind === 'branch_sprawl');
  return isOfMoney && isOfBranches ? { missing: 'unpriced' } : undefined;
}
