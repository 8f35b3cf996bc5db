import { expect, test } from 'vitest';
import { catalog } from '../../src/resources/catalog.ts';
import {
  type Collector,
  collectors as everyService,
  optionalCollectors,
} from '../../src/resources/collector.ts';
import {
  type FamilySelection,
  findIdleCollectors,
  listFamilyNames,
  selectFamilies,
} from '../../src/resources/family-selection.ts';
import { samplesOf } from '../support/sample-line.ts';
import { sampleView } from '../support/sample-view.ts';

const all = listFamilyNames(catalog);
const collectors: readonly Collector[] = [...everyService, ...optionalCollectors];
const everything: FamilySelection = { mode: 'full', exclude: [], collectors };
const select = (change: Partial<FamilySelection>) => selectFamilies(catalog, { ...everything, ...change });
const missing = (change: Partial<FamilySelection>) => {
  const names = listFamilyNames(select(change));
  return all.filter(name => !names.includes(name));
};
const without = (...off: readonly Collector[]) => collectors.filter(collector => !off.includes(collector));

test('everything is selected, as it is, unless something else is asked for', () => {
  expect(select({})).toEqual(catalog);
  expect(select({}).flatMap(group => Object.values(group.families))).toEqual(
    catalog.flatMap(group => Object.values(group.families)),
  );
});

test('metrics whose names match are left out', () => {
  expect(missing({ exclude: ['dbpm_project_*_timestamp_seconds', 'dbpm_up'] })).toEqual([
    'dbpm_up',
    'dbpm_project_created_timestamp_seconds',
    'dbpm_project_updated_timestamp_seconds',
    'dbpm_project_last_refresh_timestamp_seconds',
    'dbpm_project_quota_reset_timestamp_seconds',
    'dbpm_project_maintenance_start_timestamp_seconds',
    'dbpm_project_deleted_timestamp_seconds',
    'dbpm_project_recoverable_until_timestamp_seconds',
    'dbpm_project_compute_last_active_timestamp_seconds',
    'dbpm_project_oldest_branch_timestamp_seconds',
  ]);
  expect(select({ exclude: ['*'] })).toEqual([]);
});

test('what nothing feeds is left out', () => {
  expect(missing({ collectors: without('operations') })).toEqual([
    'dbpm_endpoint_state_seconds_total',
    'dbpm_endpoint_starts_total',
    'dbpm_endpoint_suspends_total',
    'dbpm_operations_total',
    'dbpm_operation_attempt_failures_total',
    'dbpm_operations_in_progress',
    'dbpm_operation_oldest_in_progress_timestamp_seconds',
    'dbpm_operation_next_retry_timestamp_seconds',
    'dbpm_operation_last_failure_timestamp_seconds',
    'dbpm_operation_duration_seconds',
  ]);
  expect(missing({ collectors: without('endpoints') })).toEqual(
    all.filter(name =>
      /^dbpm_(endpoint_|account_(findings|reported|reconstructed|usage_drift)|project_ledger_drift_awake)/.test(
        name,
      ),
    ),
  );
  expect(missing({ collectors: without('api_keys') })).toEqual(
    all.filter(name => name.startsWith('dbpm_api_key_')),
  );
});

test('when a project was last read is left out only when none is read', () => {
  const name = 'dbpm_project_last_refresh_timestamp_seconds';
  expect(missing({ collectors: without('endpoints') })).not.toContain(name);
  expect(missing({ collectors: without('operations') })).not.toContain(name);
  expect(missing({ collectors: without('endpoints', 'operations') })).toContain(name);
});

test('compact mode leaves these metrics out', () => {
  expect(missing({ mode: 'compact' })).toEqual([
    'dbpm_project_cpu_used_resets_total',
    'dbpm_project_branch_logical_size_limit',
    'dbpm_project_active_time_reported_seconds',
    'dbpm_project_quota_reset_timestamp_seconds',
    'dbpm_project_history_retention_seconds',
    'dbpm_project_branch_logical_size_limit_bytes',
    'dbpm_project_default_autoscaling_limit_min_cu',
    'dbpm_project_default_autoscaling_limit_max_cu',
    'dbpm_project_compute_last_active_timestamp_seconds',
    'dbpm_endpoint_suspends_total',
    'dbpm_endpoint_pooler_enabled',
    'dbpm_endpoint_passwordless_access',
    'dbpm_endpoint_autoscaling_limit_min_cu',
    'dbpm_endpoint_updated_timestamp_seconds',
    'dbpm_project_metered_compute_unit_seconds_total',
    'dbpm_project_metered_storage_byte_months_total',
    'dbpm_project_metered_transfer_bytes_total',
    'dbpm_project_metered_extra_branch_months_total',
    'dbpm_project_period_cost',
    'dbpm_project_period_line_cost',
  ]);
});

test('a metric that relies on another in compact mode does not where that is left out', () => {
  const created = (change: Partial<FamilySelection>) =>
    samplesOf(
      { ...sampleView, projects: sampleView.projects },
      select({ mode: 'compact', ...change }),
    ).filter(({ family }) => family.name === 'dbpm_project_created_timestamp_seconds').length;
  expect(created({})).toBe(0);
  expect(created({ collectors: without('endpoints') })).toBe(1);
  expect(created({ exclude: ['dbpm_endpoint_created*'] })).toBe(1);
});

test('a collector is idle when all that it feeds is left out, and the list of projects never is', () => {
  const idle = (change: Partial<FamilySelection>) =>
    findIdleCollectors(catalog, { ...everything, ...change });
  expect(idle({})).toEqual([]);
  expect(idle({ exclude: ['dbpm_api_key_*'] })).toEqual(['api_keys']);
  expect(idle({ exclude: ['dbpm_api_key_*'], collectors: without('api_keys') })).toEqual([]);
  expect(idle({ exclude: ['dbpm_operation*', 'dbpm_endpoint_*s_total'] })).toEqual(['operations']);
  expect(idle({ exclude: ['dbpm_operation*'] })).toEqual([]);
  expect(idle({ exclude: ['*'] })).toEqual([
    'endpoints',
    'operations',
    'api_keys',
    'consumption',
    'branches',
  ]);
});
