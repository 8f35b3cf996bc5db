import type { UsageProject } from './usage/ledger.ts';

/** Why an endpoint uses compute that it might not need: the words are label values. */
export const findingKinds = [
  'awake_unused',
  'woken_by_checks',
  'never_suspends',
  'woken_on_period',
  'idle_tail',
  'longer_than_needed',
  'floor_size',
] as const;

export type FindingKind = (typeof findingKinds)[number];

/** Kinds of findings about a project as a whole, which it might not need or which cannot be right: the words are label values, too. */
export const projectFindingKinds = ['branch_sprawl', 'ledgers_apart'] as const;

export type ProjectFindingKind = (typeof projectFindingKinds)[number];

/** How much a change would have saved of what the last 30 days used or cost. */
export interface Saving<Quantity = number> {
  /** Absent where nothing shows how much is likely: it may be anything up to the most. */
  readonly likely?: Quantity;
  /** Never less than what is likely, and never more than all that was used, or what that cost. */
  readonly most: Quantity;
}

/** The figure that findings are ordered, and left out, by. */
export function figureOf<Quantity>({ likely, most }: Saving<Quantity>): Quantity {
  return likely ?? most;
}

/** One reason why an endpoint uses compute, and what to change. */
export interface Finding {
  readonly kind: FindingKind;
  readonly account: string;
  readonly project_id: string;
  readonly endpoint_id: string;
  readonly project_name?: string;
  readonly branch_id?: string;
  /**
   * Compute hours that the change saves in 30 days. Larger findings of the same endpoint are taken as followed already, so
   * that the findings of an endpoint never add up to more than it uses. Absent where too little is known of its uses.
   */
  readonly hoursPerMonth?: Saving;
  /** The evidence, as a sentence with numbers. */
  readonly evidence: string;
  /** The change to make, as a sentence. */
  readonly advice: string;
  /** The period of the schedule that wakes it. */
  readonly periodMs?: number;
  /** Its auto-suspend delay as it looks from outside. */
  readonly delayMs?: number;
  /** The auto-suspend delay that is advised. */
  readonly advisedDelayMs?: number;
  /** The part of its awake time that the evidence is about, 0 to 1. */
  readonly share?: number;
}

/** A finding whose cause is gone, with what that saves. */
export interface DoneFinding
  extends Pick<
    Finding,
    'kind' | 'account' | 'project_id' | 'endpoint_id' | 'project_name' | 'branch_id' | 'evidence'
  > {
  /** Epoch milliseconds, within a day. */
  readonly doneAt: number;
  /** From then on its use is that of the time since. */
  readonly measuredFromAt: number;
  /** What it had claimed to save in 30 days; absent where it had claimed nothing. */
  readonly claimedHoursPerMonth?: Saving;
  /** What is saved in 30 days: use before less use since. */
  readonly computeHoursPerMonth: number;
}

/** A finding about a project as a whole, and what to do; it is of no compute. */
export interface ProjectFinding
  extends Pick<Finding, 'account' | 'project_id' | 'project_name' | 'evidence' | 'advice'> {
  readonly kind: ProjectFindingKind;
  readonly endpoint_id?: undefined;
  readonly hoursPerMonth?: undefined;
  readonly advisedDelayMs?: undefined;
  /** Where it is of these. */
  readonly unusedBranches?: number;
}

/** A finding with what it saves in 30 days at the prices of now: an exact amount, or a number of the currency. */
interface Priced<Cost> {
  /** The display currency; absent without a price book. */
  readonly currency?: string;
  /** Besides larger findings; absent while that is not known, and where it has no price. */
  readonly costPerMonth?: Cost;
}

export interface PricedFinding<Money = number> extends Finding, Priced<Saving<Money>> {}

export interface PricedProjectFinding<Money = number> extends ProjectFinding, Priced<Saving<Money>> {}

export interface PricedDoneFinding<Money = number> extends DoneFinding, Priced<Money> {}

/** A finding, and the project that it is of. */
export interface Found<Of> {
  readonly project: UsageProject;
  readonly finding: Of;
}
