import * as v from 'valibot';
import { compact } from '../resources/field.ts';
import { minOf } from '../resources/min-max.ts';
import type { AcceptedGap, DatedPrice, ExchangeRate, PricePlan } from '../resources/price-book.ts';
import type { ProjectMatch } from '../resources/project-match.ts';
import { dateOf } from '../resources/utc-date.ts';
import { anyDates } from './dated-entry.ts';
import { projectConditions } from './grouping-reader.ts';
import { type Problem, quoteValue } from './problem.ts';
import { group, hasEntries, list, type Placed, placed, problemCheck, type Schema, single } from './schema.ts';
import { globs } from './spending-schema.ts';
import { isOneLine } from './value-schema.ts';
import { nodeProblem } from './written-node.ts';

/** A plan with the places of its prices, which are in order of time. */
export interface PlacedPlan extends Placed<PricePlan> {
  readonly prices: readonly Placed<DatedPrice>[];
}

interface PlacedPriceBook {
  readonly plans: readonly PlacedPlan[];
  readonly rates: readonly Placed<ExchangeRate>[];
  readonly displayCurrency: string;
  readonly acceptedGaps: readonly AcceptedGap[] | undefined;
  readonly now: number;
}

/** Whether it needs no warning that a plan has no price in a time. */
type IsAccepted = (plan: PricePlan, fromAt: number, untilAt: number) => boolean;

/** Warns of usage that no price is for, of money no rate is for, and of plans that no project gets. */
export function warnOfPriceBook(book: PlacedPriceBook): Problem[] {
  const { plans, rates, displayCurrency, acceptedGaps = [], now } = book;
  const isAccepted: IsAccepted = (plan, fromAt, untilAt) =>
    acceptedGaps.some(
      gap =>
        Object.keys(gap.match).length === 0 &&
        gap.plans?.includes(plan.name) !== false &&
        (gap.fromAt ?? fromAt) <= fromAt &&
        untilAt <= (gap.untilAt ?? untilAt),
    );
  return [
    ...plans.flatMap(plan => [...warnOfGaps(plan, isAccepted), ...warnOfEnd(plan, now, isAccepted)]),
    ...warnOfLateStarts(plans, isAccepted),
    ...warnOfLateRates(plans, rates, displayCurrency),
    ...warnOfUnreachable(plans),
  ];
}

/** Gaps between the prices of a plan, as far as the plan itself holds. */
function warnOfGaps({ prices, value: plan }: PlacedPlan, isAccepted: IsAccepted): Problem[] {
  return prices.flatMap(({ value, node }, index) => {
    const endsAt = prices[index - 1]?.value.untilAt;
    if (endsAt === undefined) return [];
    const gapFromAt = Math.max(endsAt, plan.fromAt ?? endsAt);
    const gapUntilAt = Math.min(value.fromAt, plan.untilAt ?? value.fromAt);
    if (gapFromAt >= gapUntilAt || isAccepted(plan, gapFromAt, gapUntilAt)) return [];
    const found = `nothing before it: usage from ${dateOf(gapFromAt)} to ${dateOf(gapUntilAt)} is unpriced`;
    return [nodeProblem(node, found, `write a price from ${dateOf(gapFromAt)}`)];
  });
}

function warnOfEnd({ prices, value: plan }: PlacedPlan, now: number, isAccepted: IsAccepted): Problem[] {
  const last = prices.at(-1);
  const endedAt = last?.value.untilAt;
  if (last === undefined || endedAt === undefined || endedAt > now) return [];
  const { untilAt = Number.POSITIVE_INFINITY } = plan;
  if (untilAt <= endedAt || isAccepted(plan, endedAt, Math.min(untilAt, now))) return [];
  const found = `the last price, which has ended: usage from ${dateOf(endedAt)} on is unpriced`;
  return [nodeProblem(last.node, found, `write a price from ${dateOf(endedAt)}`)];
}

/** A plan that begins later than the others used at the same time is likely to lack its first price. */
function warnOfLateStarts(plans: readonly PlacedPlan[], isAccepted: IsAccepted): Problem[] {
  const starts = plans.flatMap(({ prices: [first] }) => first?.value.fromAt ?? []);
  const earliestAt = minOf(starts);
  return plans.flatMap(({ value, prices: [first] }) => {
    const neededAt = value.fromAt ?? earliestAt;
    if (first === undefined || first.value.fromAt <= neededAt) return [];
    if (isAccepted(value, neededAt, first.value.fromAt)) return [];
    const startAt = dateOf(first.value.fromAt);
    const when = value.fromAt === undefined ? 'when other plans begin' : 'when the plan begins';
    const found = `the first price of ${quoteValue(value.name)}: usage from ${dateOf(neededAt)}, ${when}, to ${startAt} is unpriced`;
    return [nodeProblem(first.node, found, `write a price from ${dateOf(neededAt)} if there was any`)];
  });
}

function warnOfLateRates(
  plans: readonly PlacedPlan[],
  rates: readonly Placed<ExchangeRate>[],
  displayCurrency: string,
): Problem[] {
  const currencies = new Set(plans.map(({ value }) => value.currency));
  return [...currencies].flatMap(currency => {
    const first = rates.find(({ value }) => value.currency === currency);
    const startAt = minOf(
      plans.flatMap(({ value }) => (value.currency === currency ? (value.prices[0]?.fromAt ?? []) : [])),
    );
    if (first === undefined || first.value.fromAt <= startAt) return [];
    const from = dateOf(startAt);
    const found = `the first rate of ${currency}: costs from ${from} to ${dateOf(first.value.fromAt)} have no amount in ${displayCurrency}`;
    return [nodeProblem(first.node, found, `write a rate from ${from}`)];
  });
}

function warnOfUnreachable(plans: readonly PlacedPlan[]): Problem[] {
  const catchAll = plans.findIndex(({ value }) => isForEver(value) && matchesAll(value.match));
  const taker = plans[catchAll];
  if (taker === undefined) return [];
  return plans.slice(catchAll + 1).map(({ value, node }) => {
    const found = `plan ${quoteValue(value.name)}, which no project gets: ${quoteValue(taker.value.name)} of ${taker.node.where} comes first and is for every project`;
    return nodeProblem(node, found, 'put it before that one');
  });
}

function matchesAll(match: ProjectMatch): boolean {
  const conditions = Object.values<readonly string[]>({ ...match });
  return match.groups === undefined && conditions.every(globs => globs.includes('*'));
}

function isForEver({ fromAt, untilAt }: PricePlan): boolean {
  return fromAt === undefined && untilAt === undefined;
}

const gapAdvice =
  'write why, and some of plans, projects, accounts, regions, platforms, owners, groups, from and to';

const gapReason = single(
  'write the reason on one line, in at most 200 characters',
  v.pipe(v.string(), v.check(isOneLine), v.maxLength(200)),
);

/** The list `pricing.accepted_gaps`. */
export function acceptedGapList(groupNames: readonly string[]): Schema<AcceptedGap[]> {
  const fields = group(
    gapAdvice,
    {
      why: gapReason,
      plans: v.exactOptional(globs('write a list of names of plans')),
      ...anyDates,
      ...projectConditions(groupNames),
    },
    hasEntries,
  );
  const gap = v.pipe(
    placed(fields),
    problemCheck(({ node, value: { why: _why, ...conditions } }) =>
      Object.keys(conditions).length === 0 ? [nodeProblem(node, 'why alone', gapAdvice)] : [],
    ),
    problemCheck(({ node, value: { from, to } }) =>
      from !== undefined && to !== undefined && to <= from
        ? [nodeProblem(node, 'a gap that ends before it begins', 'write a later date as to')]
        : [],
    ),
    v.transform(
      ({ value: { why, plans, from, to, ...match } }): AcceptedGap => ({
        why,
        match,
        ...compact({ plans, fromAt: from, untilAt: to }),
      }),
    ),
  );
  return list('write a list, each entry after a "- "', gap, 'any number');
}
