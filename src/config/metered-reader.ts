import * as v from 'valibot';
import { compact } from '../resources/field.ts';
import { meterMetrics } from '../resources/meter.ts';
import {
  computeLedgers,
  type IncludedQuantity,
  type MeteredThing,
  type MeterRules,
  type ThingMetric,
  thingMetrics,
  thingNames,
} from '../resources/price-book.ts';
import { allowances, anyDates, dated, dates, pool } from './dated-entry.ts';
import { group, list, oneOrList, type Schema, single, unplaced } from './schema.ts';
import { decimal, spendingName, wholeNumber } from './spending-schema.ts';
import { unitPrices } from './unit-price.ts';
import { nameLike } from './value-schema.ts';
import { childOf, nodeProblem, type WrittenNode } from './written-node.ts';

const isThing = (text: string): text is ThingMetric => thingMetrics.some(metric => metric === text);

const metricAdvice = `write one of ${thingMetrics.join(', ')}`;
const metric: Schema<ThingMetric> = single(
  metricAdvice,
  v.pipe(
    nameLike(
      text => isThing(text) || isCompute(text),
      () => thingMetrics,
      metricAdvice,
    ),
    v.check(isThing, 'write what is metered besides compute: prices.per_compute_hour is the price of that'),
    v.transform(text => text as ThingMetric),
  ),
);

function isCompute(text: string): boolean {
  return text === meterMetrics[0];
}

const pricesOfThing = unitPrices({ key: 'price', quantity: 'the quantity' });
const onlyPrice = v.pipe(
  decimal,
  v.transform(text => [{ price: text, discountPercent: '0' }]),
);
const price = v.pipe(
  oneOrList<MeteredThing['prices']>(onlyPrice, unplaced(pricesOfThing)),
  v.description('write the price of one, or a list of prices, each after a "- "'),
);

const allowanceAdvice = 'write quantity and per';
const quantityKeys = { quantity: decimal, per: pool };
const included = allowances<IncludedQuantity>(
  allowanceAdvice,
  group(allowanceAdvice, quantityKeys),
  dated(group(`${allowanceAdvice}, and from`, { ...dates, ...quantityKeys })),
);

const thing: Schema<MeteredThing> = v.pipe(
  dated(
    group('write metric and price', {
      metric,
      price,
      name: v.exactOptional(spendingName),
      included: v.exactOptional(included),
      included_at_once: v.exactOptional(
        wholeNumber('write how many of each project are free at any time, such as 9', 1, 100_000),
      ),
      ...anyDates,
    }),
    ({ node, value }) => findStrayBranches(node, value.metric),
  ),
  v.transform(
    ({ value: { included_at_once, price: prices, name, ...value } }): MeteredThing => ({
      ...{ ...value, name: name ?? thingNames[value.metric], prices },
      ...compact({ includedAtOnce: included_at_once }),
    }),
  ),
);

/** Bytes are not there one by one. */
function findStrayBranches(node: WrittenNode, counted: ThingMetric) {
  const atOnce = childOf(node, 'included_at_once');
  if (atOnce === undefined || counted === 'extra_branches_month') return [];
  return [nodeProblem(atOnce, `it beside ${counted}`, 'write included, or leave it out')];
}

/** The metered things of a plan. */
export const meteredThings: Schema<MeteredThing[]> = list(
  'write a list of things, each after a "- "',
  thing,
  'any number',
);

/** How the meter of the service counts. */
export const meterRules: Schema<MeterRules> = v.pipe(
  group('write unit or gigabyte, such as {unit: hour}', {
    unit: v.exactOptional(single('write month or hour', v.picklist(['month', 'hour']))),
    gigabyte: v.exactOptional(single('write decimal or binary', v.picklist(['decimal', 'binary']))),
  }),
  v.transform(({ unit = 'month', gigabyte = 'decimal' }): MeterRules => ({ unit, gigabyte })),
);

export const computeLedger = single(`write one of ${computeLedgers.join(', ')}`, v.picklist(computeLedgers));
