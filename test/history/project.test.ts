import { expect, test } from 'vitest';
import { readKnownProjects } from '../../src/history/fleet/known-project.ts';
import type { Collector } from '../../src/resources/collector.ts';
import type { ProjectGlobs } from '../../src/resources/project-filter.ts';
import type { ProjectsReading } from '../../src/resources/reading.ts';
import { restart, type Step, ToldHistory, testExposition } from '../support/exposition-table.ts';
import { checkpointOf, HistoryFolder, viewAll, viewOf } from '../support/history-folder.ts';
import {
  failedReading,
  minute,
  projectGoneReading,
  projectReading,
  projectsReading,
  startAt,
  type WireItem,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';

const a = (cpu_used_sec = 10) => wireProject('a', { cpu_used_sec });
const b = (cpu_used_sec = 20) => wireProject('b', { cpu_used_sec });
const list = (minutes: number, projects: readonly WireItem[], more: Partial<ProjectsReading> = {}) => ({
  ...projectsReading(startAt + minutes * minute, projects),
  ...more,
});
const both = list(0, [a(), b()]);
/** The compute of projects that are shown. */
const shown = (used: Readonly<Record<string, number>>) =>
  Object.entries(used)
    .map(([id, seconds]) => `dbpm_project_cpu_used_seconds_total{project_id="${id}"} ${seconds}`)
    .join('\n');
const gone = (minutes: number) =>
  `dbpm_account_last_project_gone_timestamp_seconds ${startAt / 1000 + minutes * 60}`;
const endpoints = (ids: readonly string[], complete = true) =>
  projectReading(
    startAt,
    'a',
    { endpoints: ids.map(id => wireEndpoint(id, { host: '' })), operations: [] },
    { complete },
  );
const endpointLines = (...ids: readonly string[]) =>
  ids.map(id => `dbpm_endpoint_state{project_id="a",endpoint_id="${id}",state="idle"} 1`).join('\n');

testExposition('dbpm_project_cpu_used_seconds_total dbpm_endpoint_state', {
  'what a list no longer holds is gone when the list is complete, and only then': [
    both,
    list(1, [a()], { complete: false }),
    shown({ a: 10, b: 20 }),
    list(2, [a()]),
    shown({ a: 10 }),
  ],
  'a project that is gone does not lower what the account used': [
    both,
    list(1, []),
    'dbpm_account_cpu_used_seconds_total 30',
  ],
  'a project that was gone goes on counting where it was when it returns': [
    both,
    list(1, []),
    list(2, [a(15)]),
    `${shown({ a: 15 })}
       dbpm_account_cpu_used_seconds_total 35`,
  ],
  'a project is gone at once when the service says that it does not exist': [
    both,
    projectGoneReading(startAt + minute, 'a'),
    projectGoneReading(startAt + minute, 'never seen'),
    shown({ b: 20 }),
  ],
  'an incomplete list of endpoints removes none, a complete one does, and they return': [
    list(0, [{ id: 'a' }]),
    endpoints(['ep-1', 'ep-2']),
    endpoints([], false),
    endpointLines('ep-1', 'ep-2'),
    endpoints(['ep-2']),
    endpointLines('ep-2'),
    endpoints(['ep-1', 'ep-2']),
    endpointLines('ep-1', 'ep-2'),
  ],
  'a project without cpu_used_sec has no counter of it, and one that loses it keeps what it counted': [
    list(0, [{ id: 'a' }, { id: 'b', cpu_used_sec: 20 }]),
    list(1, [{ id: 'a' }, { id: 'b' }]),
    `dbpm_project_cpu_used_seconds_total{project_id="a"} absent
       dbpm_project_cpu_used_seconds_total{project_id="b"} 20
       dbpm_project_cpu_used_resets_total{project_id="a"} absent
       dbpm_project_cpu_used_resets_total{project_id="b"} 0
       dbpm_project_cpu_used_reported_seconds{project_id="b"} absent`,
  ],
  'when a project was last gone is known from the first that was on, by the clock of the service': [
    both,
    `${shown({ a: 10, b: 20 })}
       dbpm_account_last_project_gone_timestamp_seconds absent`,
    list(1, [b()], { servedAt: startAt }),
    `${shown({ b: 20 })}
       ${gone(0)}`,
  ],
});

test('accounts are kept apart though their projects share ids', () => {
  const told = new ToldHistory({ accounts: ['main', 'second'] });
  told.tell(both, projectsReading(startAt, [a(7)], { account: 'second' }));
  told.tell(failedReading(startAt, 'projects', 'unauthorized'));
  const views = viewAll(told.history, startAt).map(({ account, authOk, projects }) => [
    account,
    authOk,
    projects.map(({ cpuUsedSeconds }) => cpuUsedSeconds),
  ]);
  expect(views).toEqual([
    ['main', false, [10, 20]],
    ['second', true, [7]],
  ]);
});

test('a list of 10,000 projects read again writes nothing about them', () => {
  const told = new ToldHistory();
  const fleet = Array.from({ length: 10_000 }, (_, index) =>
    wireProject(`p-${index}`, { cpu_used_sec: index }),
  );
  told.tell(projectsReading(startAt, fleet));
  expect(told.view().projects).toHaveLength(10_000);
  for (const table of ['project', 'cpu_sample']) {
    for (const change of ['INSERT', 'UPDATE', 'DELETE'])
      told.change(
        `CREATE TRIGGER no_${change}_${table} BEFORE ${change} ON ${table} BEGIN SELECT raise(ABORT, 'changed'); END`,
      );
  }
  told.tell(projectsReading(startAt + minute, fleet));
  expect(told.view().cpuUsedSeconds).toBe((9999 * 10_000) / 2);
  const grown = fleet.with(0, wireProject('p-0', { cpu_used_sec: 1 }));
  expect(() => told.tell(projectsReading(startAt + minute, grown))).toThrow('(changed)');
});

const leaving = (...exclude: readonly string[]) => ({
  projects: new Map<string, ProjectGlobs>([['main', { include: ['*'], exclude }]]),
});
const polled =
  (...ids: readonly string[]): Step =>
  ({ history }) =>
    expect([...history.knownProjects('main')].map(({ project }) => project.project_id)).toEqual(ids);
const leftOut: ProjectsReading['leftOut'] = [{ project_id: 'a', project_name: 'old a' }];

testExposition('dbpm_project_cpu_used_seconds_total dbpm_account_last_project_gone_timestamp_seconds', {
  'a project that is left out from a restart on is neither shown nor read, and not gone': [
    both,
    restart(leaving('name of a')),
    shown({ b: 20 }),
    polled('b'),
    list(1, [b()]),
    shown({ b: 20 }),
    restart({}),
    shown({ a: 10, b: 20 }),
  ],
  'a project that was left out goes on counting where it was when it is watched again, and the account with it':
    [
      both,
      restart(leaving('a')),
      list(1, [b(25)]),
      `${shown({ b: 25 })}
     dbpm_account_cpu_used_seconds_total 35`,
      restart({}),
      list(2, [a(17), b(25)]),
      `${shown({ a: 17, b: 25 })}
     dbpm_account_cpu_used_seconds_total 42`,
    ],
  'a project that is left out does not keep those that are watched from being gone': [
    both,
    restart(leaving('a')),
    list(1, []),
    gone(1),
    restart({}),
    `${shown({ a: 10 })}
     ${gone(1)}`,
  ],
  'a project that gets a name which is left out is shown no more, now and after a restart, and is not gone': [
    restart(leaving('old *')),
    both,
    list(1, [b()], { leftOut }),
    shown({ b: 20 }),
    projectReading(startAt + minute, 'a', { endpoints: [wireEndpoint('ep-1')] }),
    `${shown({ b: 20 })}
     dbpm_endpoint_state{project_id="a",endpoint_id="ep-1",state="idle"} absent`,
    restart(),
    polled('b'),
    shown({ b: 20 }),
  ],
  'a project is back with its counters when it gets a name that is not left out': [
    restart(leaving('old *')),
    both,
    list(1, [b()], { leftOut }),
    list(2, [a(15), b()]),
    shown({ a: 15, b: 20 }),
  ],
});

/** A project with an endpoint that is awake and an operation under way, when only some collectors are on any more. */
const without = (collectors: readonly Collector[]): readonly Step[] => [
  list(0, [a()]),
  projectReading(startAt, 'a', {
    endpoints: [wireEndpoint('ep-1', { current_state: 'active' })],
    operations: [wireOperation('op-1', { status: 'running' })],
  }),
  ({ history }) =>
    expect(checkpointOf(history, 'a')).toMatchObject({ busy: true, known: { openIds: ['op-1'] } }),
  restart({ collectors }),
];

testExposition('dbpm_endpoint_state dbpm_operations_total dbpm_operations_in_progress', {
  'what a collector read that is off now makes no project busy, and is not followed': [
    ...without(['projects']),
    ({ history }) => {
      expect(checkpointOf(history, 'a')).toMatchObject({ busy: false, known: { openIds: [] } });
      expect(history.snapshot(startAt).map(({ overview }) => overview)).toMatchObject([{ endpoints: 0 }]);
    },
  ],
  'a collector that is off leaves what the others read as it is': [
    ...without(['projects', 'endpoints']),
    ({ history }) => expect(checkpointOf(history, 'a')).toMatchObject({ busy: true, known: { openIds: [] } }),
    `dbpm_endpoint_state{project_id="a",endpoint_id="ep-1",state="active"} 1
     dbpm_operations_total{project_id="a",action="start_compute",status="finished"} absent`,
  ],
});

test('every project a history ever saw is known with what a match looks at', () => {
  using nothingYet = new HistoryFolder();
  expect(readKnownProjects(nothingYet.file)).toEqual([]);
  const told = new ToldHistory({ accounts: ['main', 'second'] });
  expect(readKnownProjects(told.file)).toEqual([]);
  const shop = wireProject('p-1', { name: 'shop', region_id: 'eu-1', platform_id: 'aws' });
  told.tell(projectsReading(startAt, [shop], { account: 'second' }));
  told.tell(projectsReading(startAt, [{ id: 'p-2', cpu_used_sec: 0 }]));
  told.tell(projectGoneReading(startAt + 1000, 'p-2'));
  const known = [
    { account: 'second', project_id: 'p-1', project_name: 'shop', region_id: 'eu-1', platform_id: 'aws' },
    { account: 'main', project_id: 'p-2' },
  ];
  expect(readKnownProjects(told.file)).toEqual(known);
  told.close();
  expect(readKnownProjects(told.file)).toEqual(known);
});

test('a thousand projects of two accounts are shown by a restart as they were before it', () => {
  const told = new ToldHistory({ accounts: ['main', 'second'] });
  // Their rows lie between each other, and those of some that are gone.
  const ids = Array.from({ length: 1300 }, (_, index) => `p-${index}`);
  for (let from = 0; from < ids.length; from += 100) {
    const items = ids.slice(from, from + 100).map(id => wireProject(id, { name: `shop ${id}` }));
    const account = (from / 100) % 3 === 0 ? 'second' : 'main';
    told.tell(projectsReading(startAt, items, { account, complete: false }));
  }
  const polled = [...told.history.knownProjects('main')].map(({ project }) => project.project_id);
  told.history.commit(
    polled
      .filter((_, index) => index % 9 === 0)
      .map((id, index) =>
        projectReading(startAt + 1000, id, {
          endpoints: [wireEndpoint(`ep-${id}`), wireEndpoint(`ro-${id}`)],
          operations: [
            wireOperation(`op-${id}`, { endpoint_id: `ep-${id}` }),
            wireOperation(`open-${id}`, {
              status: index % 2 === 0 ? 'running' : 'failed',
              failures_count: 2,
            }),
          ],
        }),
      ),
  );
  told.history.commit(polled.slice(490, 520).map(id => projectGoneReading(startAt + 2000, id)));
  const showAll = () => {
    told.history.showAgain();
    return told.history.snapshot(startAt + 5000).map(({ account, projects }) => ({
      ...{ account: account.account, imports: account.importsLeft, gone: account.lastProjectGoneAt },
      projects: [...projects].filter(([, view]) => view !== undefined),
    }));
  };
  const before = showAll();
  expect(before.map(({ projects }) => projects.length)).toEqual([770, 500]);
  told.restart();
  expect(showAll()).toEqual(before);
});

test('how many projects are still to be imported is not told before their list was read', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  const told = () => viewOf(history, startAt).importsLeft;
  expect(told()).toBeUndefined();
  history.commitOne(failedReading(startAt, 'projects', 'unauthorized'));
  expect(told()).toBeUndefined();
  history.commitOne(projectsReading(startAt, [wireProject('p1'), wireProject('p2')]));
  expect(told()).toBe(2);
  history.commitOne(projectReading(startAt, 'p1', { endpoints: [], operations: [] }));
  expect(told()).toBe(1);
});
