import type { FocusVersion } from '../kind.ts';
import type { Cell, Column } from './report.ts';

interface FocusColumn extends Column {
  readonly kind: 'text' | 'decimal' | 'instant';
  /** The version that brought it; absent for the first one that is written here. */
  readonly since?: FocusVersion;
}

/** The columns of FOCUS in the order of their names; those of commitments, capacity and zones stay empty, and the last is none of its own. */
const columns = [
  { key: 'AvailabilityZone', kind: 'text' },
  { key: 'BilledCost', kind: 'decimal' },
  { key: 'BillingAccountId', kind: 'text' },
  { key: 'BillingAccountName', kind: 'text' },
  { key: 'BillingAccountType', kind: 'text', since: '1.2' },
  { key: 'BillingCurrency', kind: 'text' },
  { key: 'BillingPeriodEnd', kind: 'instant' },
  { key: 'BillingPeriodStart', kind: 'instant' },
  { key: 'CapacityReservationId', kind: 'text', since: '1.2' },
  { key: 'CapacityReservationStatus', kind: 'text', since: '1.2' },
  { key: 'ChargeCategory', kind: 'text' },
  { key: 'ChargeClass', kind: 'text' },
  { key: 'ChargeDescription', kind: 'text' },
  { key: 'ChargeFrequency', kind: 'text' },
  { key: 'ChargePeriodEnd', kind: 'instant' },
  { key: 'ChargePeriodStart', kind: 'instant' },
  { key: 'CommitmentDiscountCategory', kind: 'text' },
  { key: 'CommitmentDiscountId', kind: 'text' },
  { key: 'CommitmentDiscountName', kind: 'text' },
  { key: 'CommitmentDiscountQuantity', kind: 'decimal', since: '1.2' },
  { key: 'CommitmentDiscountStatus', kind: 'text' },
  { key: 'CommitmentDiscountType', kind: 'text' },
  { key: 'CommitmentDiscountUnit', kind: 'text', since: '1.2' },
  { key: 'ConsumedQuantity', kind: 'decimal' },
  { key: 'ConsumedUnit', kind: 'text' },
  { key: 'ContractedCost', kind: 'decimal' },
  { key: 'ContractedUnitPrice', kind: 'decimal' },
  { key: 'EffectiveCost', kind: 'decimal' },
  { key: 'InvoiceId', kind: 'text', since: '1.2' },
  { key: 'InvoiceIssuerName', kind: 'text' },
  { key: 'ListCost', kind: 'decimal' },
  { key: 'ListUnitPrice', kind: 'decimal' },
  { key: 'PricingCategory', kind: 'text' },
  { key: 'PricingCurrency', kind: 'text', since: '1.2' },
  { key: 'PricingCurrencyContractedUnitPrice', kind: 'decimal', since: '1.2' },
  { key: 'PricingCurrencyEffectiveCost', kind: 'decimal', since: '1.2' },
  { key: 'PricingCurrencyListUnitPrice', kind: 'decimal', since: '1.2' },
  { key: 'PricingQuantity', kind: 'decimal' },
  { key: 'PricingUnit', kind: 'text' },
  { key: 'ProviderName', kind: 'text' },
  { key: 'PublisherName', kind: 'text' },
  { key: 'RegionId', kind: 'text' },
  { key: 'RegionName', kind: 'text' },
  { key: 'ResourceId', kind: 'text' },
  { key: 'ResourceName', kind: 'text' },
  { key: 'ResourceType', kind: 'text' },
  { key: 'ServiceCategory', kind: 'text' },
  { key: 'ServiceName', kind: 'text' },
  { key: 'ServiceSubcategory', kind: 'text', since: '1.2' },
  { key: 'SkuId', kind: 'text' },
  { key: 'SkuMeter', kind: 'text', since: '1.2' },
  { key: 'SkuPriceDetails', kind: 'text', since: '1.2' },
  { key: 'SkuPriceId', kind: 'text' },
  { key: 'SubAccountId', kind: 'text' },
  { key: 'SubAccountName', kind: 'text' },
  { key: 'SubAccountType', kind: 'text', since: '1.2' },
  { key: 'Tags', kind: 'text' },
  { key: 'x_ComputeLedger', kind: 'text' },
] as const satisfies readonly FocusColumn[];

type FocusKey = (typeof columns)[number]['key'];

/** The cells of a charge; one that is absent is null. */
export type FocusRow = Readonly<Partial<Record<FocusKey, Cell>>>;

/** The columns of a version of the specification. */
export function focusColumns(version: FocusVersion): readonly (Column & { readonly key: FocusKey })[] {
  return columns.filter(column => !('since' in column) || column.since <= version);
}
