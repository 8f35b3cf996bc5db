import type { MeterMetric, MeterUnit } from './meter.ts';
import type { ProjectMatch } from './project-match.ts';

/** A decimal number as it is written, such as `0.16`: money never becomes a floating-point number on its way. */
export type DecimalText = string;

/**
 * The time in which something of a price book holds; epoch milliseconds. A date is its midnight in UTC. What has no
 * beginning holds since ever, what has no end holds on.
 */
export interface Dated {
  readonly fromAt?: number;
  /** The first instant it does not hold at. */
  readonly untilAt?: number;
}

/** The price of a compute hour from one instant to another. */
export interface DatedPrice extends Dated {
  readonly fromAt: number;
  /** Where there are tiers, the price of the first of them. */
  readonly perComputeHour: DecimalText;
  /** Off the prices, 0 to 100. */
  readonly discountPercent: DecimalText;
  /** Prices of use beyond some hours, with more hours each. */
  readonly tiers?: readonly HigherTier[];
}

/** The price of use beyond a number of compute hours. */
interface HigherTier {
  /** Billed in the billing period, of the projects of the plan in an account together; more than 0. */
  readonly beyondHours: DecimalText;
  readonly perComputeHour: DecimalText;
}

/** One amount for all time, or some, in order of time, none overlapping another. */
export type DatedAmounts = DecimalText | readonly DatedAmount[];

interface DatedAmount extends Dated {
  readonly fromAt: number;
  readonly amount: DecimalText;
}

/**
 * Use of a billing period that costs nothing: compute hours, or compute for an amount of money; of an account's projects
 * together, or of each.
 */
export type Included = { readonly per: 'account' | 'project' } & (
  | { readonly computeHours: DecimalText; readonly amount?: never }
  | { readonly amount: DecimalText; readonly computeHours?: never }
);

export type DatedIncluded = Included & Dated & { readonly fromAt: number };

/** Things an account is charged for besides compute, as far as the service lists them. */
export interface CountedThing extends Dated {
  readonly name: string;
  readonly of: 'projects' | 'endpoints' | 'branches';
  /** This many cost nothing. */
  readonly included: DecimalText;
  /** Of one in a billing period. */
  readonly price: DecimalText;
  /** By the part of the billing period that each was there, or the most that were there at one time. */
  readonly count: 'time' | 'peak';
}

/** Metrics of the service's meter besides compute. */
export type ThingMetric = Exclude<MeterMetric, 'compute_unit_seconds'>;

/** Names of metered things, where the price book has none for them. */
export const thingNames: Readonly<Record<ThingMetric, string>> = {
  root_branch_bytes_month: 'root branch storage',
  child_branch_bytes_month: 'child branch storage',
  instant_restore_bytes_month: 'instant restore',
  snapshot_storage_bytes_month: 'snapshot storage',
  public_network_transfer_bytes: 'public network transfer',
  private_network_transfer_bytes: 'private network transfer',
  extra_branches_month: 'extra branches',
};
export const thingMetrics = Object.keys(thingNames) as readonly ThingMetric[];

export function isThingMetric(text: string): text is ThingMetric {
  return Object.hasOwn(thingNames, text);
}

/** The price of a unit, such as a GB-month. */
export interface MeteredPrice extends Dated {
  /** Where there are tiers, the price of the first of them. */
  readonly price: DecimalText;
  /** Off the prices, 0 to 100. */
  readonly discountPercent: DecimalText;
  readonly tiers?: readonly { readonly beyond: DecimalText; readonly price: DecimalText }[];
}

/** Units of a billing period that cost nothing: of an account's projects together, or of each. */
export interface IncludedQuantity {
  readonly quantity: DecimalText;
  readonly per: Included['per'];
}

/** Something that an account is charged for by the meter of the service. */
export interface MeteredThing extends Dated {
  readonly name: string;
  readonly metric: ThingMetric;
  /** In order of time, none overlapping another. */
  readonly prices: readonly MeteredPrice[];
  /** All of a list are of an account's projects together, or all of each project. */
  readonly included?: IncludedQuantity | readonly (IncludedQuantity & Dated & { readonly fromAt: number })[];
  /** The number of each project that costs nothing at any time: what is more is charged hour by hour. */
  readonly includedAtOnce?: number;
}

/** How the meter of the service counts. */
export interface MeterRules {
  readonly unit: MeterUnit;
  /** 10^9 bytes, or 2^30. */
  readonly gigabyte: 'decimal' | 'binary';
}

/** Who says how much compute was used: the service's meter, its `cpu_used_sec`, or the time endpoints were awake. */
export const computeLedgers = ['metered', 'reported', 'reconstructed'] as const;
export type ComputeLedger = (typeof computeLedgers)[number];

/** How something that is used is charged. */
export interface Tariff {
  readonly currency: string;
  /** In order of time, none overlapping another. */
  readonly prices: readonly DatedPrice[];
  /** All of a list are of an account's projects together, or all of each project. */
  readonly included?: Included | readonly DatedIncluded[];
  readonly partialPeriod?: 'whole';
  /** Whole parts of a unit that use is counted in; absent for the CU-milliseconds of compute hours. */
  readonly partsOfUnit?: number;
}

/** How the projects that it matches are charged while it holds. */
export interface PricePlan extends Dated {
  readonly name: string;
  readonly match: ProjectMatch;
  /** ISO 4217, of all its amounts. */
  readonly currency: string;
  /** In order of time, none overlapping another. */
  readonly prices: readonly DatedPrice[];
  /** All of a list are of an account's projects together, or all of each project. */
  readonly included?: Included | readonly DatedIncluded[];
  /** What an account with projects of the plan is charged for a billing period, whatever it uses. */
  readonly baseFee?: DatedAmounts;
  /** The least an account with projects of the plan is charged for the compute of a billing period. */
  readonly minimum?: DatedAmounts;
  /**
   * How `baseFee`, `minimum` and `included` count in a billing period that they hold a part of: by the time, unless all
   * of what holds first in it counts.
   */
  readonly partialPeriod?: 'whole';
  readonly counted?: readonly CountedThing[];
  readonly metered?: readonly MeteredThing[];
  /** The smallest auto-suspend delay that its endpoints can have; absent where none is said. */
  readonly smallestSuspendDelayMs?: number;
}

/** When something besides the plans is charged: in each billing period between two instants, or once. */
export type ChargeTime =
  | { readonly fromAt: number; readonly untilAt?: number; readonly onAt?: never }
  | { readonly onAt: number; readonly fromAt?: never; readonly untilAt?: never };

/** What of the invoice is for an account, or for each account. */
interface NamedCharge {
  readonly name: string;
  /** Absent where every account is charged. */
  readonly account?: string;
}

/** What the service does not tell, such as storage: an amount for a billing period, or a quantity at a price. */
export type FreeLine = NamedCharge & {
  readonly time: ChargeTime;
  readonly currency: string;
  /** How it is shared out to projects and groups; by cost where it is absent. */
  readonly sharedBy?: 'cost' | 'hours' | 'evenly';
} & (
    | { readonly amount: DecimalText; readonly quantity?: never }
    | { readonly quantity: DecimalText; readonly unit: string; readonly price: DecimalText }
  );

/** What changes the sum of an invoice. */
export type Adjustment =
  /** Takes off an amount, at most what is charged. */
  | (NamedCharge & MoneyAdjustment & { readonly kind: 'credit' })
  /** Adds an amount, or takes it off where it is negative. */
  | (NamedCharge & MoneyAdjustment & { readonly kind: 'adjustment' })
  /** Adds a part of everything but taxes, in billing periods at whose last instant it holds. */
  | (NamedCharge & Dated & { readonly kind: 'tax'; readonly percent: DecimalText });

interface MoneyAdjustment {
  readonly time: ChargeTime;
  readonly currency: string;
  readonly amount: DecimalText;
}

/** The lines that the vendor rounds one by one: of an account, or of each project. */
export interface InvoiceRounding {
  readonly decimals: number;
  readonly line: 'account' | 'project';
  /** Decimals of currencies that have others, such as 0 of JPY. */
  readonly currencies?: Readonly<Record<string, number>>;
}

/** The value of one unit of a currency in the display currency, from an instant on. */
export interface ExchangeRate {
  readonly currency: string;
  readonly fromAt: number;
  readonly rate: DecimalText;
}

/**
 * Months of UTC that begin on a day (the last one of shorter months), or stretches of a fixed length from an instant
 * on.
 */
export type BillingPeriod =
  | { readonly kind: 'month'; readonly anchorDay: number }
  | { readonly kind: 'hours'; readonly hours: number; readonly anchorAt: number };

/** Use that has no price on purpose. */
export interface AcceptedGap extends Dated {
  readonly match: ProjectMatch;
  /** Names of plans; absent for all, and for use that no plan is for. */
  readonly plans?: readonly string[];
  readonly why: string;
}

/** The plans by precedence: the first that matches a project, and holds, is its plan. */
export interface PriceBook {
  readonly displayCurrency: string;
  readonly billingPeriod: BillingPeriod;
  readonly plans: readonly PricePlan[];
  /** By currency in order of time. */
  readonly exchangeRates: readonly ExchangeRate[];
  readonly lines?: readonly FreeLine[];
  /** In the order in which they are made. */
  readonly adjustments?: readonly Adjustment[];
  /** Absent where lines of the invoice are not rounded. */
  readonly rounding?: InvoiceRounding;
  readonly acceptedGaps?: readonly AcceptedGap[];
  /** Absent where compute is by the best ledger that is complete. */
  readonly ledger?: ComputeLedger;
  /** Absent where it counts in months, and gigabytes are decimal. */
  readonly meter?: MeterRules;
}
