import { expect, test } from 'vitest';
import { change, restart, type Step, ToldHistory, testExposition } from '../support/exposition-table.ts';
import {
  apiKeysReading,
  failedReading,
  minute,
  projectReading,
  projectsReading,
  startAt,
  wireProject,
} from '../support/reading-builder.ts';

const two = [wireProject('a', { cpu_used_sec: 10 }), wireProject('b', { cpu_used_sec: 20 })];
const list = (minutes: number, projects: readonly unknown[] = two) =>
  projectsReading(startAt + minutes * minute, projects);
const endpointsOf = (project_id: string, minutes = 0) =>
  projectReading(startAt + minutes * minute, project_id, { endpoints: [] });
const failed = (
  minutes: number,
  ...[collector, reason, project_id, durationMs]: Parameters<typeof failedReading> extends [
    number,
    ...infer Others,
  ]
    ? Others
    : never
) => failedReading(startAt + minutes * minute, collector, reason, project_id, durationMs);
const works = (collector: string) => `dbpm_collector_success{collector="${collector}"} 1`;
const fails = (collector: string) => `dbpm_collector_success{collector="${collector}"} 0`;

test('a collector never tried has only its errors, born at 0, and the account is neither up nor down', () => {
  const { up, authOk, cpuUsedSeconds } = new ToldHistory().view();
  expect([up, authOk, cpuUsedSeconds]).toEqual([undefined, undefined, undefined]);
  const lines = new ToldHistory().lines(
    new Set(
      [
        ...['success', 'errors_total', 'last_success_timestamp_seconds', 'last_duration_seconds'],
        ...['failing_projects', 'failing_since_timestamp_seconds'],
      ].map(name => `dbpm_collector_${name}`),
    ),
  );
  expect(lines).toHaveLength(48);
  expect(lines.every(line => /^dbpm_collector_errors_total\{.*\} 0$/.test(line))).toBe(true);
});

const failedLater = `
  dbpm_collector_success{collector="projects"} 0
  dbpm_collector_last_success_timestamp_seconds{collector="projects"} ${startAt / 1000}
  dbpm_collector_last_duration_seconds{collector="projects"} 0.12
  dbpm_collector_errors_total{collector="projects",reason="rate_limited"} 2
  dbpm_up 0`;

testExposition('dbpm_collector_success dbpm_collector_errors_total', {
  'a collector keeps the time of its last success when it fails, and counts why': [
    projectsReading(startAt, two, { durationMs: 250 }),
    failed(1, 'projects', 'rate_limited'),
    failed(1, 'projects', 'rate_limited', undefined, 120),
    failedLater,
    restart(),
    failedLater,
  ],
  'a collector succeeds though items were unusable, and counts those as malformed': [
    list(0, [...two, { id: null }, 'junk']),
    `${works('projects')}
     dbpm_collector_errors_total{collector="projects",reason="malformed"} 2
     dbpm_project_cpu_used_seconds_total{project_id="a"} 10
     dbpm_project_cpu_used_seconds_total{project_id="b"} 20
     dbpm_up 1`,
  ],
});

testExposition('dbpm_up dbpm_auth_ok', {
  'a collector that is off counts for nothing, whatever is remembered of it': [
    list(0),
    failed(0, 'api_keys', 'unauthorized'),
    `dbpm_up 0
     dbpm_auth_ok 0
     dbpm_collector_success{collector="projects"} 1
     dbpm_collector_success{collector="api_keys"} 0`,
    restart({ collectors: ['projects', 'endpoints', 'operations'] }),
    `dbpm_up 1
     dbpm_auth_ok 1
     dbpm_collector_success{collector="projects"} 1
     dbpm_collector_success{collector="api_keys"} absent`,
  ],
  'a collector that gets 401 says that the key is not accepted, until it is; other failures say nothing of it':
    [
      failed(0, 'projects', 'forbidden'),
      `dbpm_up 0
     dbpm_auth_ok absent`,
      failed(0, 'projects', 'unauthorized'),
      failed(0, 'projects', 'timeout'),
      'dbpm_auth_ok 0',
      list(0),
      `dbpm_up 1
     dbpm_auth_ok 1`,
    ],
  'a collector that gets 401 keeps the key refused until it is accepted itself, whatever the others get': [
    failed(0, 'api_keys', 'unauthorized'),
    list(0),
    'dbpm_auth_ok 0',
    restart(),
    'dbpm_auth_ok 0',
    apiKeysReading(startAt + minute, []),
    `dbpm_up 1
     dbpm_auth_ok 1`,
  ],
  'a collector that gets 401 for a project says nothing of the key: what the whole account says counts': [
    list(0),
    failed(0, 'endpoints', 'unauthorized', 'a'),
    `dbpm_up 1
     dbpm_auth_ok 1
     ${works('projects')}
     ${fails('endpoints')}`,
    failed(1, 'projects', 'unauthorized'),
    endpointsOf('a', 1),
    `dbpm_auth_ok 0
     ${fails('projects')}
     ${works('endpoints')}`,
  ],
  'a collector that got 401 for a project under an earlier version does not keep the key refused': [
    list(0),
    failed(0, 'endpoints', 'unauthorized', 'a'),
    change("UPDATE collector SET auth_ok = 0 WHERE collector = 'endpoints'"),
    restart(),
    `dbpm_up 1
     dbpm_auth_ok 1`,
  ],
});

const unavailable = (count: number | 'absent') => `dbpm_account_projects_unavailable ${count}`;
/** Another program writes while the endpoints of a project are read. */
const unwritten =
  (project_id: string, minutes: number): Step =>
  told =>
    told.whileLocked(() =>
      expect(() => told.tell(endpointsOf(project_id, minutes))).toThrow(/could not be written/),
    );

testExposition('dbpm_account_projects_unavailable', {
  'how many projects the list calls unavailable is shown once it called any so': [
    list(0),
    unavailable('absent'),
    { ...list(1), complete: false, unavailable: 3 },
    unavailable(3),
    list(2),
    unavailable(0),
    // That it ever did is not remembered.
    restart(),
    unavailable('absent'),
  ],
  'a collector of many projects succeeds only while none of them fails': [
    list(0),
    failed(0, 'endpoints', 'timeout', 'a'),
    endpointsOf('b'),
    `${works('projects')}
     ${fails('endpoints')}`,
    endpointsOf('a'),
    `${works('projects')}
     ${works('endpoints')}`,
  ],
  'a collector is not kept down by the failure of a project that is gone': [
    list(0),
    failed(0, 'endpoints', 'timeout', 'a'),
    list(1, two.slice(1)),
    failed(1, 'endpoints', 'timeout', 'a'),
    endpointsOf('b', 1),
    `${works('projects')}
     ${works('endpoints')}`,
  ],
  'a collector is not kept down by a reading of a project that is gone, though it could not be written': [
    list(0),
    list(1, two.slice(1)),
    unwritten('a', 1),
    endpointsOf('b', 1),
    `${works('projects')}
     ${works('endpoints')}`,
  ],
});

const refresh = (minutes: number | 'absent') =>
  `dbpm_project_last_refresh_timestamp_seconds{project_id="a"} ${minutes === 'absent' ? minutes : startAt / 1000 + minutes * 60}`;

testExposition('dbpm_project_last_refresh_timestamp_seconds', {
  'a collector that is off is not waited for by the refresh of a project': [
    list(0),
    endpointsOf('a', 1),
    refresh('absent'),
    restart({ collectors: ['projects', 'endpoints'] }),
    endpointsOf('a', 2),
    refresh(2),
  ],
  'a project is refreshed only once endpoints and operations are both read': [
    list(0),
    endpointsOf('a'),
    projectReading(startAt, 'a', { operations: [] }),
    refresh('absent'),
    projectReading(startAt, 'a', { endpoints: [], operations: [] }),
    refresh(0),
  ],
});

const bothOf = (project_id: string, minutes: number) =>
  projectReading(startAt + minutes * minute, project_id, { endpoints: [], operations: [] });
const failing = (collector: string, projects: number, sinceMinutes: number) => `
  dbpm_collector_failing_projects{collector="${collector}"} ${projects}
  dbpm_collector_failing_since_timestamp_seconds{collector="${collector}"} ${startAt / 1000 + sinceMinutes * 60}`;

testExposition('dbpm_collector_failing_projects dbpm_collector_failing_since_timestamp_seconds', {
  'how many projects a collector fails at, and since when, is shown until it does not': [
    list(0, [{ id: 'p' }, { id: 'q' }, { id: 'r' }]),
    ...['p', 'q', 'r'].map(id => bothOf(id, 0)),
    '',
    failed(1, 'endpoints', 'unauthorized', 'p'),
    failed(6, 'endpoints', 'unauthorized', 'p'),
    failed(7, 'endpoints', 'locked', 'q'),
    failed(8, 'operations', 'timeout', 'r'),
    failing('endpoints', 2, 1) + failing('operations', 1, 8),
    bothOf('p', 9),
    bothOf('r', 9),
    failing('endpoints', 1, 7),
    // A list that fails is no project, nor is one that leaves projects out.
    failed(10, 'projects', 'timeout'),
    projectsReading(startAt + 10 * minute, [{ id: 'p' }], { complete: false }),
    bothOf('q', 11),
    '',
  ],
});
