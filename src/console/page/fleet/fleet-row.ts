import type { BrowsedProject } from '../../../history/browse/browsed-fleet.ts';
import type { DecimalText } from '../../../resources/price-book.ts';

/** The state of a project's endpoints together; `none` where it has none, `importing` before they are read the first time. */
export const projectStates = ['active', 'idle', 'changing', 'other', 'none', 'gone', 'importing'] as const;
export type ProjectState = (typeof projectStates)[number];

/** A project with its figures of the billing period; what is not known is null. Instants are epoch milliseconds. */
export interface FleetRow {
  readonly account: string;
  readonly project_id: string;
  readonly project_name: string | null;
  readonly region_id: string | null;
  /** The group of each grouping. */
  readonly groups: Readonly<Record<string, string>>;
  readonly state: ProjectState;
  readonly endpoints: number;
  readonly endpoints_active: number;
  readonly compute_hours: DecimalText | null;
  readonly cost: DecimalText | null;
  /** Why there is no cost, such as `unpriced`. */
  readonly cost_missing: string | null;
  /** The cost of the whole billing period as it is expected. */
  readonly cost_forecast: DecimalText | null;
  readonly starts: number | null;
  readonly failures: number | null;
  readonly findings: number | null;
  /** Likely saved by the findings, and at most. */
  readonly findings_compute_hours_per_month: DecimalText | null;
  readonly findings_cost_per_month: DecimalText | null;
  readonly findings_most_compute_hours_per_month: DecimalText | null;
  readonly findings_most_cost_per_month: DecimalText | null;
  readonly lastActiveAt: number | null;
  readonly createdAt: number | null;
  readonly goneAt: number | null;
}

/** An active endpoint makes a project active; one that changes goes before those that rest. */
export function stateOf(project: BrowsedProject): ProjectState {
  const { gone_at, endpoints_read_at, endpoints, active, idle, changing } = project;
  if (gone_at !== null) return 'gone';
  if (endpoints === 0) return endpoints_read_at === null ? 'importing' : 'none';
  if (active > 0) return 'active';
  if (changing > 0) return 'changing';
  return idle === endpoints ? 'idle' : 'other';
}

/** Names a project among those of all accounts. */
export function rowKey(account: string, project_id: string): string {
  return JSON.stringify([account, project_id]);
}
