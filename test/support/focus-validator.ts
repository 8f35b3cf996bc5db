import Big from 'big.js';

/** What FOCUS 1.0 says of a column. */
interface ColumnRule {
  readonly type: 'string' | 'decimal' | 'datetime' | 'json';
  /** Whether there may be no value. */
  readonly nullable: boolean;
  readonly values?: readonly string[];
}

const text: ColumnRule = { type: 'string', nullable: false };
const textOrNull: ColumnRule = { type: 'string', nullable: true };
const decimal: ColumnRule = { type: 'decimal', nullable: false };
const decimalOrNull: ColumnRule = { type: 'decimal', nullable: true };
const datetime: ColumnRule = { type: 'datetime', nullable: false };

/** The columns of version 1.0: those that are mandatory, and those on conditions that hold for metered, priced use. */
const rules: Readonly<Record<string, ColumnRule>> = {
  BilledCost: decimal,
  BillingAccountId: text,
  BillingAccountName: textOrNull,
  BillingCurrency: text,
  BillingPeriodEnd: datetime,
  BillingPeriodStart: datetime,
  ChargeCategory: { ...text, values: ['Usage', 'Purchase', 'Tax', 'Credit', 'Adjustment'] },
  ChargeClass: { ...textOrNull, values: ['Correction'] },
  ChargeDescription: textOrNull,
  ChargeFrequency: { ...text, values: ['One-Time', 'Recurring', 'Usage-Based'] },
  ChargePeriodEnd: datetime,
  ChargePeriodStart: datetime,
  ConsumedQuantity: decimalOrNull,
  ConsumedUnit: textOrNull,
  ContractedCost: decimal,
  ContractedUnitPrice: decimalOrNull,
  EffectiveCost: decimal,
  InvoiceIssuerName: text,
  ListCost: decimal,
  ListUnitPrice: decimalOrNull,
  PricingCategory: { ...textOrNull, values: ['Standard', 'Dynamic', 'Committed', 'Other'] },
  PricingQuantity: decimalOrNull,
  PricingUnit: textOrNull,
  ProviderName: text,
  PublisherName: text,
  RegionId: textOrNull,
  RegionName: textOrNull,
  ResourceId: textOrNull,
  ResourceName: textOrNull,
  ResourceType: textOrNull,
  ServiceCategory: {
    ...text,
    values: [
      ...['AI and Machine Learning', 'Analytics', 'Business Applications', 'Compute', 'Databases'],
      ...['Developer Tools', 'Multicloud', 'Identity', 'Integration', 'Internet of Things'],
      ...['Management and Governance', 'Media', 'Migration', 'Mobile', 'Networking', 'Security'],
      ...['Storage', 'Web', 'Other'],
    ],
  },
  ServiceName: text,
  SkuId: textOrNull,
  SkuPriceId: textOrNull,
  Tags: { type: 'json', nullable: true },
};

/** Columns of the specification that need not be there: nothing here has commitments, zones or sub accounts. */
const others = [
  ...['AvailabilityZone', 'CommitmentDiscountCategory', 'CommitmentDiscountId', 'CommitmentDiscountName'],
  ...['CommitmentDiscountStatus', 'CommitmentDiscountType', 'SubAccountId', 'SubAccountName'],
];

export type FocusRow = Readonly<Record<string, string>>;

/** What breaks FOCUS 1.0 in a file, a sentence each. */
export function findFocusFaults(header: readonly string[], rows: readonly FocusRow[]): string[] {
  return [
    ...Object.keys(rules).flatMap(name => (header.includes(name) ? [] : [`column ${name} is missing`])),
    ...header
      .filter(name => rules[name] === undefined && !others.includes(name) && !name.startsWith('x_'))
      .map(name => `column ${name} is not of the specification`),
    ...rows.flatMap((row, index) => findRowFaults(row).map(fault => `row ${index + 1}: ${fault}`)),
  ];
}

function findRowFaults(row: FocusRow): string[] {
  const values = Object.entries(rules).flatMap(([name, rule]) => {
    const value = row[name] ?? '';
    if (value === '') return rule.nullable ? [] : [`${name} is null`];
    const isAllowed = rule.values === undefined || rule.values.includes(value);
    return isOfType(rule.type, value) && isAllowed ? [] : [`${name} is ${value}`];
  });
  return [...values, ...findContradictions(row)];
}

function isOfType(type: ColumnRule['type'], value: string): boolean {
  switch (type) {
    case 'string':
      return true;
    case 'decimal':
      return /^-?\d+(\.\d+)?$/.test(value);
    case 'datetime':
      return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value) && !Number.isNaN(Date.parse(value));
    case 'json':
      return value.startsWith('{') && typeof JSON.parse(value) === 'object';
  }
}

const units = ['ConsumedUnit', 'PricingUnit'];

/** Capitalized and in the plural, two joined by a hyphen of which the first is in the singular: `Units`, `GB-Hours`. */
function isUnit(text: string): boolean {
  return text === '' || /^(\d+ )?([A-Z][A-Za-z]*-)?[A-Z][A-Za-z]*s$/.test(text);
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** What the columns say of each other. */
function findContradictions(row: FocusRow): string[] {
  const number = (name: string) => Number(row[name]);
  const isBought = row.ChargeCategory === 'Usage' || row.ChargeCategory === 'Purchase';
  const decimalOf = (name: string) => Big(isOfType('decimal', row[name] ?? '') ? (row[name] ?? '') : 0);
  const isProduct = (price: string, cost: string) =>
    decimalOf(price).times(decimalOf('PricingQuantity')).eq(decimalOf(cost));
  const needed = ['SkuId', 'SkuPriceId', 'PricingCategory', 'PricingQuantity', 'PricingUnit'];
  const prices = ['ListUnitPrice', 'ContractedUnitPrice'];
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
    [(row.PricingQuantity === '') !== (row.PricingUnit === ''), 'PricingUnit is of a quantity'],
    [isBought && !isProduct('ListUnitPrice', 'ListCost'), 'ListCost is not price times quantity'],
    [
      isBought && !isProduct('ContractedUnitPrice', 'ContractedCost'),
      'ContractedCost is not price times quantity',
    ],
    [
      isOfType('decimal', row.BilledCost ?? '') && row.BilledCost !== row.EffectiveCost,
      'EffectiveCost is not BilledCost, and there is nothing to amortize',
    ],
    [decimalOf('ContractedCost').gt(decimalOf('ListCost')), 'ContractedCost is above ListCost'],
    [units.some(name => !isUnit(row[name] ?? '')), 'a unit is not in the format of units'],
    [
      Object.values(row.Tags ? JSON.parse(row.Tags) : {}).some(isNested),
      'Tags are not keys and plain values',
    ],
    [others.some(name => row[name]), 'there are no zones, commitments or sub accounts'],
    [row.ResourceId === '' && row.ResourceName !== '', 'ResourceName is without ResourceId'],
  ];
  return faults.flatMap(([isFault, fault]) => (isFault ? [fault] : []));
}
