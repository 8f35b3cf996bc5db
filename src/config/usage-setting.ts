import type { SettingRow } from './setting-row.ts';

/** Settings on what is made of use, in the order of the table. */
export const usageRows = {
  'usage.timezone': {
    type: 'timeZone',
    default: 'UTC',
    help: 'where days, weeks and months of budgets, reports and habits begin',
  },
  'usage.refresh': {
    type: 'duration',
    default: '1m',
    // A timer takes a longer wait for none.
    atMost: '24d',
    help: 'cost, budgets and forecasts are worked out anew this often',
  },
  'usage.anomaly_compute_hours': {
    type: 'number',
    default: '1',
    help: "a project's day is unusual only if it used at least this many compute hours more than usual",
  },
  'usage.anomaly_gigabytes': {
    type: 'number',
    default: '10',
    help: 'by the meter: a day is unusual only if the project transferred or added this many gigabytes more than usual',
  },
  'usage.anomaly_branches': {
    type: 'number',
    default: '10',
    help: 'by the meter: a day is unusual only if the project had this many extra branches more than usual',
  },
  'findings.smallest_suspend_delay': {
    type: 'duration',
    default: '5m',
    atLeast: '1s',
    atMost: '7d',
    help: 'no shorter auto-suspend delay is advised, unless the plan of a project says what its smallest is',
  },
  'findings.least_compute_hours': {
    type: 'number',
    default: '1',
    help: 'findings that save fewer compute hours in 30 days are left out',
  },
  'findings.least_amount': {
    type: 'number',
    default: '0',
    help: 'findings that save less money in 30 days are left out, in the display currency',
  },
  'findings.unused_branch_after': {
    type: 'duration',
    default: '14d',
    atLeast: '1d',
    help: 'a branch is unused once it was not used for this long, or has expired',
  },
  'findings.least_unused_branches': {
    type: 'number',
    default: '3',
    help: 'projects with fewer unused branches are no finding',
  },
} as const satisfies Record<string, SettingRow>;
