import { billingCalendar } from '../../cost/calendar/billing-calendar.ts';
import type { Period } from '../../cost/calendar/calendar.ts';
import { decimalsOf } from '../../cost/money/decimal-sum.ts';
import {
  type Amount,
  addAmounts,
  amountOf,
  amountOfUse,
  compareAmounts,
  noAmount,
  showAmount,
  timesRate,
} from '../../cost/money/money.ts';
import type { CostKind, CostLine } from '../../cost/rating/cost-line.ts';
import type { DecimalText, PriceBook } from '../../resources/price-book.ts';
import { type Sku, skuOf } from './focus-sku.ts';
import { capital, onOneLine } from './shown-cell.ts';

/** Decimals of quantities, as parts of an hour may have no end; a cost has those of its price besides. */
const decimals = 12;

/** How the specification calls a charge. */
interface ChargeClass {
  readonly category: 'Usage' | 'Purchase' | 'Credit' | 'Adjustment' | 'Tax';
  readonly frequency: 'One-Time' | 'Recurring' | 'Usage-Based';
}

/** How charges of a kind are called, and what one of them is for. */
interface ChargeRule extends ChargeClass {
  readonly describe: (line: CostLine) => string;
}

const named = ({ name = '' }: CostLine) => name;

const chargeRules: Readonly<Record<Exclude<CostKind, 'usage' | 'metered'>, ChargeRule>> = {
  base_fee: {
    category: 'Purchase',
    frequency: 'Recurring',
    describe: ({ plan }) => `Base fee of plan ${plan}`,
  },
  minimum: {
    category: 'Purchase',
    frequency: 'Recurring',
    describe: ({ plan }) => `What is missing to the minimum of plan ${plan}`,
  },
  counted: {
    category: 'Usage',
    frequency: 'Usage-Based',
    describe: ({ name, plan }) => `${name} of plan ${plan}`,
  },
  line: { category: 'Purchase', frequency: 'Recurring', describe: named },
  allowance: {
    category: 'Credit',
    frequency: 'Recurring',
    describe: ({ plan }) => `Compute that plan ${plan} includes`,
  },
  credit: { category: 'Credit', frequency: 'Recurring', describe: named },
  adjustment: { category: 'Adjustment', frequency: 'One-Time', describe: named },
  tax: { category: 'Tax', frequency: 'Recurring', describe: named },
  rounding: {
    category: 'Adjustment',
    frequency: 'Recurring',
    describe: () => 'Rounding of the lines of the invoice',
  },
};

/** A quantity in a unit of the specification. */
interface Quantity {
  readonly quantity: DecimalText;
  readonly unit: string;
}

/** What a charge costs, and how that is worked out. */
interface ChargeCost extends ChargeClass {
  readonly description: string;
  readonly cost: DecimalText;
  /** Before discounts. */
  readonly listCost: DecimalText;
  /** With what is included; of use alone. */
  readonly consumed?: Quantity;
  /** Of what is bought: it has a price and a quantity. */
  readonly pricing?: Quantity & { readonly contracted: DecimalText; readonly list: DecimalText };
}

/** A line that has a cost, in the words of the specification. */
export interface FocusCharge extends ChargeCost {
  readonly line: CostLine;
  readonly period: Period;
  readonly sku?: Sku;
}

export function describeLine(line: CostLine, book: PriceBook): FocusCharge {
  const cost = describeCost(line);
  return {
    ...{ line, period: billingCalendar(book.billingPeriod)(line.fromAt), ...cost },
    ...(cost.pricing && { sku: skuOf(line, book) }),
  };
}

function describeCost(line: CostLine): ChargeCost {
  if (line.kind === 'usage') {
    const { billedCuMs, usedCuMs } = line;
    const consumed = { quantity: hours(usedCuMs), unit: 'CU-Hours' };
    return describeUse(line, 'Compute', { consumed, billed: hours(billedCuMs) });
  }
  if (line.kind !== 'metered') return describeCharge(line, chargeRules[line.kind]);
  const { name: what = '', quantity: { value: billed, unit, included = '0' } = { value: '0', unit: '' } } =
    line;
  const all = showAmount(addAmounts(amountOf(billed), amountOf(included)), decimals);
  return describeUse(line, what, { consumed: { quantity: all, unit: unitOf(unit) }, billed });
}

function describeUse(
  { plan, project, charge }: CostLine,
  what: string,
  { consumed, billed }: { readonly consumed: Quantity; readonly billed: DecimalText },
): ChargeCost {
  const { list = '0', discounted = '0' } = charge?.price ?? {};
  return {
    ...{ category: 'Usage', frequency: 'Usage-Based' },
    description: onOneLine(
      `${what} of project ${project?.project_name ?? project?.project_id} by plan ${plan}`,
    ),
    ...{ cost: multiply(billed, discounted), listCost: multiply(billed, list), consumed },
    pricing: { quantity: billed, unit: consumed.unit, contracted: discounted, list },
  };
}

/** What is bought has a price and a quantity; what is taken off, levied or made good has neither. */
function describeCharge(line: CostLine, { category, frequency, describe }: ChargeRule): ChargeCost {
  const amount = line.charge?.amount ?? noAmount;
  const cost = showAmount(amount, decimals);
  const charge = { frequency, description: onOneLine(describe(line)), cost, listCost: cost };
  const isBought = category === 'Usage' || category === 'Purchase';
  if (!isBought || compareAmounts(amount, noAmount) < 0) {
    return { ...charge, category: isBought ? 'Adjustment' : category };
  }
  const priced = priceQuantity(line, amount);
  if (priced !== undefined) return { ...charge, ...priced, category: 'Usage', frequency: 'Usage-Based' };
  const pricing = { quantity: '1', unit: 'Units', contracted: cost, list: cost };
  return { ...charge, category: 'Purchase', frequency: 'Recurring', pricing };
}

/** The price and the quantity of a charge, where they come to its amount to the last decimal. */
function priceQuantity(
  { quantity, charge }: CostLine,
  amount: Amount,
): Pick<ChargeCost, 'cost' | 'listCost' | 'consumed' | 'pricing'> | undefined {
  const price = charge?.price;
  if (quantity === undefined || price === undefined) return undefined;
  const product = timesRate(amountOf(quantity.value), price.discounted);
  if (compareAmounts(product, amount) !== 0) return undefined;
  const consumed = { quantity: quantity.value, unit: unitOf(quantity.unit) };
  return {
    cost: multiply(quantity.value, price.discounted),
    listCost: multiply(quantity.value, price.list),
    ...{ consumed, pricing: { ...consumed, contracted: price.discounted, list: price.list } },
  };
}

/** A unit as the specification writes it: `GB-month` is `GB-Months`, `requests` is `Requests`. */
function unitOf(unit: string): string {
  const parts = onOneLine(unit).split('-');
  const capitals = parts.map(part => (/^[a-z]/.test(part) ? capital(part) : part));
  const last = capitals.at(-1) ?? '';
  return [...capitals.slice(0, -1), /[a-rt-z]$/.test(last) ? `${last}s` : last].join('-');
}

/** The exact product: in the specification a unit price times its quantity is the cost. */
function multiply(quantity: DecimalText, price: DecimalText): DecimalText {
  const places = decimalsOf(price);
  return showAmount(timesRate(amountOf(quantity), price), decimals + places);
}

function hours(cuMs: number): DecimalText {
  return showAmount(amountOfUse(cuMs), decimals);
}
