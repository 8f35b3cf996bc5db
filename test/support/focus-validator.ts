import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Big from 'big.js';

/** What the specification says of a column. */
interface ColumnRule {
  readonly level: string;
  /** Whether there may be no value. */
  readonly nullable: boolean;
  readonly type: string;
  readonly values?: readonly string[];
}

/**
 * The columns as the tables of the specification have them: FinOps Open Cost and Usage Specification, tag v1.2, folder
 * specification/columns, by the FOCUS project under CC BY 4.0.
 */
const rules: Readonly<Record<string, ColumnRule>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'focus-1.2.json'), 'utf8'),
);

/** Columns on conditions that hold here: use is metered by project, has prices with discounts, and tags. */
const conditional = new Set([
  ...['ConsumedQuantity', 'ConsumedUnit', 'ContractedUnitPrice', 'ListUnitPrice', 'PricingCategory'],
  ...['RegionId', 'RegionName', 'ResourceId', 'ResourceName', 'ResourceType'],
  ...['SkuId', 'SkuMeter', 'SkuPriceDetails', 'SkuPriceId', 'Tags', 'PricingCurrency'],
]);

/** Columns that stay empty: nothing here has commitments, reserved capacity, zones, sub accounts or invoices' numbers. */
const isEmpty = (name: string) =>
  /^(Commitment|Capacity|SubAccount)|^AvailabilityZone$|^InvoiceId$/.test(name);

type FocusRow = Readonly<Record<string, string>>;

/** What breaks FOCUS 1.2 in a file, a sentence each. */
export function findFocusFaults(header: readonly string[], rows: readonly FocusRow[]): string[] {
  const needed = Object.entries(rules).filter(
    ([name, { level }]) => level !== 'Conditional' || conditional.has(name),
  );
  return [
    ...needed.flatMap(([name]) => (header.includes(name) ? [] : [`column ${name} is missing`])),
    ...header
      .filter(name => rules[name] === undefined && !name.startsWith('x_'))
      .map(name => `column ${name} is not of the specification`),
    ...rows.flatMap((row, index) => findRowFaults(row).map(fault => `row ${index + 1}: ${fault}`)),
  ];
}

function findRowFaults(row: FocusRow): string[] {
  const values = Object.entries(rules).flatMap(([name, rule]) => {
    const value = row[name] ?? '';
    if (!(name in row)) return [];
    if (value === '') return rule.nullable ? [] : [`${name} is null`];
    const isAllowed = rule.values === undefined || rule.values.includes(value);
    return isOfType(rule.type, value) && isAllowed ? [] : [`${name} is ${value}`];
  });
  return [...values, ...findContradictions(row)];
}

function isOfType(type: string, value: string): boolean {
  switch (type) {
    case 'String':
      return true;
    case 'Decimal':
      return /^-?\d+(\.\d+)?$/.test(value);
    case 'Date/Time':
      return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value) && !Number.isNaN(Date.parse(value));
    case 'JSON':
      return value.startsWith('{') && typeof JSON.parse(value) === 'object';
    default:
      throw new Error(`the specification has no type ${type}`);
  }
}

const units = ['ConsumedUnit', 'PricingUnit'];

/** Capitalized and in the plural, two joined by a hyphen of which the first is in the singular: `Units`, `GB-Hours`; sizes of data as they are: `GB`. */
function isUnit(text: string): boolean {
  return text === '' || /^(\d+ )?(([A-Z][A-Za-z]*-)?[A-Z][A-Za-z]*s|[KMGTPE]i?B)$/.test(text);
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** What the columns say of each other. */
function findContradictions(row: FocusRow): string[] {
  const number = (name: string) => Number(row[name]);
  const isBought = row.ChargeCategory === 'Usage' || row.ChargeCategory === 'Purchase';
  const decimalOf = (name: string) => Big(isOfType('Decimal', row[name] ?? '') ? (row[name] ?? '') : 0);
  const isProduct = (price: string, cost: string) =>
    decimalOf(price).times(decimalOf('PricingQuantity')).eq(decimalOf(cost));
  const needed = ['SkuId', 'SkuPriceId', 'PricingCategory', 'PricingQuantity', 'PricingUnit'];
  const prices = ['ListUnitPrice', 'ContractedUnitPrice'];
  const costs = ['ListCost', 'ContractedCost', 'EffectiveCost'];
  const isAlone = row.ChargeCategory === 'Credit' || row.ChargeCategory === 'Adjustment';
  const faults: readonly (readonly [boolean, string])[] = [
    [!/^[A-Z]{3}$/.test(row.BillingCurrency ?? ''), 'BillingCurrency is not of ISO 4217'],
    [`${row.BillingPeriodStart}` >= `${row.BillingPeriodEnd}`, 'the billing period ends before it begins'],
    [`${row.ChargePeriodStart}` >= `${row.ChargePeriodEnd}`, 'the charge period ends before it begins'],
    [`${row.ChargePeriodStart}` < `${row.BillingPeriodStart}`, 'the charge is of before its billing period'],
    [`${row.ChargePeriodEnd}` > `${row.BillingPeriodEnd}`, 'the charge is of after its billing period'],
    [isBought && [...needed, ...prices].some(name => !row[name]), 'a price, quantity or SKU is null'],
    [row.ChargeCategory === 'Purchase' && row.ChargeFrequency === 'Usage-Based', 'a purchase is usage-based'],
    [
      (row.ChargeCategory === 'Usage') !== (row.ConsumedQuantity !== ''),
      'ConsumedQuantity is of usage alone',
    ],
    [(row.ConsumedQuantity === '') !== (row.ConsumedUnit === ''), 'ConsumedUnit is of a quantity'],
    [row.ConsumedQuantity !== '' && number('ConsumedQuantity') <= 0, 'ConsumedQuantity is not positive'],
    [prices.some(name => number(name) < 0), 'a unit price is negative'],
    [
      row.ChargeCategory === 'Tax' && [...needed, ...prices].some(name => row[name]),
      'a tax has a price or a SKU',
    ],
    [isAlone && costs.some(name => row[name] !== row.BilledCost), 'the cost of a credit is not BilledCost'],
    [row.SkuMeter !== undefined && (row.SkuMeter === '') !== (row.SkuId === ''), 'SkuMeter is of a SKU'],
    [Boolean(row.SkuPriceDetails) && !row.SkuPriceId, 'SkuPriceDetails is without SkuPriceId'],
    [
      Object.keys(row.SkuPriceDetails ? JSON.parse(row.SkuPriceDetails) : {}).some(
        key => !key.startsWith('x_'),
      ),
      'SkuPriceDetails has a key of its own without x_',
    ],
    [(row.ResourceType === '') !== (row.ResourceId === ''), 'ResourceType is of a resource'],
    [(row.PricingQuantity === '') !== (row.PricingUnit === ''), 'PricingUnit is of a quantity'],
    [isBought && !isProduct('ListUnitPrice', 'ListCost'), 'ListCost is not price times quantity'],
    [
      isBought && !isProduct('ContractedUnitPrice', 'ContractedCost'),
      'ContractedCost is not price times quantity',
    ],
    [
      isOfType('Decimal', row.BilledCost ?? '') && row.BilledCost !== row.EffectiveCost,
      'EffectiveCost is not BilledCost, and there is nothing to amortize',
    ],
    [decimalOf('ContractedCost').gt(decimalOf('ListCost')), 'ContractedCost is above ListCost'],
    [units.some(name => !isUnit(row[name] ?? '')), 'a unit is not in the format of units'],
    [
      Object.values(row.Tags ? JSON.parse(row.Tags) : {}).some(isNested),
      'Tags are not keys and plain values',
    ],
    [
      Object.keys(row).some(name => isEmpty(name) && row[name]),
      'there are no zones, commitments, capacity, sub accounts or invoices',
    ],
    [row.ResourceId === '' && row.ResourceName !== '', 'ResourceName is without ResourceId'],
  ];
  return faults.flatMap(([isFault, fault]) => (isFault ? [fault] : []));
}
