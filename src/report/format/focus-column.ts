import type { FocusCharge } from './focus-line.ts';
import { column, type RowColumn } from './report.ts';

/** A row of a charge. */
interface FocusRow extends FocusCharge {
  /** Of its project, an object of JSON. */
  readonly tags: string | undefined;
  /** Such as `metered+reported`; empty where it has no compute. */
  readonly ledgers: string;
}

const provider = 'Database Project Management';
const nothing = {
  about:
    'Empty: there are no zones, commitments, capacity, corrections, sub accounts or numbers of invoices.',
  of: () => undefined,
};

/** The columns of FOCUS 1.2 in the order of their names; the last is none of its own. */
export const focusColumns: readonly RowColumn<FocusRow>[] = [
  { key: 'AvailabilityZone', kind: 'text', ...nothing },
  column('BilledCost', 'decimal', 'What is charged.', row => row.cost),
  column('BillingAccountId', 'text', 'The account.', row => row.line.account),
  column('BillingAccountName', 'text', 'The account.', row => row.line.account),
  column('BillingAccountType', 'text', 'What is billed.', () => 'Account'),
  column('BillingCurrency', 'text', 'The currency of the plan.', row => row.line.charge?.currency),
  column(
    'BillingPeriodEnd',
    'instant',
    'The first instant after the billing period.',
    row => row.period.untilAt,
  ),
  column('BillingPeriodStart', 'instant', 'When the billing period began.', row => row.period.fromAt),
  { key: 'CapacityReservationId', kind: 'text', ...nothing },
  { key: 'CapacityReservationStatus', kind: 'text', ...nothing },
  column('ChargeCategory', 'text', 'What the charge is for.', row => row.category),
  { key: 'ChargeClass', kind: 'text', ...nothing },
  column('ChargeDescription', 'text', 'The charge in words.', row => row.description),
  column('ChargeFrequency', 'text', 'How often it is charged.', row => row.frequency),
  column('ChargePeriodEnd', 'instant', 'The first instant after its time.', row => row.line.untilAt),
  column('ChargePeriodStart', 'instant', 'When its time began.', row => row.line.fromAt),
  { key: 'CommitmentDiscountCategory', kind: 'text', ...nothing },
  { key: 'CommitmentDiscountId', kind: 'text', ...nothing },
  { key: 'CommitmentDiscountName', kind: 'text', ...nothing },
  { key: 'CommitmentDiscountQuantity', kind: 'decimal', ...nothing },
  { key: 'CommitmentDiscountStatus', kind: 'text', ...nothing },
  { key: 'CommitmentDiscountType', kind: 'text', ...nothing },
  { key: 'CommitmentDiscountUnit', kind: 'text', ...nothing },
  column(
    'ConsumedQuantity',
    'decimal',
    'How much was used, with what is included.',
    row => row.consumed?.quantity,
  ),
  column('ConsumedUnit', 'text', 'The unit of that.', row => row.consumed?.unit),
  column('ContractedCost', 'decimal', 'What is charged.', row => row.cost),
  column('ContractedUnitPrice', 'decimal', 'The price of a unit.', row => row.pricing?.contracted),
  column('EffectiveCost', 'decimal', 'What is charged.', row => row.cost),
  { key: 'InvoiceId', kind: 'text', ...nothing },
  column('InvoiceIssuerName', 'text', 'Who writes the invoice.', () => provider),
  column('ListCost', 'decimal', 'The cost before discounts.', row => row.listCost),
  column('ListUnitPrice', 'decimal', 'The price before discounts.', row => row.pricing?.list),
  column('PricingCategory', 'text', 'How the price is set.', row => row.pricing && 'Standard'),
  column('PricingCurrency', 'text', 'The currency of the price.', row => row.line.charge?.currency),
  column(
    'PricingCurrencyContractedUnitPrice',
    'decimal',
    'The price of a unit.',
    row => row.pricing?.contracted,
  ),
  column('PricingCurrencyEffectiveCost', 'decimal', 'What is charged.', row => row.cost),
  column('PricingCurrencyListUnitPrice', 'decimal', 'The price before discounts.', row => row.pricing?.list),
  column('PricingQuantity', 'decimal', 'How much was billed.', row => row.pricing?.quantity),
  column('PricingUnit', 'text', 'The unit of that.', row => row.pricing?.unit),
  column('ProviderName', 'text', 'Whose service it is.', () => provider),
  column('PublisherName', 'text', 'Who made it.', () => provider),
  column('RegionId', 'text', 'The region of the project.', row => row.line.project?.region_id),
  column('RegionName', 'text', 'The region of the project.', row => row.line.project?.region_id),
  column('ResourceId', 'text', 'The project.', row => row.line.project?.project_id),
  column('ResourceName', 'text', 'Its name.', row => row.line.project?.project_name),
  column('ResourceType', 'text', 'What was used.', row => row.line.project && 'Postgres project'),
  column('ServiceCategory', 'text', 'What the service is for.', () => 'Databases'),
  column('ServiceName', 'text', 'The service.', () => 'Hosted Postgres'),
  column('ServiceSubcategory', 'text', 'The kind of the service.', () => 'Relational Databases'),
  column('SkuId', 'text', 'What was sold.', row => row.sku?.id),
  column('SkuMeter', 'text', 'What was counted.', row => row.sku?.meter),
  column('SkuPriceDetails', 'text', 'The plan, date and tier of its price.', row => row.sku?.details),
  column('SkuPriceId', 'text', 'The price it was sold at.', row => row.sku?.priceId),
  { key: 'SubAccountId', kind: 'text', ...nothing },
  { key: 'SubAccountName', kind: 'text', ...nothing },
  { key: 'SubAccountType', kind: 'text', ...nothing },
  column('Tags', 'text', 'The groups of the project.', row => row.tags),
  column('x_ComputeLedger', 'text', 'The ledgers that its compute is by.', row => row.ledgers),
];
