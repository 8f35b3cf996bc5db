import Database from 'better-sqlite3';
import { projectId } from '../fleet/fleet-name.ts';
import { serveTasks } from '../process/task.ts';

const listPollMs = 15_000;
let database: Database.Database | undefined;
let at = Date.UTC(2026, 0, 1);

/** As the history writes: a log ahead, safe after a commit. Samples lie in the order they come in, the fastest there is. */
function open(file: string): void {
  database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(`
    CREATE TABLE sample (project_ref INTEGER, at INTEGER, cpu_used_sec REAL,
      PRIMARY KEY (at, project_ref)) STRICT, WITHOUT ROWID;
    CREATE TABLE named_sample (project_id TEXT, at TEXT, cpu_used_sec REAL, PRIMARY KEY (project_id, at)) STRICT;
  `);
}

/** Every project's sample by one prepared statement, in one transaction; the milliseconds it took. */
function insertEach(projects: number): number {
  const insert = opened().prepare('INSERT INTO sample (project_ref, at, cpu_used_sec) VALUES (?, ?, ?)');
  return transact(() => {
    for (let index = 0; index < projects; index += 1) insert.run(index, at, index);
  });
}

/** The same in one statement that unfolds a JSON array. */
function insertJson(projects: number): number {
  const insert = opened().prepare<[number, string]>(
    'INSERT INTO sample (at, project_ref, cpu_used_sec) SELECT ?, key, value FROM json_each(?)',
  );
  return transact(() =>
    insert.run(at, JSON.stringify(Array.from({ length: projects }, (_, index) => index))),
  );
}

/** Every project's sample of so many sweeps, ids and instants as text; bytes a sample. */
function sizeOfText({ projects, listPolls }: { projects: number; listPolls: number }): number {
  const insert = opened().prepare('INSERT INTO named_sample (project_id, at, cpu_used_sec) VALUES (?, ?, ?)');
  return sizeOfSweeps({ projects, listPolls }, index =>
    insert.run(projectId(index), new Date(at).toISOString(), at / listPollMs + index),
  );
}

/** The same with numbers for ids and instants. */
function sizeOfIntegers({ projects, listPolls }: { projects: number; listPolls: number }): number {
  const insert = opened().prepare('INSERT INTO sample (project_ref, at, cpu_used_sec) VALUES (?, ?, ?)');
  return sizeOfSweeps({ projects, listPolls }, index => insert.run(index, at, at / listPollMs + index));
}

function sizeOfSweeps(
  { projects, listPolls }: { projects: number; listPolls: number },
  insert: (index: number) => unknown,
): number {
  const before = sizeBytes();
  for (let listPoll = 0; listPoll < listPolls; listPoll += 1) {
    transact(() => {
      for (let index = 0; index < projects; index += 1) insert(index);
    });
  }
  return (sizeBytes() - before) / (projects * listPolls);
}

function opened(): Database.Database {
  if (database === undefined) throw new Error('open comes first');
  return database;
}

function transact(work: () => void): number {
  at += listPollMs;
  const startedAt = performance.now();
  opened().transaction(work).immediate();
  return performance.now() - startedAt;
}

function sizeBytes(): number {
  const pragma = (name: string) => Number(opened().pragma(name, { simple: true }));
  return pragma('page_count') * pragma('page_size');
}

const tasks = { open, insertEach, insertJson, sizeOfText, sizeOfIntegers };
export type SqliteTasks = typeof tasks;

serveTasks(tasks);
