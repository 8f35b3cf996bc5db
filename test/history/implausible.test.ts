import Database from 'better-sqlite3';
import { expect } from 'vitest';
import { type Step, testExposition } from '../support/exposition-table.ts';
import {
  apiKeysReading,
  day,
  instant,
  minute,
  projectReading,
  projectsReading,
  startAt,
  type WireItem,
  wireEndpoint,
  wireKey,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';

const farAway = '2099-01-01T00:00:00Z';
const implausible = (...fields: readonly string[]) =>
  fields.map(field => `dbpm_account_implausible_values_total{field="${field}"} 1`).join('\n');

/** An operation with odd instants beside one that lasted for three seconds, read three times. */
const oddOperation = (
  created_at: string,
  updated_at: string,
  ...fields: readonly string[]
): readonly Step[] => [
  ...[0, 1, 2].map(minutes =>
    projectReading(startAt + minutes * minute, 'p', {
      endpoints: [],
      operations: [
        wireOperation('odd', { created_at, updated_at }),
        wireOperation('sound', {
          created_at: instant(startAt - minute),
          updated_at: instant(startAt - minute + 3000),
        }),
      ],
    }),
  ),
  `dbpm_operation_duration_seconds_count{action="start_compute"} 1
   dbpm_operation_duration_seconds_sum{action="start_compute"} 3
   dbpm_operations_total{project_id="p",action="start_compute",status="finished"} 2
   ${implausible(...fields)}`,
];

/** An endpoint last active at an instant. */
const active = (minutes: number, last_active: string) =>
  projectReading(startAt + minutes * minute, 'p', {
    endpoints: [wireEndpoint('ep-1', { last_active })],
    operations: [],
  });

/** The instants from which on an endpoint was used. */
const usesSince =
  (...instants: readonly number[]): Step =>
  ({ file }) => {
    const database = new Database(file, { readonly: true });
    expect(database.prepare('SELECT from_at FROM endpoint_use ORDER BY from_at').pluck().all()).toEqual(
      instants,
    );
    database.close();
  };

testExposition(
  'dbpm_account_implausible_values_total',
  {
    'an operation that ended still to come counts as ended, and its duration for nothing': oddOperation(
      instant(startAt - minute),
      farAway,
      'updated_at',
    ),
    'an operation that ended before its creation counts as ended, and its duration for nothing': oddOperation(
      instant(startAt - minute),
      instant(startAt - 2 * day),
      'updated_at',
    ),
    'an operation created and ended still to come counts as ended, and its duration for nothing':
      oddOperation(farAway, farAway, 'created_at', 'updated_at'),
    'an endpoint that was last active in the future shows it, and its later uses are written down': [
      active(0, farAway),
      `dbpm_endpoint_last_active_timestamp_seconds{project_id="p",endpoint_id="ep-1"} 4070908800
       ${implausible('last_active')}`,
      active(1, instant(startAt + minute)),
      usesSince(startAt + minute),
    ],
    'a project created in the future is none that was born under watch': [
      projectsReading(startAt + minute, [wireProject('p'), wireProject('q', { created_at: farAway })]),
      `dbpm_operations_total{project_id="q",action="start_compute",status="finished"} absent
       ${implausible('created_at')}`,
    ],
  },
  { first: [projectsReading(startAt, [wireProject('p')])] },
);

const key = (minutes: number, last_used_at: string | null) =>
  apiKeysReading(startAt + minutes * minute, [
    wireKey(1, { last_used_at, created_at: instant(startAt - 90 * day) } satisfies WireItem),
  ]);
const usedAt = (at: number | 'absent', stale: 0 | 1) =>
  `dbpm_api_key_last_used_timestamp_seconds{key_id="1"} ${at === 'absent' ? at : at / 1000}
   dbpm_api_key_stale{key_id="1"} ${stale}`;

testExposition('dbpm_account_implausible_values_total', {
  'a key used in the future goes on with the use that was known, and with the next one': [
    key(0, farAway),
    `${usedAt('absent', 1)}
     ${implausible('last_used_at')}`,
    key(1, instant(startAt - 50 * day)),
    `${usedAt(startAt - 50 * day, 1)}
     ${implausible('last_used_at')}`,
    key(2, farAway),
    `${usedAt(startAt - 50 * day, 1)}
     dbpm_account_implausible_values_total{field="last_used_at"} 2`,
    key(3, instant(startAt)),
    `${usedAt(startAt, 0)}
     dbpm_account_implausible_values_total{field="last_used_at"} 2`,
  ],
});
