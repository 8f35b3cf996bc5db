import type { ApiKeyView } from './api-key.ts';
import type { Collector } from './collector.ts';
import { accountLabels, bit, declareFor, seconds } from './family.ts';
import type { MeteredAccount } from './metered.ts';
import type { HasOperationDurations } from './operation.ts';
import type { ProjectView } from './project.ts';
import type { CpuSource } from './project-usage.ts';
import { type ImplausibleField, implausibleFields } from './reading.ts';
import { type Reason, reasons } from './reason.ts';

export interface CollectorView {
  readonly collector: Collector;
  /** Absent until it was first tried. */
  readonly success?: boolean;
  readonly lastSuccessAt?: number;
  readonly lastDurationMs?: number;
  readonly errors: Readonly<Partial<Record<Reason, number>>>;
  /** Projects whose last reading failed, and since when the first of them does; absent while none does. */
  readonly failing?: { readonly count: number; readonly since: number };
}

/** An account without its projects, at one moment; instants in epoch milliseconds. */
export interface AccountSummary extends HasOperationDurations, MeteredAccount {
  readonly account: string;
  /** Absent until a list of the account was first tried. */
  readonly up?: boolean;
  readonly authOk?: boolean;
  readonly collectors: readonly CollectorView[];
  /** Number of projects whose operations are still to be imported; absent where none are read, and before the list was. */
  readonly importsLeft?: number;
  /** Over all projects ever watched; absent until one was. */
  readonly cpuUsedSeconds?: number;
  /** How many values were held back as they cannot be true, by field. */
  readonly implausible?: Readonly<Partial<Record<ImplausibleField, number>>>;
  /** How many optional fields could not be used, by name; absent until one could not. */
  readonly lostFields?: Readonly<Record<string, number>>;
  /** Where the use of its projects is read; absent while that is their list. */
  readonly cpuSource?: CpuSource;
  /** By the service's clock; absent until one was. */
  readonly lastProjectGoneAt?: number;
  /** How many projects the newest list named as unavailable; absent until one did in this run. */
  readonly unavailableProjects?: number;
  readonly api_keys: readonly ApiKeyView[];
}

/** When the list of an account's projects was last read; undefined where it never was. */
export function lastListedAt({ collectors }: Pick<AccountSummary, 'collectors'>): number | undefined {
  return collectors.find(({ collector }) => collector === 'projects')?.lastSuccessAt;
}

/** All that is known of one account at one moment. */
export interface AccountView extends AccountSummary {
  readonly projects: readonly ProjectView[];
}

/** How an account is doing, and how much of it is known. */
export interface AccountOverview {
  readonly summary: AccountSummary;
  readonly projects: number;
  readonly endpoints: number;
  /** When the project that was read longest ago was, by this host's clock; absent before one was. */
  readonly oldestReadAt?: number;
}

/** How much of an account is known. */
export type KnownCounts = Omit<AccountOverview, 'summary'>;

const { gauge, gaugeBy, counter, counterBy } = declareFor<AccountSummary>()(accountLabels);

export const accountFamilies = {
  up: gauge('dbpm_up', "Whether the last reading of the account's lists succeeded (polled).", account =>
    bit(account.up),
  ),
  authOk: gauge(
    'dbpm_auth_ok',
    'Whether the service accepts the API key; 0 once it answers 401 (polled).',
    account => bit(account.authOk),
  ),
  collectorSuccess: gaugeBy(
    'dbpm_collector_success',
    'Whether the last attempt of the collector succeeded; of endpoints and operations, the last attempt at every project.',
    ['collector'],
    (account, emit) => {
      for (const { collector, success } of account.collectors) emit(bit(success), collector);
    },
  ),
  collectorLastSuccessTimestamp: gaugeBy(
    'dbpm_collector_last_success_timestamp_seconds',
    'When the collector last succeeded.',
    ['collector'],
    (account, emit) => {
      for (const { collector, lastSuccessAt } of account.collectors) emit(seconds(lastSuccessAt), collector);
    },
  ),
  collectorLastDuration: gaugeBy(
    'dbpm_collector_last_duration_seconds',
    'How long the last attempt of the collector took.',
    ['collector'],
    (account, emit) => {
      for (const { collector, lastDurationMs } of account.collectors)
        emit(seconds(lastDurationMs), collector);
    },
  ),
  collectorErrors: counterBy(
    'dbpm_collector_errors_total',
    'Failed readings and unusable items of the collector, by reason.',
    ['collector', 'reason'],
    (account, emit) => {
      for (const { collector, errors } of account.collectors) {
        for (const reason of reasons) emit(errors[reason] ?? 0, collector, reason);
      }
    },
  ),
  collectorFailingProjects: gaugeBy(
    'dbpm_collector_failing_projects',
    'Projects that the collector could not read when it last tried. Absent while no project fails.',
    ['collector'],
    (account, emit) => {
      for (const { collector, failing } of account.collectors) emit(failing?.count, collector);
    },
    { isOptional: true },
  ),
  collectorFailingSinceTimestamp: gaugeBy(
    'dbpm_collector_failing_since_timestamp_seconds',
    'When the longest failure of the collector to read a project began. Absent while no project fails.',
    ['collector'],
    (account, emit) => {
      for (const { collector, failing } of account.collectors) emit(seconds(failing?.since), collector);
    },
    { isOptional: true },
  ),
  importProjectsLeft: gauge(
    'dbpm_account_import_projects_left',
    'Projects whose operations are still to be imported: until then their earlier use is in no figure. Absent while operations are not collected.',
    account => account.importsLeft,
  ),
  cpuUsedSeconds: counter(
    'dbpm_account_cpu_used_seconds_total',
    'Compute seconds used by all projects of the account that were ever watched (polled).',
    account => account.cpuUsedSeconds,
  ),
  implausibleValues: counterBy(
    'dbpm_account_implausible_values_total',
    'Readings of values that cannot be true and count for nothing, by field (polled).',
    ['field'],
    ({ implausible }, emit) => {
      if (implausible === undefined) return;
      for (const field of implausibleFields) emit(implausible[field] ?? 0, field);
    },
  ),
  lostFields: counterBy(
    'dbpm_account_lost_fields_total',
    'Fields of another type, or with a value that cannot be, by name. The rest of the object counts. Absent until there was one (polled).',
    ['field'],
    ({ lostFields = {} }, emit) => {
      for (const [field, count] of Object.entries(lostFields)) emit(count, field);
    },
    { isOptional: true },
  ),
  projectsUnavailable: gauge(
    'dbpm_account_projects_unavailable',
    'Projects that the service names as unavailable. Absent until one was named (polled).',
    account => account.unavailableProjects,
    { isOptional: true },
  ),
  cpuSourceInfo: gaugeBy(
    'dbpm_account_cpu_source_info',
    'Compute of the projects is counted from compute_time_seconds in the answer for each of them. Absent while it is cpu_used_sec in their list.',
    ['source'],
    ({ cpuSource }, emit) => {
      if (cpuSource !== undefined) emit(1, cpuSource);
    },
    { isOptional: true },
  ),
  lastProjectGoneTimestamp: gauge(
    'dbpm_account_last_project_gone_timestamp_seconds',
    'When a project was last found to be gone. Absent until one was.',
    account => seconds(account.lastProjectGoneAt),
  ),
};
