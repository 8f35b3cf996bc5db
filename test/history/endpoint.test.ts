import { expect, test } from 'vitest';
import { UsageReader } from '../../src/history/usage/usage-history.ts';
import type { ProjectReading } from '../../src/resources/reading.ts';
import { restart, type Step, ToldHistory, testExposition } from '../support/exposition-table.ts';
import { checkpointOf } from '../support/history-folder.ts';
import {
  importReading,
  instant,
  minute,
  projectReading,
  projectsReading,
  second,
  startAt,
  type WireItem,
  wireEndpoint,
  wireOperation,
} from '../support/reading-builder.ts';

const listed = projectsReading(startAt, [{ id: 'p' }]);
const at = (sec: number) => startAt + sec * second;
const exactly = (sec: number) => new Date(at(sec)).toISOString();

/** A reading of the only endpoint of `p`, at a second after the start; instants of operations are seconds, too. */
function read(sec: number, fields: WireItem, operations: readonly WireItem[] = []): ProjectReading {
  return projectReading(at(sec), 'p', { endpoints: [wireEndpoint('ep-1', fields)], operations });
}

/** The reading, whose operations were served later than its endpoints. */
function servedAt(sec: number, reading: ProjectReading): ProjectReading {
  if (reading.operations === undefined) throw new Error('the reading has operations');
  return { ...reading, operations: { ...reading.operations, servedAt: at(sec) } };
}

function change(id: string, action: string, createdSec: number, endedSec: number): WireItem {
  return wireOperation(id, {
    action,
    created_at: instant(at(createdSec)),
    updated_at: instant(at(endedSec)),
  });
}

const start = (createdSec: number, endedSec: number) =>
  change(`start ${createdSec}`, 'start_compute', createdSec, endedSec);
const suspend = (createdSec: number, endedSec: number) =>
  change(`suspend ${createdSec}`, 'suspend_compute', createdSec, endedSec);

/** The seconds that the endpoint spent in each state. */
const spent = (states: Readonly<Record<string, number>>, project_id = 'p') =>
  Object.entries(states)
    .map(
      ([state, seconds]) =>
        `dbpm_endpoint_state_seconds_total{project_id="${project_id}",endpoint_id="ep-1",state="${state}"} ${seconds}`,
    )
    .join('\n');
const starts = (count: number) => `dbpm_endpoint_starts_total{project_id="p",endpoint_id="ep-1"} ${count}`;
const state = (name: string) => `dbpm_endpoint_state{project_id="p",endpoint_id="ep-1",state="${name}"} 1`;
const refreshed = (sec: number) =>
  `dbpm_project_last_refresh_timestamp_seconds{project_id="p"} ${startAt / 1000 + sec}`;

const created_at = instant(startAt);
const bornAnHourAgo = { created_at: instant(at(-3600)) };

testExposition(
  'dbpm_endpoint_state_seconds_total',
  {
    'an import that ends later opens the ledger with all changes since the creation': [
      projectReading(
        at(600),
        'p',
        { endpoints: [wireEndpoint('ep-1', { created_at })], operations: [suspend(300, 303)] },
        { progress: { headAt: startAt, tailCursor: 'more' } },
      ),
      '',
      importReading(at(660), 'p', [start(0, 3)]),
      spent({ init: 3, active: 300, idle: 297 }),
    ],
    'changes that came between reading the endpoints and reading the operations are dated as they happened': [
      read(60, { created_at, current_state: 'active' }, [start(0, 3)]),
      servedAt(
        1000,
        read(120, { created_at, current_state: 'active' }, [start(900, 903), suspend(300, 303), start(0, 3)]),
      ),
      spent({ init: 3, active: 300, idle: 600 }),
      read(1200, { created_at, current_state: 'active' }, [start(900, 903), suspend(300, 303), start(0, 3)]),
      spent({ init: 3, active: 597, idle: 600 }),
    ],
    'a change of state between the reading of the endpoints and that of the operations keeps its own time': [
      read(0, { ...bornAnHourAgo, current_state: 'active' }, [start(-3600, -3600)]),
      // The operations, after a long wait for the budget, are served 20 minutes later than the endpoints.
      servedAt(
        1200,
        read(0, { ...bornAnHourAgo, current_state: 'active' }, [suspend(600, 600), start(-3600, -3600)]),
      ),
      read(1800, bornAnHourAgo),
      spent({ active: 70 * 60, idle: 20 * 60 }),
    ],
    'reassigning an idle endpoint changes nothing about its time: it stays idle': [
      read(0, { branch_id: 'br-1', pending_state: 'idle', created_at }),
      read(60, { branch_id: 'br-2', pending_state: 'idle', created_at }, [
        { ...suspend(60, 60), status: 'scheduling' },
      ]),
      read(120, { branch_id: 'br-2', pending_state: 'idle', created_at }, [suspend(60, 62)]),
      spent({ idle: 120 }),
    ],
    'an operation dated in 2099 adds no years to a state, read as it ends or imported': [
      projectsReading(startAt, [{ id: 'p' }, { id: 'q' }]),
      read(0, { current_state: 'active' }),
      ...['p', 'q'].map(id =>
        projectReading(at(60), id, {
          endpoints: [wireEndpoint('ep-1', { current_state: 'active' })],
          operations: [wireOperation('b', { action: 'suspend_compute', updated_at: '2099-01-01T00:00:00Z' })],
        }),
      ),
      spent({ active: 120 }),
    ],
    'of a suspend and a start that end in the same second, created one after the other, the newer one counts':
      [
        read(0, { current_state: 'active' }),
        read(120, { current_state: 'active' }, [start(58, 60), suspend(50, 60)]),
        spent({ active: 120 }),
      ],
    'of a suspend and a start that end in the same second, created in the same second, the newer one counts':
      [
        read(0, { current_state: 'active' }),
        read(120, { current_state: 'active' }, [start(58, 60), suspend(58, 60)]),
        spent({ active: 120 }),
      ],
  },
  { first: [listed] },
);

const wasAwake = { started_at: exactly(100.25), suspended_at: exactly(250.5) };
const idleSinceBefore = { created_at: instant(at(-60)) };
const missed = { ...idleSinceBefore, ...wasAwake };

testExposition(
  'dbpm_endpoint_state_seconds_total',
  {
    'a time awake between two readings is counted to the millisecond, though no operation shows it': [
      read(0, idleSinceBefore),
      read(600, missed),
      spent({ idle: 600 - 150.25, active: 150.25 }),
      read(600, missed),
      restart(),
      read(600, missed),
      spent({ idle: 600 - 150.25, active: 150.25 }),
    ],
    'with its operations it is counted once, at the exact instants': [
      read(0, idleSinceBefore),
      read(600, missed, [suspend(250, 252), start(99, 101)]),
      spent({ idle: 600 - 150.25, active: 150.25 }),
      read(660, missed, [suspend(250, 252), start(99, 101)]),
      spent({ idle: 660 - 150.25, active: 150.25 }),
    ],
    'an operation that is read before the list shows its exact instant takes no time back': [
      read(0, idleSinceBefore),
      read(104, { ...idleSinceBefore, current_state: 'active' }, [start(99, 104)]),
      spent({ idle: 104 }),
      read(200, { ...idleSinceBefore, current_state: 'active', started_at: wasAwake.started_at }, [
        start(99, 104),
      ]),
      spent({ idle: 104, active: 96 }),
    ],
    'dates that contradict the state are no evidence': [
      read(0, idleSinceBefore),
      read(600, { ...missed, started_at: exactly(300) }),
      read(600, { ...idleSinceBefore, started_at: exactly(5 * 86_400) }),
      spent({ idle: 600 }),
    ],
  },
  { first: [listed] },
);

const active = { created_at: instant(at(-60)), current_state: 'active' };
const born = change('op-1', 'start_compute', -60, -50);

/** Nothing new was seen in the operations, which were served two seconds after the reading began. */
function lightReading(sec: number): ProjectReading {
  const operations = { items: [], rejected: 0, vanishedIds: [], progress: { headAt: startAt } };
  return {
    ...projectReading(at(sec), 'p', {}),
    unchanged: true,
    operations: { ...operations, servedAt: at(sec + 2) },
  };
}

function operationsAlone(sec: number): ProjectReading {
  const { unchanged: _, ...reading } = lightReading(sec);
  return reading;
}

const checkpoint =
  (project_id: string, expected: Partial<ReturnType<typeof checkpointOf>>): Step =>
  ({ history }) =>
    expect(checkpointOf(history, project_id)).toEqual({ project_id, ...expected });

testExposition('dbpm_endpoint_state_seconds_total dbpm_project_last_refresh_timestamp_seconds', {
  'a reading that shows nothing new counts as a refresh and accounts for the time in the state that was read':
    [
      listed,
      read(0, active, [born]),
      lightReading(300),
      `${refreshed(300)}
     ${state('active')}
     ${starts(1)}
     ${spent({ active: 352, init: 10 })}`,
    ],
  'operations alone are neither a refresh nor an observation of a state': [
    listed,
    read(0, active, [born]),
    operationsAlone(300),
    `${refreshed(0)}
     ${spent({ active: 50, init: 10 })}`,
  ],
  'the next reading is told how the project stands': [
    projectsReading(startAt, [{ id: 'p' }, { id: 'q' }]),
    checkpoint('p', { known: { openIds: [] }, busy: false }),
    read(0, {}, [wireOperation('open', { status: 'running' })]),
    projectReading(startAt, 'q', { endpoints: [wireEndpoint('ep-1', active)], operations: [born] }),
    checkpoint('p', { known: { headAt: startAt, openIds: ['open'] }, busy: true }),
    checkpoint('q', { known: { headAt: startAt, openIds: [] }, busy: true }),
  ],
});

const delay = (seconds: number | 'absent') =>
  `dbpm_endpoint_suspend_timeout_seconds{project_id="p",endpoint_id="ep-1"} ${seconds}`;

testExposition(
  'dbpm_endpoint_suspend_timeout_seconds',
  {
    'the auto-suspend delay is shown as reported, and absent otherwise': [
      read(0, {}),
      delay('absent'),
      read(0, { suspend_timeout_seconds: -1 }),
      delay(-1),
      read(0, { suspend_timeout_seconds: 0 }),
      delay(0),
      read(0, { suspend_timeout_seconds: 300 }),
      delay(300),
    ],
  },
  { first: [listed] },
);

/**
 * The auto-suspend delays of an endpoint, by what is read every minute.
 *
 * @returns minutes after the start, and milliseconds from then on; undefined where it is not known.
 */
function readDelays(...readings: readonly (readonly [own: unknown, byDefault?: unknown])[]) {
  const told = new ToldHistory();
  for (const [minutes, [own, byDefault]] of [...readings, readings.at(-1) ?? []].entries()) {
    const last = minutes === readings.length;
    const settings = { default_endpoint_settings: { suspend_timeout_seconds: byDefault } };
    if (!last) told.tell(projectsReading(at(minutes * 60), [{ id: 'p', ...settings }]));
    told.tell(read(minutes * 60, { created_at: instant(at(-60)), suspend_timeout_seconds: own }));
  }
  told.close();
  const reader = new UsageReader(told.file, ['main']);
  const { usage, endpoints } = reader.look();
  const [project] = usage.projects;
  if (project === undefined) throw new Error('there is no project');
  const [past] = endpoints.endpoints(project, () => startAt);
  reader.close();
  return past?.delays?.map(({ fromAt, delayMs }) => [(fromAt - startAt) / minute, delayMs]);
}

test('an endpoint with the default has the auto-suspend delay that the list says of its project at the time', () => {
  expect(
    readDelays([0, undefined], [0, 300], [0, -1], [60, 900], [0, 900], [0, 0], [0, 'long'], [0, 120]),
  ).toEqual([
    [0, undefined],
    [1, 300_000],
    [2, Number.POSITIVE_INFINITY],
    [3, 60_000],
    [4, 900_000],
    [5, undefined],
    [6, undefined],
    [7, 120_000],
  ]);
});

test('auto-suspend delays are remembered where they change', () => {
  expect(readDelays([300], [300], [-1], [0], [undefined], ['long'], [60])).toEqual([
    [0, 300_000],
    [2, Number.POSITIVE_INFINITY],
    [3, undefined],
    [4, undefined],
    [6, 60_000],
  ]);
});
