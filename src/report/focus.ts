import { billingCalendar } from '../cost/calendar/billing-calendar.ts';
import { amountOf, amountOfUse, noAmount, showAmount, timesRate } from '../cost/money/money.ts';
import { type CostKind, type CostLine, sumLines } from '../cost/rating/cost-line.ts';
import type { DecimalText, PriceBook } from '../resources/price-book.ts';
import type { ReportContent, ReportSubject } from './content.ts';
import { describeUnknown } from './format/cost-text.ts';
import { focusColumns } from './format/focus-column.ts';
import type { Cell } from './format/report.ts';
import { onOneLine } from './format/shown-cell.ts';
import { describeUnreadMinimums } from './minimum-note.ts';
import { knownCharges, priceUse, requirePricing } from './row/scoped-cost.ts';

type FocusRow = Readonly<Partial<Record<(typeof focusColumns)[number]['key'], Cell>>>;

/** Decimals of quantities, as parts of an hour may have no end; a cost has those of its price besides. */
const decimals = 12;
const provider = 'Database Project Management';

/**
 * The report in the form of version 1.0 of the FinOps Open Cost and Usage Specification: a row for each charge.
 *
 * @throws Failure when the configuration has no prices.
 */
export function reportFocus(subject: ReportSubject): ReportContent {
  const { request } = subject;
  const book = requirePricing(subject);
  const costing = priceUse(subject, book);
  const lines = [...costing.usageLines(request.span), ...knownCharges(subject, costing)];
  const priced = lines.filter(({ charge }) => charge !== undefined);
  const unpriced = lines.filter(({ charge }) => charge === undefined);
  return {
    title: 'FOCUS 1.0 cost and usage',
    columns: focusColumns,
    rows: priced.map(line => {
      const row = describeLine(line, book, subject);
      return focusColumns.map(({ key }) => row[key]);
    }),
    notes: [],
    // The specification has no row without a cost.
    gaps: [
      ...describeUnknown([{ scope: { key: '', cells: [] }, sum: sumLines(unpriced) }]),
      ...describeUnreadMinimums(subject, book),
    ],
  };
}

function describeLine(line: CostLine, book: PriceBook, subject: ReportSubject): FocusRow {
  const period = billingCalendar(book.billingPeriod)(line.fromAt);
  return {
    BillingAccountId: line.account,
    BillingAccountName: line.account,
    BillingCurrency: line.charge?.currency,
    BillingPeriodStart: period.fromAt,
    BillingPeriodEnd: period.untilAt,
    ChargePeriodStart: line.fromAt,
    ChargePeriodEnd: line.untilAt,
    InvoiceIssuerName: provider,
    ProviderName: provider,
    PublisherName: provider,
    ServiceCategory: 'Databases',
    ServiceName: 'Hosted Postgres',
    PricingCategory: 'Standard',
    ...(line.kind === 'usage' ? describeUse(line, subject) : describeCharge(line)),
  };
}

function describeUse(line: CostLine, { request, groups }: ReportSubject): FocusRow {
  const { project, charge } = line;
  const { list = '0', discounted = '0' } = charge?.price ?? {};
  const quantity = hours(line.billedCuMs);
  const groupings = request.config.groupings.map(({ name }) => name);
  const tags = project && groupings.map(name => [name, groups.groupOf(name, project)]);
  return {
    ...costsOf(multiply(quantity, discounted), multiply(quantity, list)),
    ChargeCategory: 'Usage',
    ChargeDescription: onOneLine(
      `Compute of project ${project?.project_name ?? project?.project_id} by plan ${line.plan}`,
    ),
    ChargeFrequency: 'Usage-Based',
    ConsumedQuantity: hours(line.usedCuMs),
    ConsumedUnit: 'CU-Hours',
    ContractedUnitPrice: discounted,
    ListUnitPrice: list,
    PricingQuantity: quantity,
    PricingUnit: 'CU-Hours',
    RegionId: project?.region_id,
    RegionName: project?.region_id,
    ResourceId: project?.project_id,
    ResourceName: project?.project_name,
    ResourceType: 'Postgres project',
    SkuId: 'compute',
    SkuPriceId: `compute/${line.plan}`,
    ...(tags !== undefined && tags.length > 0 && { Tags: JSON.stringify(Object.fromEntries(tags)) }),
  };
}

interface ChargeWords {
  /** By the specification. */
  readonly category: 'Purchase' | 'Credit' | 'Adjustment' | 'Tax';
  readonly describe: (line: CostLine) => string;
}

const chargeWords: Readonly<Record<Exclude<CostKind, 'usage'>, ChargeWords>> = {
  base_fee: { category: 'Purchase', describe: ({ plan }) => `Base fee of plan ${plan}` },
  minimum: { category: 'Purchase', describe: ({ plan }) => `What is missing to the minimum of plan ${plan}` },
  counted: { category: 'Purchase', describe: ({ name, plan }) => `${name} of plan ${plan}` },
  line: { category: 'Purchase', describe: ({ name }) => `${name}` },
  allowance: { category: 'Credit', describe: ({ plan }) => `Compute that plan ${plan} includes` },
  credit: { category: 'Credit', describe: ({ name }) => `${name}` },
  adjustment: { category: 'Adjustment', describe: ({ name }) => `${name}` },
  tax: { category: 'Tax', describe: ({ name }) => `${name}` },
  rounding: { category: 'Adjustment', describe: () => 'Rounding of the lines of the invoice' },
};

/** One unit at what is charged. */
function describeCharge(line: CostLine): FocusRow {
  const { kind, plan, name, charge, project } = line;
  if (kind === 'usage') return {};
  const { category, describe } = chargeWords[kind];
  const cost = showAmount(charge?.amount ?? noAmount, decimals);
  return {
    ...costsOf(cost, cost),
    ChargeCategory: category,
    ChargeDescription: onOneLine(describe(line)),
    ChargeFrequency: 'Recurring',
    ...(category !== 'Tax' && {
      ContractedUnitPrice: cost,
      ListUnitPrice: cost,
      PricingQuantity: '1',
      PricingUnit: 'Units',
      SkuId: kind,
      SkuPriceId: [kind, plan, name].filter(part => part !== undefined).join('/'),
    }),
    ...(project && { ResourceId: project.project_id, ResourceName: project.project_name }),
  };
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
