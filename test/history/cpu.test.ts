import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { UsageQuery } from '../../src/history/usage/usage-query.ts';
import { lookAt, restart, type Step, ToldHistory, testExposition } from '../support/exposition-table.ts';
import {
  day,
  failedReading,
  instant,
  minute,
  projectReading,
  projectsReading,
  second,
  startAt,
  usageReading,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';

const hour = 60 * minute;
const metrics = `dbpm_project_cpu_used_seconds_total dbpm_account_cpu_used_seconds_total
  dbpm_project_cpu_used_reported_seconds dbpm_project_cpu_used_resets_total`;

/** What the project counted, which is what its account did, what it reports and how often that was set back. */
const counted = (total: number, reported: number | 'absent', resets: number) =>
  `dbpm_project_cpu_used_seconds_total{project_id="p"} ${total}
   dbpm_account_cpu_used_seconds_total ${total}
   dbpm_project_cpu_used_reported_seconds{project_id="p"} ${reported}
   dbpm_project_cpu_used_resets_total{project_id="p"} ${resets}`;
const list = (afterMs: number, cpu_used_sec: unknown) =>
  projectsReading(startAt + afterMs, [wireProject('p', { cpu_used_sec })]);
/** The project has an endpoint of a size. */
const sized = (cu: number) =>
  projectReading(startAt, 'p', {
    endpoints: [wireEndpoint('ep-1', { autoscaling_limit_min_cu: cu, autoscaling_limit_max_cu: cu })],
    operations: [],
  });
const implausible = (count: number) => `dbpm_account_implausible_values_total{field="cpu_used_sec"} ${count}`;

testExposition(metrics, {
  ...Object.fromEntries(
    [10 * second, minute, 20 * minute].map(apartMs => [
      `replicas that alternate, one of them behind, multiply nothing (${apartMs} ms apart)`,
      [
        list(0, 1000),
        sized(7),
        ...Array.from({ length: 60 }, (_, index) => index + 1).flatMap((reading): readonly Step[] => [
          list(reading * apartMs, reading % 2 === 0 ? 1000 : 850),
          ...(reading % 7 === 0 ? [restart()] : []),
        ]),
        counted(1000, 1000, 0),
      ] satisfies readonly Step[],
    ]),
  ),
  'a counter that begins anew counts with the second value that says so, also after a restart': [
    list(0, 30_000),
    sized(7),
    list(10 * second, 0),
    counted(30_000, 0, 0),
    restart(),
    list(20 * second, 40),
    counted(30_040, 40, 1),
    list(30 * second, 50),
    counted(30_050, 50, 1),
  ],
  'a counter of a project at rest that stays at zero counts as set back with the second reading': [
    list(0, 30_000),
    sized(7),
    ...[10, 20, 30].map(seconds => list(seconds * second, 0)),
    counted(30_000, 0, 1),
  ],
  ...Object.fromEntries(
    [9e12, 1e6 + 1000].flatMap(value =>
      [[sized(7)], []].map(sizes => [
        `a value nobody can have used (${value}, ${sizes.length === 0 ? 'no size known' : 'at 7 CU'}) is shown, and counts for nothing`,
        [
          list(0, 1000),
          ...sizes,
          list(10 * second, value),
          counted(1000, value, 0),
          restart(),
          list(20 * second, value),
          list(30 * second, 1010),
          counted(1010, 1010, 0),
        ] satisfies readonly Step[],
      ]),
    ),
  ),
  'a value held back counts once it can be true, by the time since the last one that was believed': [
    list(0, 1000),
    sized(7),
    ...[1, 2, 5, 10, 15, 18, 18.5, 18.6, 18.8, 18.9, 19, 20].flatMap((hours): readonly Step[] => [
      list(hours * hour, 1_001_000),
      restart(),
      // Twice what the largest size uses, over the time and an hour.
      counted(2 * 7 * (hours + 1) * hour >= 1e9 ? 1_001_000 : 1000, 1_001_000, 0),
    ]),
    counted(1_001_000, 1_001_000, 0),
  ],
  'what was used while nobody watched counts at once, however much': [
    list(0, 1000),
    sized(7),
    restart(),
    list(30 * day, 1000 + 30 * 86_400 * 7),
    counted(1000 + 30 * 86_400 * 7, 1000 + 30 * 86_400 * 7, 0),
  ],
  'values that were held back are counted as such, by account and field': [
    list(0, 1000),
    sized(7),
    `${counted(1000, 1000, 0)}
     ${implausible(0)}`,
    list(10 * second, 9e12),
    list(20 * second, 9e12),
    list(30 * second, -4),
    `${counted(1000, -4, 0)}
     ${implausible(3)}`,
  ],
});

/** The first value of a project that was created so long before. */
const firstValue = (ageMs: number, cpu_used_sec: number): Step =>
  projectsReading(startAt, [wireProject('p', { cpu_used_sec, created_at: instant(startAt - ageMs) })]);
const total = (seconds: number | 'absent') =>
  `dbpm_project_cpu_used_seconds_total{project_id="p"} ${seconds}`;

testExposition('dbpm_project_cpu_used_seconds_total', {
  'a first value counts when the project is old enough for it': [
    firstValue(365 * day, 365 * 86_400 * 7),
    total(365 * 86_400 * 7),
  ],
  'a first value of a project just made counts': [firstValue(minute, 5400), total(5400)],
  'a first value nobody can have used does not count': [firstValue(365 * day, 9e12), total('absent')],
  'a first value of a project created in the future counts': [firstValue(-365 * day, 5400), total(5400)],
});

const period = { consumption_period_start: instant(startAt - 5 * day) };
/** The list, which tells of compute or leaves that to each project. */
const listed = (atMinute: number, cpu_used_sec: number | undefined, isOfProject = false) => {
  const item = { ...wireProject('p', { created_at: instant(startAt) }), cpu_used_sec };
  const reading = projectsReading(startAt + atMinute * minute, [item]);
  return isOfProject ? ({ ...reading, cpuSource: 'project' } as const) : reading;
};
/** The list, by which the project was created so many minutes after the beginning. */
const made = (atMinute: number, createdMinute: number, cpu_used_sec: number | undefined) => {
  const item = wireProject('p', { created_at: instant(startAt + createdMinute * minute) });
  return projectsReading(startAt + atMinute * minute, [{ ...item, cpu_used_sec }]);
};
const use = (atMinute: number, compute_time_seconds: number, more: object = period) =>
  usageReading(startAt + atMinute * minute, 'p', { compute_time_seconds, ...more });
const source =
  (name: 'list' | 'project'): Step =>
  told =>
    expect(told.view(startAt).cpuSource).toBe(name === 'list' ? undefined : name);

testExposition(metrics, {
  'a counter goes on without a step from the list to the project and back, over restarts': [
    listed(0, 100),
    listed(10, 400),
    counted(400, 400, 0),
    source('list'),
    listed(20, undefined, true),
    use(20, 7000),
    counted(400, 'absent', 0),
    source('project'),
    restart(),
    listed(30, undefined, true),
    use(30, 7090),
    use(31, 7090),
    counted(490, 'absent', 0),
    listed(40, 50, true),
    counted(490, 50, 0),
    restart(),
    listed(50, 60),
    listed(51, 65),
    counted(495, 65, 0),
    source('list'),
    use(60, 9000),
    counted(495, 65, 0),
  ],
  'a project whose list never told anything has all it used in its period counted': [
    listed(0, undefined),
    '',
    source('list'),
    use(1, 30),
    listed(2, undefined, true),
    use(3, 50),
    source('project'),
    counted(50, 'absent', 0),
  ],
  'a new billing period is a reset that needs no second reading': [
    listed(0, undefined, true),
    use(0, 0),
    use(60, 3600),
    restart(),
    use(65, 240, { consumption_period_start: instant(startAt + 61 * minute) }),
    counted(3840, 'absent', 1),
  ],
  'the count of a project that was deleted and created again with its id begins at zero at its creation': [
    made(0, 0, 100),
    made(10, 0, 400),
    projectsReading(startAt + 20 * minute, []),
    restart(),
    made(40, 30, 450),
    counted(850, 450, 1),
    // Again, between two lists.
    made(50, 45, 500),
    counted(1350, 500, 2),
    restart(),
    made(60, 45, 530),
    made(60, 45, 530),
    counted(1380, 530, 2),
  ],
  'so it does where each project tells of its use': [
    { ...made(0, 0, undefined), cpuSource: 'project' },
    use(0, 0),
    use(10, 400),
    { ...made(40, 30, undefined), cpuSource: 'project' },
    use(40, 450, { consumption_period_start: instant(startAt + 30 * minute) }),
    counted(850, 'absent', 1),
  ],
  'a creation that is told otherwise is no other project where it lies before what was read': [
    made(0, 0, 100),
    made(10, 0, 400),
    made(20, 5, 450),
    counted(450, 450, 0),
  ],
  'a creation that is told otherwise is no other project where its use goes on, and nobody can have used it since then':
    [
      made(0, 0, 50_000),
      made(10, 0, 50_400),
      made(11, 11, 50_400),
      counted(50_400, 50_400, 0),
      restart(),
      ...[13, 15, 17].map(minutes => made(minutes, minutes, 50_400 + minutes)),
      counted(50_417, 50_417, 0),
      // One that used less is another.
      made(20, 20, 10),
      counted(50_427, 10, 1),
    ],
  'what nobody can have used is held back, and counted as a value that cannot be true': [
    listed(0, undefined, true),
    sized(1),
    use(0, 0),
    use(1, 9e12),
    `${counted(0, 'absent', 0)}
     ${implausible(1)}`,
  ],
  'use that could not be read is an error of the list and leaves it up': [
    listed(0, undefined, true),
    { ...failedReading(startAt + minute, 'projects', 'unavailable', 'p'), ofUse: true },
    lookAt(startAt + 20 * minute),
    `dbpm_up 1
     dbpm_collector_success{collector="projects"} 1
     dbpm_collector_errors_total{collector="projects",reason="unavailable"} 1
     dbpm_project_created_timestamp_seconds{project_id="p"} ${startAt / 1000}`,
  ],
});

test('use lies where the project was awake since it was last read, not where its list was', () => {
  const told = new ToldHistory();
  told.tell(listed(0, undefined, true), use(0, 100));
  for (let atMinute = 10; atMinute <= 300; atMinute += 10) told.tell(listed(atMinute, undefined, true));
  told.restart();
  told.tell(listed(310, undefined, true), use(310, 700));
  const database = new Database(told.file, { readonly: true });
  const last = database
    .prepare(
      `SELECT (after_at - ${startAt}) / 60000 AS after, (at - ${startAt}) / 60000 AS at FROM cpu_sample ORDER BY at DESC`,
    )
    .get();
  database.close();
  expect(last).toEqual({ after: 0, at: 310 });
});

test.each([-1, 1e305])(
  'an endpoint of %d compute units leaves what its project used a number that only grows',
  limit => {
    const told = new ToldHistory();
    const created_at = '2026-11-21T09:50:00Z';
    const awake = (id: string, limit: number) =>
      wireEndpoint(id, {
        created_at,
        current_state: 'active',
        autoscaling_limit_min_cu: limit,
        autoscaling_limit_max_cu: limit,
      });
    const start = (endpoint_id: string, updated_at: string) =>
      wireOperation(endpoint_id, { endpoint_id, created_at, updated_at });
    told.tell(
      projectsReading(startAt, [wireProject('p', { created_at, cpu_used_sec: 720 })]),
      projectReading(startAt, 'p', {
        endpoints: [awake('ep-1', limit), awake('ep-2', 3)],
        operations: [start('ep-2', '2026-11-21T09:56:00Z'), start('ep-1', '2026-11-21T09:52:00Z')],
      }),
    );
    const database = new Database(told.file, { readonly: true });
    const usage = new UsageQuery(database);
    const used = [-11, -8, -4, -2, 0].map(minutes => usage.usedUntil(1, startAt + minutes * minute));
    database.close();
    expect(used).toEqual([0, 0, 0, 360_000, 720_000]);
  },
);
