import { expect, test } from 'vitest';
import { diffProject } from '../../src/poll/scheduler/project/listing.ts';
import { projectList } from '../../src/resources/project.ts';
import { decodeProjectUsage } from '../../src/resources/project-usage.ts';
import { lookAt, restart, testExposition } from '../support/exposition-table.ts';
import {
  branchesReading,
  instant,
  minute,
  projectsReading,
  startAt,
  usageReading,
  type WireItem,
} from '../support/reading-builder.ts';

/** What versions of the service after the specification say of a project. */
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

const list = (minutes: number, fields: WireItem) =>
  projectsReading(startAt + minutes * minute, [{ id: 'p', ...fields }]);
const share = (limit: string, value: number | 'absent') =>
  `dbpm_project_quota_used_ratio{project_id="p",quota="${limit}"} ${value}`;
/** Every metric of a project that the specification alone does not lead to. */
const laterMetrics = `dbpm_project_owner_info dbpm_project_storage_bytes dbpm_project_active_time_reported_seconds
  dbpm_project_quota_seconds dbpm_project_quota_bytes dbpm_project_quota_used_ratio
  dbpm_project_quota_reset_timestamp_seconds dbpm_project_maintenance_start_timestamp_seconds
  dbpm_project_deleted_timestamp_seconds dbpm_project_recoverable_until_timestamp_seconds
  dbpm_project_history_retention_seconds dbpm_project_default_autoscaling_limit_min_cu
  dbpm_project_default_autoscaling_limit_max_cu dbpm_project_default_suspend_timeout_seconds
  dbpm_project_compute_last_active_timestamp_seconds`;

testExposition(laterMetrics, {
  'what later versions say of a project is shown': [
    list(0, { cpu_used_sec: 50, ...later }),
    String.raw`
       dbpm_project_owner_info{project_id="p",owner_id="org-quiet-sea",org_id="org-quiet-sea",org_name="Quiet \"Sea\""} 1
       dbpm_project_storage_bytes{project_id="p"} 1099511627776
       dbpm_project_active_time_reported_seconds{project_id="p"} 2700
       dbpm_project_quota_seconds{project_id="p",quota="active_time"} 3600
       dbpm_project_quota_seconds{project_id="p",quota="compute_time"} 100
       dbpm_project_quota_bytes{project_id="p",quota="written_data"} 7
       dbpm_project_quota_used_ratio{project_id="p",quota="active_time"} 0.75
       dbpm_project_quota_used_ratio{project_id="p",quota="compute_time"} 0.5
       dbpm_project_quota_reset_timestamp_seconds{project_id="p"} ${startAt / 1000 + 60}
       dbpm_project_maintenance_start_timestamp_seconds{project_id="p"} ${startAt / 1000 + 60}
       dbpm_project_deleted_timestamp_seconds{project_id="p"} ${startAt / 1000}
       dbpm_project_recoverable_until_timestamp_seconds{project_id="p"} ${startAt / 1000 + 60}
       dbpm_project_history_retention_seconds{project_id="p"} 86400
       dbpm_project_branch_logical_size_limit_bytes{project_id="p"} 34359738368
       dbpm_project_default_autoscaling_limit_min_cu{project_id="p"} 0.25
       dbpm_project_default_autoscaling_limit_max_cu{project_id="p"} 2
       dbpm_project_default_suspend_timeout_seconds{project_id="p"} -1
       dbpm_project_compute_last_active_timestamp_seconds{project_id="p"} ${startAt / 1000}    `,
  ],
  'what changes all the time is shown as it was last read': [
    list(0, { synthetic_storage_size: 5, active_time: 1 }),
    list(1, { synthetic_storage_size: 6, active_time: 1 }),
    `dbpm_project_storage_bytes{project_id="p"} 6
     dbpm_project_active_time_reported_seconds{project_id="p"} 1`,
  ],
  'what is told no more is shown no more': [
    list(0, { synthetic_storage_size: 5, maintenance_starts_at: later.maintenance_starts_at }),
    list(1, {}),
    '',
  ],
  'a project of the specification alone has none of it': [list(0, { name: 'shop' }), ''],
});

testExposition('dbpm_project_quota_used_ratio', {
  'a list whose compute stays 0 while something was awake says nothing of the part of a limit that is used': [
    list(0, { ...later, cpu_used_sec: 0 }),
    `${share('active_time', 0.75)}
     ${share('compute_time', 'absent')}`,
  ],
  'a list that tells no compute says nothing of it either': [
    list(0, later),
    `${share('active_time', 0.75)}
     ${share('compute_time', 'absent')}`,
  ],
  'where nothing was awake none of the limit is used': [
    list(0, { ...later, cpu_used_sec: 0, active_time: 0 }),
    `${share('active_time', 0)}
     ${share('compute_time', 0)}`,
  ],
});

const quota = {
  active_time_seconds: 1000,
  compute_time_seconds: 1000,
  written_data_bytes: 1000,
  data_transfer_bytes: 1000,
  logical_size_bytes: 1000,
};
/** The list of an account whose projects are each read for themselves. */
const listed = (minutes: number, fields: WireItem = {}) =>
  ({ ...list(minutes, { settings: { quota }, ...fields }), cpuSource: 'project' }) as const;
const answer = {
  compute_time_seconds: 100,
  active_time_seconds: 200,
  written_data_bytes: 300,
  data_transfer_bytes: 400,
  consumption_period_start: instant(startAt - minute),
  consumption_period_end: instant(startAt + 10 * minute),
};
const read = usageReading(startAt + minute, 'p', answer);
const branches = (...wire: readonly WireItem[]) => branchesReading(startAt, 'p', wire);
const setting = {
  options: { collectors: ['projects', 'endpoints', 'operations', 'branches'] as const },
  first: [listed(0)],
};
const ofPeriod = [
  share('active_time', 0.2),
  share('compute_time', 0.1),
  share('written_data', 0.3),
  share('data_transfer', 0.4),
].join('\n');

testExposition(
  'dbpm_project_quota_used_ratio',
  {
    'where each project is read for itself, the parts used of limits of a period are known': [
      read,
      lookAt(startAt + 2 * minute),
      ofPeriod,
      listed(2),
      ofPeriod,
      restart(),
      ofPeriod,
      listed(3, { active_time: 500 }),
      ofPeriod.replace('0.2', '0.5'),
    ],
    'once the list tells compute again, what an answer said before is not shown any more': [
      read,
      { ...listed(2, { cpu_used_sec: 50 }), cpuSource: 'list' },
      share('compute_time', 0.05),
    ],
    'the part used of the logical size is that of the largest branch, the root too': [
      '',
      branches(
        { id: 'br-0', default: true, logical_size: 700 },
        { id: 'br-1', default: false, logical_size: 20 },
        { id: 'br-2', default: false },
      ),
      share('logical_size', 0.7),
      branches({ id: 'br-0', default: true }),
      '',
    ],
  },
  setting,
);

testExposition(
  'dbpm_project_quota_used_ratio',
  {
    'once the period is over nothing is known, until the project is read again': [read, listed(10), ''],
    'of a period whose end is not told nothing is known': [
      usageReading(startAt + minute, 'p', { ...answer, consumption_period_end: null }),
      '',
    ],
  },
  // A restart shows it again until the list is read.
  { ...setting, isKept: false },
);

test.each(['compute_time_seconds', 'active_time_seconds', 'written_data_bytes', 'data_transfer_bytes'])(
  '%s that is absent, null or of another type is none',
  field => {
    const read = (value: unknown) => decodeProjectUsage({ project: { [field]: value } });
    expect(read(7)).toEqual({ [field]: 7 });
    expect([read(undefined), read(null)]).toEqual([{}, {}]);
    expect([read(-1), read({})]).toEqual([{ lostFields: [field] }, { lostFields: [field] }]);
  },
);

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
