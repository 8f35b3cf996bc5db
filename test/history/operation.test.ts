import { expect, test } from 'vitest';
import type { OperationProgress, PollCheckpoint } from '../../src/resources/reading.ts';
import {
  change,
  refused,
  restart,
  type Step,
  ToldHistory,
  testExposition,
} from '../support/exposition-table.ts';
import { checkpointOf } from '../support/history-folder.ts';
import {
  day,
  importReading,
  instant,
  minute,
  projectReading,
  projectsReading,
  startAt,
  type WireItem,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';

const hour = 60 * minute;
const listed = projectsReading(startAt, [{ id: 'p' }]);
/** A page of the operations of `p`, newest first, beside its endpoint `ep-1`. */
const page = (...operations: readonly WireItem[]) =>
  projectReading(startAt, 'p', { endpoints: [wireEndpoint('ep-1')], operations });
const pageAt = (at: number, ...operations: readonly WireItem[]) =>
  projectReading(at, 'p', { endpoints: [wireEndpoint('ep-1')], operations });
const [a, b, c] = ['a', 'b', 'c'].map(id => wireOperation(id)) as [WireItem, WireItem, WireItem];
const running = (id: string, fields: WireItem = {}) => wireOperation(id, { status: 'running', ...fields });
/** The page of a history in which this number of starts of `ep-1` finished. */
const started = (count: number | 'absent') => `
  dbpm_operations_total{project_id="p",action="start_compute",status="finished"} ${count}
  dbpm_endpoint_starts_total{project_id="p",endpoint_id="ep-1"} ${count}`;
const known =
  (expected: PollCheckpoint['known']): Step =>
  ({ history }) =>
    expect(checkpointOf(history, 'p').known).toEqual(expected);
const openIds = (...ids: readonly string[]) => known({ headAt: startAt, openIds: ids });

testExposition(
  'dbpm_operations_total dbpm_operations_in_progress',
  {
    'the same page read again counts nothing again': [page(b, a), page(b, a), started(2)],
    'pages that overlap count what they share once': [page(b, a), page(c, b), started(3)],
    'one page holding an operation twice, under way and finished, counts it once': [
      page(a, running('a'), a),
      started(1),
    ],
    'a restart between two readings of the same page counts nothing again': [
      page(a),
      restart(),
      started(1),
      page(a),
      started(1),
    ],
    'an operation counts when it ends, under the word it ended with': [
      page(running('a', { action: 'restore' })),
      `dbpm_operations_in_progress{project_id="p",action="restore",status="running"} 1
       dbpm_operation_oldest_in_progress_timestamp_seconds{project_id="p"} 1795251600`,
      openIds('a'),
      page(
        wireOperation('a', { action: 'restore', status: 'cancelled', updated_at: '2026-11-21T09:00:40Z' }),
      ),
      openIds(),
      `dbpm_operations_total{project_id="p",action="restore",status="cancelled"} 1
       dbpm_operation_last_failure_timestamp_seconds{project_id="p",action="restore"} 1795251640
       dbpm_operation_duration_seconds_count{action="restore"} 1
       dbpm_operation_duration_seconds_sum{action="restore"} 40`,
    ],
    'a page that is behind takes no operation back from its end': [
      page(a),
      page(running('a', { updated_at: '2026-11-21T09:00:01Z' })),
      started(1),
      page(a),
      openIds(),
      started(1),
    ],
    'an operation that ends a second time in another way stays counted as it first ended': [
      page(a),
      page(wireOperation('a', { status: 'failed' })),
      `${started(1)}
       dbpm_operations_total{project_id="p",action="start_compute",status="failed"} 0`,
    ],
    'counters are absent until the operations were imported back to their beginning, then whole':
      importedBack(),
    'an operation the service no longer has is no longer under way, and still counts should it return ended':
      [
        page(running('a')),
        projectReading(startAt, 'p', { operations: [] }, { vanishedIds: ['a'] }),
        openIds(),
        '',
        page(a),
        projectReading(startAt, 'p', { operations: [] }, { vanishedIds: ['a'] }),
        started(1),
      ],
    'durations of operations outlive the project': [
      page(a),
      projectsReading(startAt + minute, []),
      `${started('absent')}
       dbpm_operation_duration_seconds_count{action="start_compute"} 1`,
    ],
    'an operation of an endpoint no list ever held counts for its project and makes no endpoint': [
      projectReading(startAt, 'p', { endpoints: [], operations: [a] }),
      `dbpm_operations_total{project_id="p",action="start_compute",status="finished"} 1
       dbpm_endpoint_starts_total{project_id="p",endpoint_id="ep-1"} absent
       dbpm_endpoint_info{project_id="p",endpoint_id="ep-1"} absent`,
    ],
    ...Object.fromEntries(
      ['constructor', '__proto__'].map(action => [
        `an operation may have the action ${action}: it changes no state, and counts`,
        [
          page(a),
          pageAt(startAt + minute, wireOperation('b', { action, updated_at: instant(startAt + minute / 2) })),
          `${started(1)}
           dbpm_operations_total{project_id="p",action="${action}",status="finished"} 1`,
        ],
      ]),
    ),
  },
  { first: [listed] },
);

function importedBack(): readonly Step[] {
  const progress: OperationProgress = { headAt: startAt, tailCursor: 'more' };
  return [
    started('absent'),
    projectReading(startAt, 'p', { endpoints: [wireEndpoint('ep-1')], operations: [c] }, { progress }),
    started('absent'),
    known({ ...progress, openIds: [] }),
    importReading(startAt, 'p', [b], { progress }),
    restart(),
    known({ ...progress, openIds: [] }),
    importReading(startAt, 'p', [b, a]),
    started(3),
  ];
}

testExposition(
  'dbpm_operations_total',
  {
    'a project born while the account is watched has its counters at 0 before its first operation is read': [
      projectsReading(startAt + minute, [{ id: 'p', created_at: instant(startAt + minute / 2) }]),
      'dbpm_operations_total{project_id="p",action="start_compute",status="finished"} 0',
      pageAt(startAt + minute, wireOperation('a', { action: 'apply_config', status: 'failed' })),
      'dbpm_operations_total{project_id="p",action="apply_config",status="failed"} 1',
    ],
    'a project older than the watching does not pretend to begin at 0': [
      projectsReading(startAt + minute, [{ id: 'p', created_at: '2026-11-01T00:00:00Z' }]),
      'dbpm_operations_total{project_id="p",action="start_compute",status="finished"} absent',
    ],
  },
  { first: [projectsReading(startAt, [])] },
);

const attempts = (count: number) =>
  `dbpm_operation_attempt_failures_total{project_id="p",action="start_compute"} ${count}`;
const sum = (seconds: number) => `
  dbpm_operation_duration_seconds_count{action="start_compute"} 1
  dbpm_operation_duration_seconds_sum{action="start_compute"} ${seconds}`;
const lastedMs = (id: string, total_duration_ms: unknown) => wireOperation(id, { total_duration_ms });
const retry = (at: number) => ({ retry_at: instant(at) });

testExposition(
  'dbpm_operation_attempt_failures_total dbpm_operation_next_retry_timestamp_seconds dbpm_account_lost_fields_total',
  {
    'failed attempts count as failures_count grows, and never back': [
      page(running('a', { failures_count: 2 })),
      attempts(2),
      page(running('a', { failures_count: 5 })),
      attempts(5),
      page(running('a', { failures_count: 3 })),
      attempts(5),
      page(running('a', { failures_count: 5 })),
      attempts(5),
      page(wireOperation('a', { failures_count: 6 })),
      page(wireOperation('a', { failures_count: 7 })),
      attempts(7),
    ],
    'failures_count at its largest adds up without end': [
      page(
        ...Array.from({ length: 500 }, (_, index) =>
          wireOperation(`o${index}`, { failures_count: 2 ** 31 - 1 }),
        ),
      ),
      attempts(500 * (2 ** 31 - 1)),
    ],
    'a duration is whole seconds where the service did not measure it': [page(a), sum(2)],
    'a duration is as exact as the service measured it': [page(lastedMs('a', 1234)), sum(1.234)],
    'a duration longer than the operation exists is lost, and its instants count': [
      page(lastedMs('a', 3 * hour), lastedMs('b', 'long')),
      `dbpm_operation_duration_seconds_sum{action="start_compute"} 4
       dbpm_account_lost_fields_total{field="total_duration_ms"} 2`,
    ],
    'the next attempt at an operation is shown while it has not ended': [
      page(running('b', retry(startAt + hour)), running('a', retry(startAt + minute))),
      `dbpm_operation_next_retry_timestamp_seconds{project_id="p"} ${startAt / 1000 + 60}`,
      page(wireOperation('b', retry(startAt + minute)), wireOperation('a', retry(startAt + minute))),
      '',
    ],
    'fields of the specification alone name no metric of later versions': [page(running('a'), b), ''],
  },
  { first: [listed] },
);

test('a project that comes back goes on where its operations were known', () => {
  const told = new ToldHistory();
  told.tell(listed, page(a));
  const { known } = checkpointOf(told.history, 'p');
  told.tell(projectsReading(startAt + minute, []));
  const [checkpoint] = told.history.commitOne(projectsReading(startAt + 2 * minute, [wireProject('p')]));
  expect(checkpoint).toEqual({ project_id: 'p', busy: false, known });
});

const keep = { samples: 10 * day, hours: 10 * day, days: 10 * day, operations: 10 * day };
const keepUp =
  (at: number): Step =>
  ({ history }) => {
    while (history.upkeep(at));
  };
const restarted = (id: string, at: string) =>
  wireOperation(id, { action: 'restart', created_at: at, updated_at: at });

testExposition(
  'dbpm_operations_total dbpm_operation_attempt_failures_total',
  {
    'operations that are too old to be kept are counted once, however often the service shows them': [
      0, 30, 60,
    ].flatMap(later => [
      keepUp(startAt + later * day),
      pageAt(
        startAt + later * day,
        wireOperation('o2', { created_at: '2026-11-21T09:51:00Z', failures_count: 1 }),
        wireOperation('o1', { created_at: '2026-11-21T09:50:00Z', failures_count: 1 }),
      ),
      `${started(2)}
           ${attempts(2)}`,
    ]),
  },
  { options: { keep }, first: [listed] },
);

testExposition(
  'dbpm_operations_total',
  {
    'what ended while nobody read is counted, also when it is too old to be kept by then': [
      pageAt(startAt, restarted('o1', '2026-11-20T10:00:00Z')),
      keepUp(startAt + 9 * day),
      pageAt(
        startAt + 9 * day,
        restarted('o2', '2026-11-22T10:00:00Z'),
        restarted('o1', '2026-11-20T10:00:00Z'),
      ),
      'dbpm_operations_total{project_id="p",action="restart",status="finished"} 2',
    ],
  },
  { options: { keep: { ...keep, operations: day } }, first: [listed] },
);

const fifty = Array.from({ length: 50 }, (_, index) => `word_${index}`);
/** Operations of these actions, the last the newest. */
const actions = (words: readonly string[], status = 'finished') =>
  projectReading(startAt, 'p', {
    operations: words.map(action => wireOperation(`${action} ${status}`, { action, status })).toReversed(),
  });
const counted = (...counts: readonly (readonly [action: string, count: number])[]) =>
  counts
    .map(
      ([action, count]) =>
        `dbpm_operations_total{project_id="p",action="${action}",status="finished"} ${count}`,
    )
    .join('\n');
const fiftyOnce = fifty.map(word => [word, 1] as const);

testExposition(
  'dbpm_operations_total dbpm_operations_in_progress',
  {
    'the 51st distinct word of a kind becomes other, known ones pass, also after a restart': [
      actions([...fifty, 'word_50', 'word_51', 'apply_config']),
      counted(...fiftyOnce, ['other', 2], ['apply_config', 1]),
      restart(),
      counted(...fiftyOnce, ['other', 2], ['apply_config', 1]),
      actions(['word_52', 'start_compute']),
      counted(...fiftyOnce, ['other', 3], ['apply_config', 1], ['start_compute', 1]),
    ],
    'words of operations under way that became the same label are one sample': [
      actions([...fifty, 'word_50', 'word_51'], 'brewing'),
      [...fifty.map(word => [word, 1]), ['other', 2]]
        .map(
          ([action, count]) =>
            `dbpm_operations_in_progress{project_id="p",action="${action}",status="brewing"} ${count}`,
        )
        .join('\n'),
    ],
    'a word of a reading that was rolled back takes no place': [
      change(`CREATE TRIGGER full BEFORE INSERT ON operation BEGIN SELECT raise(ABORT, 'full'); END`),
      refused(
        actions(
          fifty.map(word => `lost ${word}`),
          'running',
        ),
        '(full)',
      ),
      change('DROP TRIGGER full'),
      actions(fifty),
      counted(...fiftyOnce),
    ],
  },
  { first: [projectsReading(startAt, [wireProject('p')])] },
);

testExposition(
  'dbpm_endpoint_state',
  {
    'states, actions and statuses are kinds of their own': [
      actions(fifty),
      projectReading(startAt, 'p', {
        endpoints: [wireEndpoint('ep-1', { current_state: 'warming', pending_state: 'glowing' })],
      }),
      `dbpm_endpoint_state{project_id="p",endpoint_id="ep-1",state="warming"} 1
       dbpm_endpoint_pending_state{project_id="p",endpoint_id="ep-1",state="glowing"} 1`,
    ],
    'the 51st state becomes other, and exactly one state is 1': [
      projectReading(startAt, 'p', {
        endpoints: [...fifty, 'word_50'].map(word => wireEndpoint(word, { current_state: word })),
        operations: [],
      }),
      [...fifty.map(word => [word, word]), ['word_50', 'other']]
        .map(([id, state]) => `dbpm_endpoint_state{project_id="p",endpoint_id="${id}",state="${state}"} 1`)
        .join('\n'),
    ],
  },
  { first: [projectsReading(startAt, [wireProject('p')])] },
);
