import { describe, expect, test } from 'vitest';
import { linesOf } from '../support/sample-line.ts';
import { bareAccount, withProject } from '../support/view-builder.ts';

describe('a project', () => {
  test('of which nothing but the id is known has only its info', () => {
    expect(linesOf(withProject({}), 'dbpm_project')).toEqual([
      'dbpm_project_info{project_id="p",project_name="",platform_id="",region_id="",provisioner="",pg_version="",proxy_host=""} 1',
    ]);
    expect(linesOf(withProject({}), 'dbpm_operation_')).toEqual(
      linesOf(bareAccount, 'dbpm_operation_duration_seconds'),
    );
  });

  test('emits each of its samples once all is known', () => {
    const view = withProject({
      project_name: 'say "hi"',
      platform_id: 'aws',
      region_id: 'aws-us-east-2',
      provisioner: 'k8s-pod',
      pg_version: '15',
      proxy_host: 'proxy.example.com',
      locked: false,
      cpu_used_sec: 60,
      branch_logical_size_limit: 3072,
      created_at: 1_793_520_000_000,
      updated_at: 1_795_161_600_500,
      cpuUsedSeconds: 5400,
      cpuUsedResets: 1,
      lastRefreshAt: 1_795_255_200_000,
    });
    expect(linesOf(view, 'dbpm_project')).toEqual([
      'dbpm_project_info{project_id="p",project_name="say \\"hi\\"",platform_id="aws",region_id="aws-us-east-2",provisioner="k8s-pod",pg_version="15",proxy_host="proxy.example.com"} 1',
      'dbpm_project_cpu_used_seconds_total{project_id="p"} 5400',
      'dbpm_project_cpu_used_reported_seconds{project_id="p"} 60',
      'dbpm_project_cpu_used_resets_total{project_id="p"} 1',
      'dbpm_project_locked{project_id="p"} 0',
      'dbpm_project_branch_logical_size_limit{project_id="p"} 3072',
      'dbpm_project_created_timestamp_seconds{project_id="p"} 1793520000',
      'dbpm_project_updated_timestamp_seconds{project_id="p"} 1795161600.5',
      'dbpm_project_last_refresh_timestamp_seconds{project_id="p"} 1795255200',
    ]);
  });
});
