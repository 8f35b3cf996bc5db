import { describe, expect, test } from 'vitest';
import { linesOf } from '../support/sample-line.ts';
import { withOperations } from '../support/view-builder.ts';

describe('operations', () => {
  const born = [
    'dbpm_operations_total{project_id="p",action="apply_config",status="finished"} 0',
    'dbpm_operations_total{project_id="p",action="apply_config",status="failed"} 0',
    'dbpm_operations_total{project_id="p",action="check_availability",status="finished"} 0',
    'dbpm_operations_total{project_id="p",action="check_availability",status="failed"} 0',
    'dbpm_operations_total{project_id="p",action="create_branch",status="finished"} 0',
    'dbpm_operations_total{project_id="p",action="create_branch",status="failed"} 0',
    'dbpm_operations_total{project_id="p",action="create_timeline",status="finished"} 0',
    'dbpm_operations_total{project_id="p",action="create_timeline",status="failed"} 0',
    'dbpm_operations_total{project_id="p",action="delete_tenant",status="finished"} 0',
    'dbpm_operations_total{project_id="p",action="delete_tenant",status="failed"} 0',
    'dbpm_operations_total{project_id="p",action="start_compute",status="finished"} 0',
    'dbpm_operations_total{project_id="p",action="start_compute",status="failed"} 0',
    'dbpm_operations_total{project_id="p",action="suspend_compute",status="finished"} 0',
    'dbpm_operations_total{project_id="p",action="suspend_compute",status="failed"} 0',
  ];

  test('that are known to be none are born at 0, and nothing is said of failures or progress', () => {
    const view = withOperations({});
    expect(linesOf(view, 'dbpm_operations_')).toEqual(born);
    expect(linesOf(view, 'dbpm_operation_attempt')).toEqual([
      'dbpm_operation_attempt_failures_total{project_id="p",action="apply_config"} 0',
      'dbpm_operation_attempt_failures_total{project_id="p",action="check_availability"} 0',
      'dbpm_operation_attempt_failures_total{project_id="p",action="create_branch"} 0',
      'dbpm_operation_attempt_failures_total{project_id="p",action="create_timeline"} 0',
      'dbpm_operation_attempt_failures_total{project_id="p",action="delete_tenant"} 0',
      'dbpm_operation_attempt_failures_total{project_id="p",action="start_compute"} 0',
      'dbpm_operation_attempt_failures_total{project_id="p",action="suspend_compute"} 0',
    ]);
    expect(linesOf(view, 'dbpm_operation_last')).toEqual([]);
    expect(linesOf(view, 'dbpm_operation_oldest')).toEqual([]);
  });

  test('with unknown actions and statuses pass through beside those born at 0', () => {
    const view = withOperations({
      ended: [
        { action: 'start_compute', status: 'finished', count: 5, lastEndedAt: 9000 },
        { action: 'start_compute', status: 'skipped', count: 1, lastEndedAt: 9000 },
        { action: 'a b', status: 'c', count: 1 },
        { action: 'a', status: 'b c', count: 2 },
      ],
    });
    expect(linesOf(view, 'dbpm_operations_total').filter(line => !born.includes(line))).toEqual([
      'dbpm_operations_total{project_id="p",action="start_compute",status="finished"} 5',
      'dbpm_operations_total{project_id="p",action="start_compute",status="skipped"} 1',
      'dbpm_operations_total{project_id="p",action="a b",status="c"} 1',
      'dbpm_operations_total{project_id="p",action="a",status="b c"} 2',
    ]);
  });

  test('under way show how many, of what, and since when', () => {
    const view = withOperations({
      inProgress: [{ action: 'start_compute', status: 'running', count: 2 }],
      oldestInProgressAt: 1_795_255_200_000,
    });
    expect([...linesOf(view, 'dbpm_operations_in'), ...linesOf(view, 'dbpm_operation_oldest')]).toEqual([
      'dbpm_operations_in_progress{project_id="p",action="start_compute",status="running"} 2',
      'dbpm_operation_oldest_in_progress_timestamp_seconds{project_id="p"} 1795255200',
    ]);
  });

  test('that failed show the latest failure of each action, whatever the word for it', () => {
    const view = withOperations({
      ended: [
        { action: 'apply_config', status: 'failed', count: 1, lastEndedAt: 8000 },
        { action: 'apply_config', status: 'error', count: 1, lastEndedAt: 9500 },
        { action: 'apply_config', status: 'finished', count: 1, lastEndedAt: 99_000 },
        { action: 'restore', status: 'cancelled', count: 1, lastEndedAt: 7000 },
      ],
    });
    expect(linesOf(view, 'dbpm_operation_last')).toEqual([
      'dbpm_operation_last_failure_timestamp_seconds{project_id="p",action="apply_config"} 9.5',
      'dbpm_operation_last_failure_timestamp_seconds{project_id="p",action="restore"} 7',
    ]);
  });
});
