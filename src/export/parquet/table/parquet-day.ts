import type { Costing } from '../../../cost/rating/costing.ts';
import type { GroupShare } from '../../../cost/rating/group-share.ts';
import type { ComputeTotals } from '../../../history/usage/compute-query.ts';
import type { KnownEndpoint } from '../../../history/usage/endpoint-activity-query.ts';
import type { EndedOperation } from '../../../history/usage/operation-query.ts';
import type { ReportHistory } from '../../../history/usage/report-history.ts';
import type { Grouping } from '../../../resources/grouping.ts';
import type { PriceBook } from '../../../resources/price-book.ts';
import { livesOf, type ProjectLife, type UsageProject, wasThere } from '../../../resources/usage/ledger.ts';

/** Prices of the configuration and what they come to; one for all days that are written together. */
interface ParquetPrices {
  readonly book: PriceBook;
  readonly costing: Costing;
  readonly fingerprint: string;
}

/** A settled day of an account, and where its rows come from. Epoch milliseconds. */
export interface ParquetDay {
  readonly account: string;
  /** Such as `2026-10-05`, by the clocks of the configured zone. */
  readonly label: string;
  readonly fromAt: number;
  readonly untilAt: number;
  readonly history: ReportHistory;
  /** Absent where the configuration has no prices. */
  readonly prices?: ParquetPrices;
  readonly groups: GroupShare;
  /** Groupings that may be shown. */
  readonly groupings: readonly Grouping[];
  /** Operations of a project that ended in the day. */
  readonly ended: (project_ref: number) => readonly EndedOperation[];
  /** Endpoints that a project ever had. */
  readonly endpoints: (project_ref: number) => readonly KnownEndpoint[];
  /** Bounds of what an endpoint used before an instant, in CU-milliseconds. */
  readonly computeUntil: (endpoint_ref: number, at: number) => ComputeTotals;
  /** The use of a project before an instant, in CU-milliseconds. */
  readonly usedUntil: (project_ref: number, at: number) => number;
  /** Whether addresses and people are shown. */
  readonly isPersonal: boolean;
}

/** The account and the day of a row, and the project that it is of. */
interface RowPlace {
  readonly account: string;
  /** Midnight of the day by UTC, in epoch milliseconds. */
  readonly dayAt: number;
  readonly project?: UsageProject | undefined;
  /** Its group by the first grouping, and those by all, as JSON. */
  readonly group?: string | undefined;
  readonly groups?: string | undefined;
  readonly isPersonal: boolean;
}

/** A row that has a place. */
export interface PlacedRow {
  readonly place: RowPlace;
}

/** @param project absent for what is of the whole account. */
export function placeOf(day: ParquetDay, project?: UsageProject): RowPlace {
  const { account, label, groups, groupings, isPersonal } = day;
  const place = { account, dayAt: Date.parse(label), isPersonal };
  if (project === undefined) return place;
  const own = groupings.map(({ name }) => [name, groups.groupOf(name, project)] as const);
  const json = own.length === 0 ? undefined : JSON.stringify(Object.fromEntries(own));
  return { ...place, project: { ...project, ...lifeIn(day, project) }, group: own[0]?.[1], groups: json };
}

/** The life of a project that began last by the end of the day; undefined where it was created later. */
export function lifeIn(day: ParquetDay, project: UsageProject): ProjectLife | undefined {
  return livesOf(project).findLast(({ created_at = 0 }) => created_at < day.untilAt);
}

/** The projects of the account that were there in the day, as far as more than the meter tells of them. */
export function presentProjects(day: ParquetDay): readonly UsageProject[] {
  return projectsOf(day).filter(project => project.project_ref >= 0 && wasThere(project, day, 0));
}

/** The projects of the account, those among them that nothing but the meter tells of. */
export function projectsOf({ account, history: { usage } }: ParquetDay): readonly UsageProject[] {
  return [...usage.projects, ...(usage.metered?.others ?? [])].filter(project => project.account === account);
}
