import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { followHistories, openJoined } from '../../../src/history/merge/joined-history.ts';
import { readReportHistories } from '../../../src/history/merge/report-reading.ts';
import { HistoryFolder } from '../../support/history-folder.ts';
import {
  instant,
  minute,
  projectReading,
  projectsReading,
  startAt,
  wireEndpoint,
  wireProject,
} from '../../support/reading-builder.ts';
import { FleetLife, ShardedFleet } from '../../support/sharded-fleet.ts';

/** Rows of the fleet that do not depend on numbers of rows. */
const compared = [
  `SELECT project_id, cpu_used_total_sec, gone_at FROM project ORDER BY project_id`,
  `SELECT project_id, operation_id, status, phase, endpoint_id, operation.created_at
   FROM operation JOIN project USING (project_ref) LEFT JOIN endpoint USING (endpoint_ref) ORDER BY 1, 2`,
  `SELECT project_id, at, cpu_sample.cpu_used_sec + base_sec AS total FROM cpu_sample JOIN project USING (project_ref) ORDER BY 1, 2`,
  `SELECT project_id, at FROM cpu_count_start JOIN project USING (project_ref) ORDER BY 1, 2`,
  `SELECT project_id, endpoint_id, current_state, endpoint.gone_at FROM endpoint JOIN project USING (project_ref) ORDER BY 1, 2`,
  `SELECT key_id, key_name, gone_at FROM api_key ORDER BY key_id`,
];

const rowsOf = (database: Database.Database) => compared.map(sql => database.prepare(sql).all());

test('shards are joined to the history of one daemon, also where projects move to another shard', () => {
  using fleet = new ShardedFleet(3);
  const life = new FleetLife(fleet, false);
  life.readAll();
  life.go([
    { kind: 'list', gone: [], used: 30 },
    { kind: 'poll', id: 'prj-1', awake: true, ended: 2 },
  ]);
  fleet.shard(4);
  life.readAll();
  life.go([
    { kind: 'list', gone: ['prj-2'], used: 40 },
    ...fleet.shards.map((_, id) => ({ kind: 'poll' as const, id: `prj-${id}`, awake: true, ended: 3 })),
    { kind: 'list', gone: [], used: 5 },
  ]);
  const joined = openJoined(fleet.shardFiles);
  const whole = new Database(fleet.wholeFile, { readonly: true });
  const found = joined && rowsOf(joined);
  const wanted = rowsOf(whole);
  joined?.close();
  whole.close();
  const changed = (rows: readonly unknown[] | undefined) => {
    let last: { readonly project_id?: string; readonly total?: number } = {};
    return (rows as (typeof last)[]).filter(row => {
      const isSame = row.project_id === last.project_id && row.total === last.total;
      last = row;
      return !isSame;
    });
  };
  // A history that takes a project over has a sample of its first reading, which may say what the last one said.
  const [projects, operations, samples, ...others] = found ?? [];
  expect([projects, operations, changed(samples), ...others]).toEqual([
    ...wanted.slice(0, 2),
    changed(wanted[2]),
    ...wanted.slice(3),
  ]);
});

/** Two histories of one account: the second takes the only project over, whose counter was set back meanwhile. */
function handOver(folder: HistoryFolder): readonly string[] {
  const files = ['a', 'b'].map(name => join(folder.path, `${name}.sqlite`));
  const read = [
    [
      [startAt, 100],
      [startAt + 60 * minute, 400],
    ],
    [
      [startAt + 240 * minute, 30],
      [startAt + 300 * minute, 90],
    ],
  ] as const;
  for (const [index, file] of files.entries()) {
    const history = folder.open({ file });
    for (const [at, cpu_used_sec] of read[index] ?? [])
      history.commitOne(projectsReading(at, [wireProject('p', { cpu_used_sec })]));
    folder.close(history);
  }
  return files;
}

test('a counter that was set back while a project moved goes on from what it came to, and that is a gap', () => {
  using folder = new HistoryFolder();
  const found = readReportHistories(
    handOver(folder),
    known => known,
    ({ usage, gaps }) => {
      const [project] = usage.projects;
      const minutes = (at: number) => (at - startAt) / minute;
      const used = [60, 240, 300].map(each =>
        usage.usedUntil(project?.project_ref ?? 0, startAt + each * minute),
      );
      const after = { fromAt: startAt, untilAt: startAt + 300 * minute };
      const read = project && gaps.read(project, after);
      return {
        used: used.map(each => each - (used[0] ?? 0)),
        gaps: read?.map(({ kind, fromAt, untilAt }) => [kind, minutes(fromAt), minutes(untilAt)]),
      };
    },
  );
  expect(found).toEqual({ used: [0, 30_000, 90_000], gaps: [['counter_reset', 60, 240]] });
});

test('former lives keep the name and the branch they had last in a project that moved, also where these were the same', () => {
  using folder = new HistoryFolder();
  const files = ['a', 'b'].map(name => join(folder.path, `${name}.sqlite`));
  const bornAt = [0, 10, 20].map(minutes => startAt + minutes * minute);
  const readings = [bornAt.map(at => [at, at] as const), [[startAt + 30 * minute, bornAt[2] ?? 0] as const]];
  for (const [index, file] of files.entries()) {
    const history = folder.open({ file });
    for (const [at, createdAt] of readings[index] ?? []) {
      const created_at = instant(createdAt);
      const endpoints = [wireEndpoint('ep-1', { branch_id: 'br-1', created_at })];
      history.commitOne(projectsReading(at, [wireProject('p', { name: 'shop', created_at })]));
      history.commitOne(projectReading(at, 'p', { endpoints, operations: [] }));
    }
    folder.close(history);
  }
  const found = readReportHistories(
    files,
    known => known,
    ({ usage }) => ({ former: usage.projects[0]?.former, endpoints: usage.endpointLives() }),
  );
  const former = [0, 1].map(life => ({ created_at: bornAt[life], gone_at: bornAt[life + 1] }));
  expect(found?.former).toEqual(former.map(life => ({ ...life, project_name: 'shop' })));
  expect(found?.endpoints).toMatchObject(
    [...former, { created_at: bornAt[2] }].map(life => ({ ...life, branch_id: 'br-1' })),
  );
});

test('nothing is left behind, neither beside the histories nor in the temporary folder, and both stay as they were', () => {
  using folder = new HistoryFolder();
  const files = handOver(folder);
  const temporary = join(folder.path, 'tmp');
  mkdirSync(temporary);
  const before = readdirSync(folder.path);
  const bytes = files.map(file => readFileSync(file));
  vi.stubEnv('TMPDIR', temporary);
  try {
    openJoined(files)?.close();
    expect([readdirSync(temporary), readdirSync(folder.path)]).toEqual([[], before]);
    expect(files.every((file, index) => bytes[index]?.equals(readFileSync(file)))).toBe(true);
    vi.stubEnv('TMPDIR', join(temporary, 'none'));
    expect(() => openJoined(files)).toThrow(
      /^several histories could not be joined in .*: make room there, or name another folder in TMPDIR$/,
    );
  } finally {
    vi.unstubAllEnvs();
  }
});

test('a joined file is made anew when a history has changed, without one that cannot be read', () => {
  using folder = new HistoryFolder();
  const files = handOver(folder);
  const to = join(folder.path, 'joined.sqlite');
  const known = () => {
    const database = new Database(to, { readonly: true });
    const [project] = database.prepare('SELECT cpu_used_sec FROM project').pluck().all();
    database.close();
    return { cpu_used_sec: project, ino: statSync(to).ino };
  };
  followHistories(files, to);
  const first = known();
  followHistories(files, to);
  expect(known()).toEqual({ cpu_used_sec: 90, ino: first.ino });
  writeFileSync(files[1] ?? '', 'no history'.repeat(1000));
  followHistories(files, to);
  expect(known().cpu_used_sec).toBe(400);
  writeFileSync(files[0] ?? '', '');
  followHistories(files, to);
  expect(readdirSync(folder.path)).not.toContain('joined.sqlite');
});
