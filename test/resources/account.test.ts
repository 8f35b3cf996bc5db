import { describe, expect, test } from 'vitest';
import type { AccountView } from '../../src/resources/account.ts';
import { linesOf } from '../support/sample-line.ts';
import { bareAccount } from '../support/view-builder.ts';

describe('an account', () => {
  test('that was never read has no sample but the histogram, born at 0', () => {
    expect(linesOf(bareAccount, 'dbpm_').filter(line => !line.startsWith('dbpm_operation_duration'))).toEqual(
      [],
    );
    expect(linesOf(bareAccount, 'dbpm_operation_duration_seconds_count')).toEqual([
      'dbpm_operation_duration_seconds_count{action="apply_config"} 0',
      'dbpm_operation_duration_seconds_count{action="check_availability"} 0',
      'dbpm_operation_duration_seconds_count{action="create_branch"} 0',
      'dbpm_operation_duration_seconds_count{action="create_timeline"} 0',
      'dbpm_operation_duration_seconds_count{action="delete_tenant"} 0',
      'dbpm_operation_duration_seconds_count{action="start_compute"} 0',
      'dbpm_operation_duration_seconds_count{action="suspend_compute"} 0',
    ]);
  });

  test('says how it is doing and what it used', () => {
    const view: AccountView = {
      ...bareAccount,
      up: true,
      authOk: false,
      importsLeft: 3,
      cpuUsedSeconds: 5400.5,
    };
    expect([...linesOf(view, 'dbpm_up'), ...linesOf(view, 'dbpm_a')]).toEqual([
      'dbpm_up{} 1',
      'dbpm_auth_ok{} 0',
      'dbpm_account_import_projects_left{} 3',
      'dbpm_account_cpu_used_seconds_total{} 5400.5',
    ]);
  });

  test('has every field whose values may be held back born at 0', () => {
    const view: AccountView = { ...bareAccount, implausible: { cpu_used_sec: 3 } };
    expect(linesOf(view, 'dbpm_account')).toEqual([
      'dbpm_account_implausible_values_total{field="cpu_used_sec"} 3',
      'dbpm_account_implausible_values_total{field="created_at"} 0',
      'dbpm_account_implausible_values_total{field="updated_at"} 0',
      'dbpm_account_implausible_values_total{field="last_active"} 0',
      'dbpm_account_implausible_values_total{field="last_used_at"} 0',
    ]);
  });

  test('has every reason of errors born at 0, and of a collector never tried nothing else', () => {
    const collectors: AccountView['collectors'] = [
      {
        collector: 'projects',
        success: true,
        lastSuccessAt: 1500,
        lastDurationMs: 250,
        errors: { locked: 2 },
      },
      { collector: 'api_keys', errors: {} },
    ];
    const lines = linesOf({ ...bareAccount, collectors }, 'dbpm_collector');
    expect(lines.filter(line => line.includes('"projects"'))).toEqual([
      'dbpm_collector_success{collector="projects"} 1',
      'dbpm_collector_last_success_timestamp_seconds{collector="projects"} 1.5',
      'dbpm_collector_last_duration_seconds{collector="projects"} 0.25',
      'dbpm_collector_errors_total{collector="projects",reason="unauthorized"} 0',
      'dbpm_collector_errors_total{collector="projects",reason="forbidden"} 0',
      'dbpm_collector_errors_total{collector="projects",reason="not_found"} 0',
      'dbpm_collector_errors_total{collector="projects",reason="rate_limited"} 0',
      'dbpm_collector_errors_total{collector="projects",reason="locked"} 2',
      'dbpm_collector_errors_total{collector="projects",reason="unavailable"} 0',
      'dbpm_collector_errors_total{collector="projects",reason="timeout"} 0',
      'dbpm_collector_errors_total{collector="projects",reason="network"} 0',
      'dbpm_collector_errors_total{collector="projects",reason="malformed"} 0',
      'dbpm_collector_errors_total{collector="projects",reason="too_large"} 0',
      'dbpm_collector_errors_total{collector="projects",reason="bad_request"} 0',
      'dbpm_collector_errors_total{collector="projects",reason="internal"} 0',
    ]);
    const untried = lines.filter(line => line.includes('"api_keys"'));
    expect(untried).toHaveLength(12);
    expect(untried.every(line => /^dbpm_collector_errors_total.* 0$/.test(line))).toBe(true);
  });

  test('shows how long operations took as a cumulative histogram', () => {
    const seconds = { cumulativeCounts: [0, 1, 1, 1, 1, 2, 2, 2, 2, 2], count: 3, sum: 100_062 };
    const view: AccountView = { ...bareAccount, operationDurations: [{ action: 'restore', seconds }] };
    expect(linesOf(view, 'dbpm_operation').filter(line => line.includes('restore'))).toEqual([
      'dbpm_operation_duration_seconds_bucket{action="restore",le="1"} 0',
      'dbpm_operation_duration_seconds_bucket{action="restore",le="2"} 1',
      'dbpm_operation_duration_seconds_bucket{action="restore",le="5"} 1',
      'dbpm_operation_duration_seconds_bucket{action="restore",le="10"} 1',
      'dbpm_operation_duration_seconds_bucket{action="restore",le="30"} 1',
      'dbpm_operation_duration_seconds_bucket{action="restore",le="60"} 2',
      'dbpm_operation_duration_seconds_bucket{action="restore",le="300"} 2',
      'dbpm_operation_duration_seconds_bucket{action="restore",le="1800"} 2',
      'dbpm_operation_duration_seconds_bucket{action="restore",le="7200"} 2',
      'dbpm_operation_duration_seconds_bucket{action="restore",le="86400"} 2',
      'dbpm_operation_duration_seconds_count{action="restore"} 3',
      'dbpm_operation_duration_seconds_sum{action="restore"} 100062',
    ]);
  });
});
