import * as v from 'valibot';
import { clip, type Period } from '../../../cost/calendar/calendar.ts';
import { cutAt, holdsAt, timeOf } from '../../../cost/price/dated.ts';
import { amountAt, datedAmounts, datedIncluded, includedAt } from '../../../cost/price/dated-amount.ts';
import { tiersAt } from '../../../cost/price/price-lookup.ts';
import type { PricePlan } from '../../../resources/price-book.ts';
import { decimalField, instantField } from '../../answer-field.ts';
import { writeInstant } from '../../answer-value.ts';
import type { ConsoleSources } from '../../page.ts';
import { card } from '../../part/card.ts';
import { type Content, html, type Markup } from '../../part/html.ts';
import { instant } from '../../part/instant.ts';
import { sayPrice, showDecimal, showMoney } from '../../part/number.ts';
import { periodText } from '../../part/period-name.ts';
import { shownName } from '../../part/shown-text.ts';
import { table } from '../../part/table.ts';

export const planPriceField = v.object({
  plan: v.string(),
  currency: v.string(),
  /** Of a compute hour, with the discount and without; null where the plan has no price then. */
  price: v.nullable(decimalField),
  list_price: v.nullable(decimalField),
  /** The time it holds in; null where that has no end, or there is no price. */
  from: v.nullable(instantField),
  until: v.nullable(instantField),
  /** What a billing period includes: hours, or compute for an amount of money; null for nothing. */
  included: v.nullable(
    v.object({
      per: v.picklist(['account', 'project']),
      compute_hours: v.nullable(decimalField),
      amount: v.nullable(decimalField),
    }),
  ),
  /** Of an account in a billing period. */
  base_fee: v.nullable(decimalField),
  minimum: v.nullable(decimalField),
});
type PlanPrice = v.InferOutput<typeof planPriceField>;

/** The price of an hour of each plan now, and those of other times, the newest first. */
export function findPlanPrices({ pricing }: ConsoleSources['config'], now: number) {
  const plans = pricing?.plans ?? [];
  const held = plans.flatMap(plan =>
    plan.prices
      .map(price => clip(timeOf(plan), timeOf(price)))
      .filter(({ fromAt, untilAt }) => fromAt < untilAt)
      .flatMap(time => cutAt(time, findChanges(plan)))
      .map(time => ({ time, row: writePrice(plan, time) })),
  );
  return {
    in_force: plans
      .filter(plan => holdsAt(plan, now))
      .map(
        plan =>
          held.find(({ time, row }) => row.plan === plan.name && holdsAt(time, now))?.row ??
          noPrice(plan, now),
      ),
    other_prices: held
      .filter(({ time }) => !holdsAt(time, now))
      .toSorted((a, b) => b.time.fromAt - a.time.fromAt)
      .map(({ row }) => row),
  };
}

/** When something of a plan besides its prices begins or ends. */
function findChanges(plan: PricePlan): readonly number[] {
  return [...datedIncluded(plan), ...datedAmounts(plan.baseFee), ...datedAmounts(plan.minimum)]
    .map(timeOf)
    .flatMap(({ fromAt, untilAt }) => [fromAt, untilAt]);
}

function noPrice(plan: PricePlan, at: number): PlanPrice {
  const { per, computeHours: compute_hours = null, amount = null } = includedAt(plan, at) ?? {};
  return {
    ...{ plan: plan.name, currency: plan.currency, price: null, list_price: null, from: null, until: null },
    included: per === undefined ? null : { per, compute_hours, amount },
    base_fee: amountAt(plan.baseFee, at) ?? null,
    minimum: amountAt(plan.minimum, at) ?? null,
  };
}

function writePrice(plan: PricePlan, { fromAt, untilAt }: Period): PlanPrice {
  const [tier] = tiersAt(plan, fromAt);
  const { discounted = null, list = null } = tier?.price ?? {};
  const write = (at: number) => (Number.isFinite(at) ? writeInstant(at) : null);
  return {
    ...{ ...noPrice(plan, fromAt), price: discounted, list_price: list },
    ...{ from: write(fromAt), until: write(untilAt) },
  };
}

/** What a compute hour costs now, and what it cost at other times; null without prices. */
export function drawPlanPrices(now: readonly PlanPrice[], others: readonly PlanPrice[]): Markup | null {
  const rows = [...now, ...others];
  if (rows.length === 0) return null;
  return card(
    others.length === 0 ? 'Prices in force' : 'Prices in force, then those of other times',
    table({
      caption: 'What a compute hour costs now, and what it costs at other times',
      isStacked: true,
      rows,
      columns: [
        { title: 'Plan', show: ({ plan }) => shownName(plan) },
        {
          number: 'A compute hour',
          show: ({ price, list_price, currency }) =>
            price === null ? 'no price' : sayPrice(price, list_price, currency),
        },
        { title: 'Included a period', isSparse: true, show: showIncluded },
        {
          number: 'Fee a period',
          isSparse: true,
          show: ({ base_fee, currency }) => showMoney(base_fee, currency),
        },
        {
          number: 'Minimum a period',
          isSparse: true,
          show: ({ minimum, currency }) => showMoney(minimum, currency),
        },
        { title: 'Holds', isSparse: true, show: showTime },
      ],
    }),
    { name: 'mb', end: html`<a class="a" href="/help/prices">what a price book can say</a>` },
  );
}

function showIncluded({ included, currency }: PlanPrice): Content {
  if (included === null) return null;
  const { per, compute_hours, amount } = included;
  const what =
    amount === null ? `${showDecimal(compute_hours)} h` : `${showMoney(amount, currency)} of compute`;
  return per === 'account' ? what : `${what} of each project`;
}

function showTime({ from, until }: PlanPrice): Content {
  if (from === null) return null;
  return until === null
    ? html`from ${isMidnight(from) ? from.slice(0, 10) : instant(from)} on`
    : periodText({ from, until, timezone: 'UTC' });
}

function isMidnight(at: string): boolean {
  return at.slice(11, 19) === '00:00:00';
}
