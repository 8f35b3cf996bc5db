import { billingCalendar } from '../../cost/calendar/billing-calendar.ts';
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
import type { FocusRow } from './focus-column.ts';
import { skuOf } from './focus-sku.ts';
import { onOneLine } from './shown-cell.ts';

/** Decimals of quantities, as parts of an hour may have no end; a cost has those of its price besides. */
const decimals = 12;
const provider = 'Database Project Management';

/** How the specification calls charges of a kind, and what one of them is for. */
interface ChargeRule {
  readonly category: 'Usage' | 'Purchase' | 'Credit' | 'Adjustment' | 'Tax';
  readonly frequency: 'One-Time' | 'Recurring' | 'Usage-Based';
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

/** The row of a line that has a cost. @param tags of its project. */
export function describeLine(line: CostLine, book: PriceBook, tags: string | undefined): FocusRow {
  const { account, charge, project } = line;
  const period = billingCalendar(book.billingPeriod)(line.fromAt);
  const row: FocusRow = {
    BillingAccountId: account,
    BillingAccountName: account,
    BillingAccountType: 'Account',
    BillingCurrency: charge?.currency,
    BillingPeriodStart: period.fromAt,
    BillingPeriodEnd: period.untilAt,
    ChargePeriodStart: line.fromAt,
    ChargePeriodEnd: line.untilAt,
    InvoiceIssuerName: provider,
    PricingCurrency: charge?.currency,
    ProviderName: provider,
    PublisherName: provider,
    ServiceCategory: 'Databases',
    ServiceName: 'Hosted Postgres',
    ServiceSubcategory: 'Relational Databases',
    ...(project && {
      RegionId: project.region_id,
      RegionName: project.region_id,
      ResourceId: project.project_id,
      ResourceName: project.project_name,
      ResourceType: 'Postgres project',
      Tags: tags,
    }),
    ...describeKind(line),
  };
  const sku = row.PricingQuantity === undefined ? {} : skuOf(line, book);
  return {
    ...row,
    ...sku,
    PricingCurrencyContractedUnitPrice: row.ContractedUnitPrice,
    PricingCurrencyEffectiveCost: row.EffectiveCost,
    PricingCurrencyListUnitPrice: row.ListUnitPrice,
  };
}

function describeKind(line: CostLine): FocusRow {
  if (line.kind === 'usage') {
    const { billedCuMs, usedCuMs } = line;
    const compute = { what: 'Compute', unit: 'CU-Hours' };
    return describeUse(line, { ...compute, billed: hours(billedCuMs), consumed: hours(usedCuMs) });
  }
  if (line.kind !== 'metered') return describeCharge(line, chargeRules[line.kind]);
  const { name: what = '', quantity: { value: billed, unit, included = '0' } = { value: '0', unit: '' } } =
    line;
  const consumed = showAmount(addAmounts(amountOf(billed), amountOf(included)), decimals);
  return describeUse(line, { what, unit: unitOf(unit), billed, consumed });
}

/** Something that was used, in a unit of the specification. */
interface ConsumedUse {
  readonly what: string;
  readonly unit: string;
  readonly billed: DecimalText;
  /** With what is included. */
  readonly consumed: DecimalText;
}

function describeUse(
  { plan, project, charge }: CostLine,
  { what, unit, billed, consumed }: ConsumedUse,
): FocusRow {
  const { list = '0', discounted = '0' } = charge?.price ?? {};
  return {
    ...costsOf(multiply(billed, discounted), multiply(billed, list)),
    ChargeCategory: 'Usage',
    ChargeDescription: onOneLine(
      `${what} of project ${project?.project_name ?? project?.project_id} by plan ${plan}`,
    ),
    ChargeFrequency: 'Usage-Based',
    ConsumedQuantity: consumed,
    ConsumedUnit: unit,
    ContractedUnitPrice: discounted,
    ListUnitPrice: list,
    PricingCategory: 'Standard',
    PricingQuantity: billed,
    PricingUnit: unit,
  };
}

/** What is bought has a price and a quantity; what is taken off, levied or made good has neither. */
function describeCharge(line: CostLine, { category, frequency, describe }: ChargeRule): FocusRow {
  const amount = line.charge?.amount ?? noAmount;
  const cost = showAmount(amount, decimals);
  const shown = { ChargeDescription: onOneLine(describe(line)), ChargeFrequency: frequency };
  const isBought = category === 'Usage' || category === 'Purchase';
  if (!isBought || compareAmounts(amount, noAmount) < 0) {
    return { ...costsOf(cost, cost), ...shown, ChargeCategory: isBought ? 'Adjustment' : category };
  }
  const priced = priceQuantity(line, amount);
  if (priced === undefined) {
    return {
      ...costsOf(cost, cost),
      ...shown,
      ChargeCategory: 'Purchase',
      ChargeFrequency: 'Recurring',
      ...{ ContractedUnitPrice: cost, ListUnitPrice: cost, PricingCategory: 'Standard' },
      ...{ PricingQuantity: '1', PricingUnit: 'Units' },
    };
  }
  return { ...priced, ...shown, ChargeCategory: 'Usage', ChargeFrequency: 'Usage-Based' };
}

/** The price and the quantity of a charge, where they come to its amount to the last decimal. */
function priceQuantity({ quantity, charge }: CostLine, amount: Amount): FocusRow | undefined {
  const price = charge?.price;
  if (quantity === undefined || price === undefined) return undefined;
  const product = timesRate(amountOf(quantity.value), price.discounted);
  if (compareAmounts(product, amount) !== 0) return undefined;
  const unit = unitOf(quantity.unit);
  return {
    ...costsOf(multiply(quantity.value, price.discounted), multiply(quantity.value, price.list)),
    ...{
      ConsumedQuantity: quantity.value,
      ConsumedUnit: unit,
      PricingQuantity: quantity.value,
      PricingUnit: unit,
    },
    ...{ ContractedUnitPrice: price.discounted, ListUnitPrice: price.list, PricingCategory: 'Standard' },
  };
}

/** A unit as the specification writes it: `GB-month` is `GB-Months`, `requests` is `Requests`. */
function unitOf(unit: string): string {
  const parts = onOneLine(unit).split('-');
  const capitals = parts.map(part =>
    /^[a-z]/.test(part) ? part.charAt(0).toUpperCase() + part.slice(1) : part,
  );
  const last = capitals.at(-1) ?? '';
  return [...capitals.slice(0, -1), /[a-rt-z]$/.test(last) ? `${last}s` : last].join('-');
}

function costsOf(cost: DecimalText, list: DecimalText): FocusRow {
  return { BilledCost: cost, EffectiveCost: cost, ContractedCost: cost, ListCost: list };
}

/** The exact product: in the specification a unit price times its quantity is the cost. */
function multiply(quantity: DecimalText, price: DecimalText): DecimalText {
  const places = price.split('.')[1]?.length ?? 0;
  return showAmount(timesRate(amountOf(quantity), price), decimals + places);
}

function hours(cuMs: number): DecimalText {
  return showAmount(amountOfUse(cuMs), decimals);
}
