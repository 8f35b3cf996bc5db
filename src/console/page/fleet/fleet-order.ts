import { type SortKey, sortText } from '../../keyset.ts';
import type { FleetRow } from './fleet-row.ts';

/** The columns that projects are sorted by. */
export const fleetSorts = [
  'cost',
  'forecast',
  'name',
  'account',
  'region',
  'groups',
  'state',
  'endpoints',
  'hours',
  'starts',
  'failures',
  'findings',
  'last_active',
] as const;
export type FleetSort = (typeof fleetSorts)[number];
export type SortOrder = 'asc' | 'desc';

/** The values that rows are sorted by, with account and id to tell equal ones apart. */
export function keyOf(row: FleetRow, sort: FleetSort): SortKey {
  return [sortValue(row, sort), row.account, sortText(row.project_id)];
}

/** The value of the column; null where it is not known, which is last. */
export function sortValue(row: FleetRow, sort: FleetSort): string | number | null {
  switch (sort) {
    case 'cost':
      return numberOf(row.cost);
    case 'forecast':
      return numberOf(row.cost_forecast);
    case 'name':
      return sortText(row.project_name || row.project_id);
    case 'account':
      return row.account;
    case 'region':
      return row.region_id === null ? null : sortText(row.region_id);
    case 'groups':
      return sortText(Object.values(row.groups).join(' '));
    case 'state':
      return row.state;
    case 'endpoints':
      return endpointValue(row);
    case 'hours':
      return numberOf(row.compute_hours);
    case 'starts':
      return row.starts;
    case 'failures':
      return row.failures;
    case 'findings':
      return findingValue(row);
    case 'last_active':
      return row.lastActiveAt;
  }
}

/** By how many are active, then by how many there are; null where the column shows no numbers. */
function endpointValue({ state, endpoints, endpoints_active }: FleetRow): number | null {
  return state === 'gone' || state === 'importing' ? null : endpoints_active + endpoints / 1e6;
}

/** Lower than any money: hours and money are not compared. */
const withoutPrice = -1e9;
const withoutFinding = 2 * withoutPrice;

/** By the money they save, likely or else at most; below it those without a price, by hours. */
function findingValue(row: FleetRow): number | null {
  if (row.findings === null) return null;
  if (row.findings === 0) return withoutFinding;
  return (
    numberOf(row.findings_cost_per_month ?? row.findings_most_cost_per_month) ??
    withoutPrice +
      (numberOf(row.findings_compute_hours_per_month ?? row.findings_most_compute_hours_per_month) ?? 0)
  );
}

/** Near enough to put it in order; never shown. */
function numberOf(decimal: string | null): number | null {
  return decimal === null ? null : Number(decimal);
}
