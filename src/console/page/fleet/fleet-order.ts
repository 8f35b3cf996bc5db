/** Lower than any money: hours and money are not compared. */
const withoutPrice = -1e9;
const withoutFinding = 2 * withoutPrice;

/** The columns that projects are sorted by: the value of each in SQL, null where it is not known. */
export const sortValues = {
  cost: 'CAST(cost AS REAL)',
  forecast: 'CAST(cost_forecast AS REAL)',
  name: 'by_name',
  account: 'account',
  region: 'by_region',
  groups: 'by_groups',
  state: 'state',
  // By how many are active, then by how many there are; the column shows no numbers of others.
  endpoints: "iif(state IN ('gone', 'importing'), NULL, endpoints_active + endpoints / 1e6)",
  hours: 'CAST(compute_hours AS REAL)',
  starts: 'starts',
  failures: 'failures',
  // By the money they save, likely or else at most; below it those without a price, by hours.
  findings: `CASE WHEN findings > 0 THEN coalesce(
      CAST(coalesce(findings_cost_per_month, findings_most_cost_per_month) AS REAL),
      ${withoutPrice} + coalesce(
        CAST(coalesce(findings_compute_hours_per_month, findings_most_compute_hours_per_month) AS REAL), 0))
    WHEN findings = 0 THEN ${withoutFinding} END`,
  last_active: 'last_active',
} as const;
export type FleetSort = keyof typeof sortValues;

/** Without prices the projects that used most come first. */
export function sortOf(sort: FleetSort, hasPrices: boolean): FleetSort {
  return !hasPrices && (sort === 'cost' || sort === 'forecast') ? 'hours' : sort;
}

export const fleetSorts = Object.keys(sortValues) as readonly FleetSort[];
