import type { Costing } from '../../../cost/rating/costing.ts';
import type { GroupShare } from '../../../cost/rating/group-share.ts';
import type { ComputeTotals } from '../../../history/usage/compute-query.ts';
import type { KnownEndpoint } from '../../../history/usage/endpoint-activity-query.ts';
import type { EndedOperation } from '../../../history/usage/operation-query.ts';
import type { ReportHistory } from '../../../history/usage/report-history.ts';
import type { Grouping } from '../../../resources/grouping.ts';
import type { PriceBook } from '../../../resources/price-book.ts';
import type { UsageProject } from '../../../resources/usage/ledger.ts';
import { type CellValue, date, instant, type TableColumn, text } from './column.ts';

/** Prices of the configuration and what they come to; one for all days that are written together. */
export interface LakePrices {
  readonly book: PriceBook;
  readonly costing: Costing;
  readonly fingerprint: string;
}

/** A settled day of an account, and where its rows come from. Epoch milliseconds. */
export interface LakeDay {
  readonly account: string;
  /** Such as `2026-10-05`, by the clocks of the configured zone. */
  readonly label: string;
  readonly fromAt: number;
  readonly untilAt: number;
  readonly history: ReportHistory;
  /** Absent where the configuration has no prices. */
  readonly prices?: LakePrices;
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

/** The columns that every table begins with. */
export const dayColumns: readonly TableColumn[] = [
  { name: 'account', type: text },
  { name: 'day', type: date },
];

export function dayCells({ account, label }: LakeDay): readonly CellValue[] {
  return [account, Date.parse(label)];
}

/** The columns that say of which project a row is, with all that is usually asked for. */
export const projectColumns: readonly TableColumn[] = [
  { name: 'project_id', type: text },
  { name: 'project_name', type: text },
  { name: 'region_id', type: text },
  { name: 'platform_id', type: text },
  { name: 'group_name', type: text },
  { name: 'groups_json', type: text },
  { name: 'org_id', type: text },
  { name: 'org_name', type: text },
  { name: 'owner_id', type: text },
  { name: 'project_created_at', type: instant },
];

export function projectCells(
  { groups, groupings, isPersonal }: LakeDay,
  project: UsageProject | undefined,
): readonly CellValue[] {
  if (project === undefined) return projectColumns.map(() => undefined);
  const { project_id, project_name, region_id, platform_id, org_id, org_name, owner_id, created_at } =
    project;
  const own = groupings.map(({ name }) => [name, groups.groupOf(name, project)] as const);
  return [
    ...[project_id, project_name, region_id, platform_id],
    own[0]?.[1],
    own.length === 0 ? undefined : JSON.stringify(Object.fromEntries(own)),
    ...[org_id, org_name, isPersonal ? owner_id : undefined, created_at],
  ];
}

/** The projects of the account that were there in the day, as far as more than the meter tells of them. */
export function presentProjects(day: LakeDay): readonly UsageProject[] {
  return projectsOf(day).filter(
    ({ project_ref, created_at = 0, gone_at = Number.POSITIVE_INFINITY }) =>
      project_ref >= 0 && created_at < day.untilAt && gone_at > day.fromAt,
  );
}

/** The projects of the account, those among them that nothing but the meter tells of. */
export function projectsOf({ account, history: { usage } }: LakeDay): readonly UsageProject[] {
  return [...usage.projects, ...(usage.metered?.others ?? [])].filter(project => project.account === account);
}
