import { expect, test } from 'vitest';
import { projectList } from '../../src/resources/project.ts';
import { diffProject } from '../../src/scheduler/project/list-diff.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import { instant, minute, projectsReading, startAt, type WireItem } from '../support/reading-builder.ts';
import { linesOf } from '../support/sample-line.ts';

const later = {
  owner_id: 'org-quiet-sea',
  org_id: 'org-quiet-sea',
  org_name: 'Quiet "Sea"',
  active_time: 2700,
  synthetic_storage_size: 2 ** 40,
  branch_logical_size_limit_bytes: 2 ** 35,
  history_retention_seconds: 86_400,
  compute_last_active_at: instant(startAt),
  maintenance_starts_at: instant(startAt + minute),
  deleted_at: instant(startAt),
  recoverable_until: instant(startAt + minute),
  quota_reset_at: instant(startAt + minute),
  default_endpoint_settings: {
    autoscaling_limit_min_cu: 0.25,
    autoscaling_limit_max_cu: 2,
    suspend_timeout_seconds: -1,
  },
  settings: {
    quota: {
      active_time_seconds: 3600,
      compute_time_seconds: 100,
      written_data_bytes: 7,
      logical_size_bytes: 0,
    },
  },
};

function show(...readings: readonly WireItem[]): readonly string[] {
  using folder = new HistoryFolder();
  const history = folder.open();
  for (const [index, fields] of readings.entries()) {
    history.record(projectsReading(startAt + index * minute, [{ id: 'p', ...fields }]));
  }
  const now = startAt + readings.length * minute;
  const shown = linesOf(viewOf(history, now), 'dbpm_project_');
  expect(linesOf(viewOf(folder.reopen(history), now), 'dbpm_project_')).toEqual(shown);
  return shown;
}

test('what later versions say of a project is shown, and stays over a restart', () => {
  const at = startAt / 1000;
  expect(show({ cpu_used_sec: 50, ...later }).filter(line => !/_cpu_|project_info/.test(line))).toEqual([
    'dbpm_project_owner_info{project_id="p",owner_id="org-quiet-sea",org_id="org-quiet-sea",org_name="Quiet \\"Sea\\""} 1',
    'dbpm_project_storage_bytes{project_id="p"} 1099511627776',
    'dbpm_project_active_time_reported_seconds{project_id="p"} 2700',
    'dbpm_project_quota_seconds{project_id="p",quota="active_time"} 3600',
    'dbpm_project_quota_seconds{project_id="p",quota="compute_time"} 100',
    'dbpm_project_quota_bytes{project_id="p",quota="written_data"} 7',
    'dbpm_project_quota_used_ratio{project_id="p",quota="active_time"} 0.75',
    'dbpm_project_quota_used_ratio{project_id="p",quota="compute_time"} 0.5',
    `dbpm_project_quota_reset_timestamp_seconds{project_id="p"} ${at + 60}`,
    `dbpm_project_maintenance_start_timestamp_seconds{project_id="p"} ${at + 60}`,
    `dbpm_project_deleted_timestamp_seconds{project_id="p"} ${at}`,
    `dbpm_project_recoverable_until_timestamp_seconds{project_id="p"} ${at + 60}`,
    'dbpm_project_history_retention_seconds{project_id="p"} 86400',
    'dbpm_project_branch_logical_size_limit_bytes{project_id="p"} 34359738368',
    'dbpm_project_default_autoscaling_limit_min_cu{project_id="p"} 0.25',
    'dbpm_project_default_autoscaling_limit_max_cu{project_id="p"} 2',
    'dbpm_project_default_suspend_timeout_seconds{project_id="p"} -1',
    `dbpm_project_compute_last_active_timestamp_seconds{project_id="p"} ${at}`,
  ]);
});

test('what changes all the time is shown as it was last read', () => {
  const shown = show(
    { synthetic_storage_size: 5, active_time: 1 },
    { synthetic_storage_size: 6, active_time: 1 },
  );
  expect(shown).toContain('dbpm_project_storage_bytes{project_id="p"} 6');
  const gone = show({ synthetic_storage_size: 5, maintenance_starts_at: later.maintenance_starts_at }, {});
  expect(gone.filter(line => /storage|maintenance/.test(line))).toEqual([]);
});

test('a list whose compute stays 0 while something was awake says nothing of the part of a limit that is used', () => {
  const ratios = (fields: WireItem) =>
    show({ ...later, ...fields }).filter(line => line.includes('compute_time"} '));
  const limit = 'dbpm_project_quota_seconds{project_id="p",quota="compute_time"} 100';
  expect(ratios({ cpu_used_sec: 0 })).toEqual([limit]);
  expect(ratios({})).toEqual([limit]);
  expect(ratios({ cpu_used_sec: 0, active_time: 0 })).toEqual([
    limit,
    'dbpm_project_quota_used_ratio{project_id="p",quota="compute_time"} 0',
  ]);
});

test('what changes by use or by itself has no project polled, and a setting has', () => {
  const decode = (fields: WireItem) => {
    const project = projectList.decode({ id: 'p', ...later, ...fields });
    if (project === undefined) throw new Error('it cannot be read');
    return project;
  };
  const diff = (fields: WireItem) => diffProject(decode({}), decode(fields));
  const used = {
    active_time: 2701,
    synthetic_storage_size: 1,
    compute_last_active_at: null,
    quota_reset_at: instant(startAt + 2 * minute),
    deleted_at: later.deleted_at,
  };
  expect(diff(used).settings).toBe(false);
  expect(diffProject(decode({ org_name: 7 }), decode({ org_name: 7 })).settings).toBe(false);
  expect(diff({ history_retention_seconds: 1 }).settings).toBe(true);
  expect(diff({ settings: {} }).settings).toBe(true);
  expect(diff({ default_endpoint_settings: {} }).settings).toBe(true);
});

test('a project of the specification alone has none of it', () => {
  expect(show({ name: 'shop' }).filter(line => !line.includes('project_info'))).toEqual([]);
});
