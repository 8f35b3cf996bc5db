import Database from 'better-sqlite3';
import { projectId } from '../fleet/fleet-name.ts';
import { serveTasks } from '../process/child.ts';

const listPollMs = 15_000;
/** What a project of the benchmarks takes in the history beside its counters. */
const fieldBytes = 150;
let database: Database.Database | undefined;
let at = Date.UTC(2026, 0, 1);

/**
 * As the history writes: a log ahead, safe after a commit. Samples lie in the order they come in, the fastest there is;
 * kept ones by project, as they are asked for.
 */
function open(file: string): void {
  database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(`
    CREATE TABLE sample (project_ref INTEGER, at INTEGER, cpu_used_sec REAL,
      PRIMARY KEY (at, project_ref)) STRICT, WITHOUT ROWID;
    CREATE TABLE kept_project (project_ref INTEGER PRIMARY KEY, fields TEXT, cpu_used_sec REAL, updated_at INTEGER,
      cpu_last_at INTEGER, cpu_used_total_sec REAL) STRICT;
    CREATE TABLE kept_sample (project_ref INTEGER, at INTEGER, cpu_used_sec REAL,
      PRIMARY KEY (project_ref, at)) STRICT, WITHOUT ROWID;
    CREATE TABLE named_sample (project_id TEXT, at TEXT, cpu_used_sec REAL, PRIMARY KEY (project_id, at)) STRICT;
  `);
}

/** The milliseconds of the longest commit with what was written in it, and of the processor all in all. */
export interface Writing {
  /** Of the processor, in this thread. */
  readonly cpuMs: number;
  readonly blockedMs: number;
}

interface Changed {
  readonly projects: number;
  readonly changedShare: number;
  readonly commits: number;
}

/** The rows of every project, and some samples of each. */
function keep(projects: number): void {
  const write = opened().prepare('INSERT INTO kept_project (project_ref, fields) VALUES (?, ?)');
  transact(() => {
    for (let index = 0; index < projects; index += 1) write.run(index, 'x'.repeat(fieldBytes));
  });
  for (let samples = 0; samples < 3; samples += 1) writeChanged({ projects, changedShare: 1, commits: 1 });
}

/**
 * The projects that changed and their samples, as large and in the order in which the history keeps them, in so many
 * commits: nothing is compared or counted, and none waits for another.
 */
function writeChanged({ projects, changedShare, commits }: Changed): Writing {
  const write = opened().prepare(
    `UPDATE kept_project SET cpu_used_sec = ?, updated_at = ?, cpu_last_at = ?, cpu_used_total_sec = ?
     WHERE project_ref = ?`,
  );
  const insert = opened().prepare('INSERT INTO kept_sample (project_ref, at, cpu_used_sec) VALUES (?, ?, ?)');
  const changed = Math.ceil(projects * changedShare);
  const perCommit = Math.ceil(changed / commits);
  const durationsMs: number[] = [];
  at += listPollMs;
  const cpuBefore = process.threadCpuUsage();
  for (let from = 0; from < changed; from += perCommit) {
    const blockedMs = transact(() => {
      for (let number = from; number < Math.min(from + perCommit, changed); number += 1) {
        const index = Math.floor((number * projects) / changed);
        write.run(at, at, at, at, index);
        insert.run(index, at, at);
      }
    });
    durationsMs.push(blockedMs);
  }
  const { user, system } = process.threadCpuUsage(cpuBefore);
  return { cpuMs: (user + system) / 1000, blockedMs: Math.max(...durationsMs) };
}

/** Every project's sample of a number of list polls, ids and instants as text; bytes a sample. */
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

const tasks = { open, keep, writeChanged, sizeOfText, sizeOfIntegers };
export type SqliteTasks = typeof tasks;

serveTasks(tasks);
