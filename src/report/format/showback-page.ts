import type { DecimalText } from '../../resources/price-book.ts';

/** A figure of a show-back that is seen first. */
export interface Figure {
  readonly label: string;
  readonly value: string;
  readonly detail: string;
}

/** What a group pays for, as it is shown. */
export interface CostPart {
  readonly what: string;
  readonly cost: string;
}

/** A project of a group, as it is shown. */
export interface ProjectPart {
  readonly name: string;
  /** Both absent for the row of all others. */
  readonly account?: string;
  readonly id?: string;
  readonly hours: string;
  readonly cost: string;
  readonly before: string;
  readonly change: string;
  /** Of the cost of the dearest project, 0 to 1. */
  readonly size: number;
}

/** A finding of a group, as it is shown. */
export interface FindingPart {
  readonly project: string;
  /** Absent where it is about the project as a whole. */
  readonly endpoint?: string;
  readonly saves: string;
  readonly evidence: string;
  readonly advice: string;
}

/** What one group used and costs in a period, in words and numbers that are ready to be shown. */
export interface ShowbackPage {
  /** Such as `team/platform`. */
  readonly group: string;
  readonly period: string;
  readonly currency: string;
  /** What it comes to, with its share of charges; those of all groups add up. */
  readonly cost: DecimalText;
  readonly usedHours: DecimalText;
  /** Absent where nothing is known of the period before. */
  readonly costBefore?: DecimalText;
  /** Whether all of the period before is known. */
  readonly isBeforeWhole: boolean;
  readonly figures: readonly Figure[];
  readonly parts: readonly CostPart[];
  readonly total: string;
  readonly projects: readonly ProjectPart[];
  /** Title of the column of costs. */
  readonly costTitle: string;
  /** What the column of the period before is called. */
  readonly beforeTitle: string;
  readonly findings: readonly FindingPart[];
  /** Sentences on what is missing. */
  readonly gaps: readonly string[];
  readonly notes: readonly string[];
}
