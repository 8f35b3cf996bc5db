import type { FocusCharge } from './focus-line.ts';
import type { RowColumn } from './report.ts';

/** A row of a charge. */
export interface FocusRow extends FocusCharge {
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
  { key: 'BilledCost', kind: 'decimal', about: 'What is charged.', of: row => row.cost },
  { key: 'BillingAccountId', kind: 'text', about: 'The account.', of: row => row.line.account },
  { key: 'BillingAccountName', kind: 'text', about: 'The account.', of: row => row.line.account },
  { key: 'BillingAccountType', kind: 'text', about: 'What is billed.', of: () => 'Account' },
  {
    ...{ key: 'BillingCurrency', kind: 'text', about: 'The currency of the plan.' },
    of: row => row.line.charge?.currency,
  },
  {
    ...{ key: 'BillingPeriodEnd', kind: 'instant', about: 'The first instant after the billing period.' },
    of: row => row.period.untilAt,
  },
  {
    ...{ key: 'BillingPeriodStart', kind: 'instant', about: 'When the billing period began.' },
    of: row => row.period.fromAt,
  },
  { key: 'CapacityReservationId', kind: 'text', ...nothing },
  { key: 'CapacityReservationStatus', kind: 'text', ...nothing },
  { key: 'ChargeCategory', kind: 'text', about: 'What the charge is for.', of: row => row.category },
  { key: 'ChargeClass', kind: 'text', ...nothing },
  { key: 'ChargeDescription', kind: 'text', about: 'The charge in words.', of: row => row.description },
  { key: 'ChargeFrequency', kind: 'text', about: 'How often it is charged.', of: row => row.frequency },
  {
    ...{ key: 'ChargePeriodEnd', kind: 'instant', about: 'The first instant after its time.' },
    of: row => row.line.untilAt,
  },
  { key: 'ChargePeriodStart', kind: 'instant', about: 'When its time began.', of: row => row.line.fromAt },
  { key: 'CommitmentDiscountCategory', kind: 'text', ...nothing },
  { key: 'CommitmentDiscountId', kind: 'text', ...nothing },
  { key: 'CommitmentDiscountName', kind: 'text', ...nothing },
  { key: 'CommitmentDiscountQuantity', kind: 'decimal', ...nothing },
  { key: 'CommitmentDiscountStatus', kind: 'text', ...nothing },
  { key: 'CommitmentDiscountType', kind: 'text', ...nothing },
  { key: 'CommitmentDiscountUnit', kind: 'text', ...nothing },
  {
    ...{ key: 'ConsumedQuantity', kind: 'decimal', about: 'How much was used, with what is included.' },
    of: row => row.consumed?.quantity,
  },
  { key: 'ConsumedUnit', kind: 'text', about: 'The unit of that.', of: row => row.consumed?.unit },
  { key: 'ContractedCost', kind: 'decimal', about: 'What is charged.', of: row => row.cost },
  {
    ...{ key: 'ContractedUnitPrice', kind: 'decimal', about: 'The price of a unit.' },
    of: row => row.pricing?.contracted,
  },
  { key: 'EffectiveCost', kind: 'decimal', about: 'What is charged.', of: row => row.cost },
  { key: 'InvoiceId', kind: 'text', ...nothing },
  { key: 'InvoiceIssuerName', kind: 'text', about: 'Who writes the invoice.', of: () => provider },
  { key: 'ListCost', kind: 'decimal', about: 'The cost before discounts.', of: row => row.listCost },
  {
    ...{ key: 'ListUnitPrice', kind: 'decimal', about: 'The price before discounts.' },
    of: row => row.pricing?.list,
  },
  {
    ...{ key: 'PricingCategory', kind: 'text', about: 'How the price is set.' },
    of: row => row.pricing && 'Standard',
  },
  {
    ...{ key: 'PricingCurrency', kind: 'text', about: 'The currency of the price.' },
    of: row => row.line.charge?.currency,
  },
  {
    ...{ key: 'PricingCurrencyContractedUnitPrice', kind: 'decimal', about: 'The price of a unit.' },
    of: row => row.pricing?.contracted,
  },
  { key: 'PricingCurrencyEffectiveCost', kind: 'decimal', about: 'What is charged.', of: row => row.cost },
  {
    ...{ key: 'PricingCurrencyListUnitPrice', kind: 'decimal', about: 'The price before discounts.' },
    of: row => row.pricing?.list,
  },
  {
    ...{ key: 'PricingQuantity', kind: 'decimal', about: 'How much was billed.' },
    of: row => row.pricing?.quantity,
  },
  { key: 'PricingUnit', kind: 'text', about: 'The unit of that.', of: row => row.pricing?.unit },
  { key: 'ProviderName', kind: 'text', about: 'Whose service it is.', of: () => provider },
  { key: 'PublisherName', kind: 'text', about: 'Who made it.', of: () => provider },
  {
    ...{ key: 'RegionId', kind: 'text', about: 'The region of the project.' },
    of: row => row.line.project?.region_id,
  },
  {
    ...{ key: 'RegionName', kind: 'text', about: 'The region of the project.' },
    of: row => row.line.project?.region_id,
  },
  { key: 'ResourceId', kind: 'text', about: 'The project.', of: row => row.line.project?.project_id },
  { key: 'ResourceName', kind: 'text', about: 'Its name.', of: row => row.line.project?.project_name },
  {
    ...{ key: 'ResourceType', kind: 'text', about: 'What was used.' },
    of: row => row.line.project && 'Postgres project',
  },
  { key: 'ServiceCategory', kind: 'text', about: 'What the service is for.', of: () => 'Databases' },
  { key: 'ServiceName', kind: 'text', about: 'The service.', of: () => 'Hosted Postgres' },
  {
    ...{ key: 'ServiceSubcategory', kind: 'text', about: 'The kind of the service.' },
    of: () => 'Relational Databases',
  },
  { key: 'SkuId', kind: 'text', about: 'What was sold.', of: row => row.sku?.id },
  { key: 'SkuMeter', kind: 'text', about: 'What was counted.', of: row => row.sku?.meter },
  {
    ...{ key: 'SkuPriceDetails', kind: 'text', about: 'The plan, date and tier of its price.' },
    of: row => row.sku?.details,
  },
  { key: 'SkuPriceId', kind: 'text', about: 'The price it was sold at.', of: row => row.sku?.priceId },
  { key: 'SubAccountId', kind: 'text', ...nothing },
  { key: 'SubAccountName', kind: 'text', ...nothing },
  { key: 'SubAccountType', kind: 'text', ...nothing },
  { key: 'Tags', kind: 'text', about: 'The groups of the project.', of: row => row.tags },
  {
    ...{ key: 'x_ComputeLedger', kind: 'text', about: 'The ledgers that its compute is by.' },
    of: row => row.ledgers,
  },
];
