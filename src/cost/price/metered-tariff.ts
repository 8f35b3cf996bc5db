import { hoursOfMonth } from '../../resources/meter.ts';
import { minOf } from '../../resources/min-max.ts';
import type {
  Dated,
  DatedIncluded,
  DatedPrice,
  IncludedQuantity,
  MeteredPrice,
  MeteredThing,
  MeterRules,
  PricePlan,
  Tariff,
  ThingMetric,
} from '../../resources/price-book.ts';
import { timeOf } from './dated.ts';

export const usualMeterRules: MeterRules = { unit: 'month', gigabyte: 'decimal' };

/** A unit that is billed, and how many of the units that the meter counts in are one of it. */
export interface MeteredUnit {
  readonly name: string;
  readonly parts: number;
}

const gigabytes = { decimal: { name: 'GB', bytes: 1e9 }, binary: { name: 'GiB', bytes: 2 ** 30 } } as const;

/** The unit that a metric is billed in. */
export function unitOf(metric: ThingMetric, { unit, gigabyte }: MeterRules = usualMeterRules): MeteredUnit {
  const { name, bytes } = gigabytes[gigabyte];
  const month = unit === 'hour' ? hoursOfMonth : 1;
  switch (metric) {
    case 'public_network_transfer_bytes':
    case 'private_network_transfer_bytes':
      return { name, parts: bytes };
    case 'extra_branches_month':
      return { name: 'branch-month', parts: month };
    default:
      return { name: `${name}-month`, parts: bytes * month };
  }
}

/** Decimals of a metered quantity that is expected. */
const quantityDecimals = 3;

/** An amount of a metric in a unit, as forecasts say it. */
export function writeQuantity(amount: number, { parts }: MeteredUnit): string {
  return (amount / parts).toFixed(quantityDecimals);
}

/** How a metered thing of a plan is charged, while it holds. */
export function tariffOf(
  { currency, partialPeriod }: PricePlan,
  thing: MeteredThing,
  { parts }: MeteredUnit,
): Tariff {
  const { included } = thing;
  const listed = included === undefined || 'per' in included ? [included ?? []].flat() : included;
  const quantities = cutTo(thing, listed as readonly (IncludedQuantity & Dated)[]);
  return {
    currency,
    partsOfUnit: parts,
    prices: cutTo(thing, thing.prices).map(toPrice),
    ...(quantities.length > 0 && { included: quantities.map(toIncluded) }),
    ...(partialPeriod && { partialPeriod }),
  };
}

type Cut<Entry> = Omit<Entry, keyof Dated> & { readonly fromAt: number; readonly untilAt?: number };

/** Entries as far as they hold while the thing does. */
function cutTo<Entry extends Dated>(thing: MeteredThing, entries: readonly Entry[]): Cut<Entry>[] {
  const held = timeOf(thing);
  return entries.flatMap(entry => {
    const own = timeOf(entry);
    const fromAt = Math.max(own.fromAt, held.fromAt);
    const untilAt = minOf([own.untilAt, held.untilAt]);
    return fromAt < untilAt ? [{ ...entry, fromAt, ...(Number.isFinite(untilAt) && { untilAt }) }] : [];
  });
}

function toPrice({ price, tiers, ...dated }: Cut<MeteredPrice>): DatedPrice {
  const higher = tiers?.map(tier => ({ beyondHours: tier.beyond, perComputeHour: tier.price }));
  return { ...dated, perComputeHour: price, ...(higher && { tiers: higher }) };
}

function toIncluded({ quantity, ...rest }: Cut<IncludedQuantity & Dated>): DatedIncluded {
  return { ...rest, computeHours: quantity };
}
