import type { Span } from '../duration.ts';
import type { PricedDoneFinding, PricedFinding, PricedProjectFinding } from '../finding.ts';
import type { MeterAmounts } from '../meter.ts';
import type { ThingMetric } from '../price-book.ts';
import type { BudgetThresholds } from '../spending-budget.ts';
import type { LineCost } from './line-cost.ts';

/** Usage and cost at one moment. Instants are epoch milliseconds by the service's clock. */
export interface UsageView {
  readonly accounts: readonly AccountUsage[];
  readonly budgets: readonly BudgetUsage[];
}

/** The part of a view that is shown elsewhere than on the page of metrics: accounts and budgets as wholes. */
export interface ShownUsage {
  readonly accounts: readonly WholeAccount[];
  readonly budgets: readonly BudgetUsage[];
}

/** Findings of an account. */
export interface AccountFindings {
  /** Absent until they were looked for. */
  readonly findings?: readonly PricedFinding[];
  /** Projects with many unused branches; absent until branches were read. */
  readonly branchFindings?: readonly PricedProjectFinding[];
  /** Those whose cause is gone; absent until they were looked for. */
  readonly doneFindings?: readonly PricedDoneFinding[];
}

/** An account as a whole. Amounts of money are in `currency`, the display currency of the price book; absent without one. */
export interface WholeAccount {
  readonly account: string;
  readonly currency?: string;
  /** Until when use is known. */
  readonly knownUntilAt: number;
  /** The billing period now; a month of UTC without a price book. Nothing of it may be known yet. */
  readonly period: Span;
  /** Since the period began. */
  readonly computeSeconds: number;
  /** Cost of the usage with a price and an exchange rate, and of the charges known so far; absent without a price book. */
  readonly cost?: number;
  /** The same by the line of the bill; absent where nothing that is metered has a price. */
  readonly lineCosts?: readonly LineCost[];
  /** Usage without a price or exchange rate, in the period; absent without a price book. */
  readonly unpricedComputeSeconds?: number;
  /** Absent while too little is known. */
  readonly forecast?: UsageForecast;
}

/** An account on the page of metrics, with its groups and projects. */
export interface AccountUsage extends WholeAccount, AccountFindings {
  /** Use from before the first reading of projects that is in no figure, as nothing tells when it was. */
  readonly unattributedComputeSeconds: number;
  /** Usage without a price or exchange rate, ever; absent without a price book. */
  readonly unpricedComputeSecondsTotal?: number;
  /** Ever, each stretch of time at the prices it was counted with. */
  readonly costTotal?: number;
  /** Absent while there are no ledgers of endpoints. */
  readonly reconstruction?: Reconstruction;
  /** Absent while the service's meter and its counters tell no day both. */
  readonly ledgers?: LedgerComparison;
  /** Projects that the service tells another awake time of than was reconstructed; absent where it tells none. */
  readonly awakeDrifts?: readonly AwakeDrift[];
  readonly groups: readonly GroupUsage[];
  readonly projects: readonly ProjectUsage[];
}

/** Usage of the endpoints in the last day known of all: by the counters, and by the time they were awake. */
export interface Reconstruction {
  readonly reportedComputeSeconds: number;
  readonly lowerComputeSeconds: number;
  readonly upperComputeSeconds: number;
}

/** Which of two ledgers is likely wrong; unknown where the time that endpoints were awake speaks against both or none. */
export const likelyWrong = ['metered', 'reported', 'unknown'] as const;
export type LikelyWrong = (typeof likelyWrong)[number];

/** A day that the meter of the service and its counters both tell of. */
export interface LedgerComparison {
  readonly meteredComputeSeconds: number;
  readonly reportedComputeSeconds: number;
  /** The midnight of UTC that the day begins at. */
  readonly fromAt: number;
  /** Projects for which the two are far apart. */
  readonly drifting: readonly LedgerDrift[];
}

export interface LedgerDrift {
  readonly account: string;
  readonly project_id: string;
  readonly likelyWrong: LikelyWrong;
  /** What is reported minus what is metered. */
  readonly driftComputeSeconds: number;
  readonly meteredComputeSeconds: number;
  /** The least and the most by when endpoints were awake; absent where that is not wholly known. */
  readonly awakeComputeSeconds?: { readonly lower: number; readonly upper: number };
}

/** The likely wrong one of two times that a project was awake: as endpoints and operations showed, or as the service says. */
export const awakeLikelyWrong = ['reconstructed', 'active_time'] as const;
export type AwakeLikelyWrong = (typeof awakeLikelyWrong)[number];

export interface AwakeDrift {
  readonly account: string;
  readonly project_id: string;
  readonly likelyWrong: AwakeLikelyWrong;
  /** Seconds that the service tells minus those reconstructed. */
  readonly driftSeconds: number;
}

/** The forecast of the whole billing period. */
export interface UsageForecast {
  readonly computeSeconds: ForecastBounds;
  readonly cost?: ForecastBounds;
  /** Of the metrics that the meter told of lately; absent where there is no meter. */
  readonly metered?: readonly MeteredForecast[];
  /** How wrong such forecasts of the past were; absent while there is none to look back on. */
  readonly quality?: ForecastQuality;
}

export interface ForecastBounds {
  readonly expected: number;
  /** Four periods in five come out within these, nineteen in twenty within the others. */
  readonly low80: number;
  readonly high80: number;
  readonly low95: number;
  readonly high95: number;
}

/** What is metered of a metric in a whole period, in the unit that the meter counts in. */
export interface MeteredForecast extends ForecastBounds {
  readonly metric: ThingMetric;
  /** Told so far. */
  readonly used: number;
}

/** Parts of what periods came to, 0 to 1. */
export interface ForecastQuality {
  readonly meanError: number;
  /** Error of the straight line through the period so far. */
  readonly runRateMeanError: number;
  /** Periods that came out within the bounds of 80%. */
  readonly coverage80: number;
}

/** Since the billing period began. */
export interface GroupUsage {
  readonly account: string;
  readonly grouping: string;
  readonly group: string;
  readonly currency?: string;
  readonly computeSeconds: number;
  readonly cost?: number;
  readonly lineCosts?: readonly LineCost[];
}

/** Since the billing period began. */
export interface ProjectUsage {
  readonly account: string;
  readonly project_id: string;
  readonly currency?: string;
  readonly cost?: number;
  readonly lineCosts?: readonly LineCost[];
  /** Usage beyond its habit in the last day; absent while there is no anomaly. */
  readonly anomalyComputeSeconds?: number;
  /** The same of what is metered besides compute, of the day of UTC under way or the one before: bytes transferred, bytes by which storage grew, branches. */
  readonly anomalyMetered?: MeterAmounts;
}

/** How a spending budget stands, in money or in compute hours. */
export interface BudgetUsage {
  readonly budget: string;
  /** A currency, or `compute_hours`. */
  readonly unit: string;
  readonly period: Span;
  readonly limit: number;
  readonly spent: number;
  /** Spent over the limit. */
  readonly usedRatio: number;
  /** At the end of the period; absent while too little is known. */
  readonly projected?: number;
  /** Four periods in five come out within 80, nineteen in twenty within 95; absent while too little is known. */
  readonly projectedBounds?: Omit<ForecastBounds, 'expected'>;
  /** Parts of the limit at which alerts are wanted. */
  readonly thresholds: BudgetThresholds;
  /** When the limit is reached, or was; absent if it will not be. */
  readonly exhaustedAt?: number;
  /** How many times as fast as the limit allows, by the time looked back (`1h`). */
  readonly burnRates: readonly { readonly window: string; readonly rate: number }[];
}
