import * as v from 'valibot';
import { holdsAt } from '../../../cost/price/dated.ts';
import { tiersAt } from '../../../cost/price/price-lookup.ts';
import { decimalField } from '../../answer-field.ts';
import type { ConsoleSources } from '../../page.ts';
import { card } from '../../part/card.ts';
import { html, type Markup } from '../../part/html.ts';
import { sayPrice } from '../../part/number.ts';
import { shownName } from '../../part/shown-text.ts';
import { table } from '../../part/table.ts';

export const inForceField = v.object({
  plan: v.string(),
  currency: v.string(),
  /** Of a compute hour, with the discount and without; null where the plan has no price now. */
  price: v.nullable(decimalField),
  list_price: v.nullable(decimalField),
});
type InForce = v.InferOutput<typeof inForceField>;

/** The price of an hour of each plan now. */
export function findInForce({ pricing }: ConsoleSources['config'], now: number): InForce[] {
  return (pricing?.plans ?? [])
    .filter(plan => holdsAt(plan, now))
    .map(plan => {
      const [tier] = tiersAt(plan, now);
      const { discounted = null, list = null } = tier?.price ?? {};
      return { plan: plan.name, currency: plan.currency, price: discounted, list_price: list };
    });
}

/** What a compute hour costs now; null without prices. */
export function drawInForce(in_force: readonly InForce[]): Markup | null {
  if (in_force.length === 0) return null;
  return card(
    'Prices in force',
    table({
      caption: 'What a compute hour costs now',
      rows: in_force,
      columns: [
        { title: 'Plan', show: ({ plan }) => shownName(plan) },
        {
          number: 'A compute hour',
          show: ({ price, list_price, currency }) =>
            price === null ? 'no price' : sayPrice(price, list_price, currency),
        },
      ],
    }),
    { end: html`<a class="a" href="/help/prices">what a price book can say</a>` },
  );
}
