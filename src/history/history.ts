import { statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import type { AccountView } from '../resources/account.ts';
import type { EndpointView } from '../resources/endpoint.ts';
import type { Project } from '../resources/project.ts';
import type { OperationProgress, ProjectStanding, Reading } from '../resources/reading.ts';
import { AccountMemory } from './account-memory.ts';
import { AccountQuery } from './account-query.ts';
import { type OpenDatabase, openDatabase, unusable } from './database.ts';
import { describeCause, HistoryError } from './history-error.ts';
import { Recorder } from './recorder.ts';
import { ViewQuery } from './view-query.ts';
import { WordRegister } from './word-register.ts';

export interface HistoryOptions {
  readonly file: string;
  readonly accounts: readonly string[];
  readonly staleAfterMs: number;
  readonly dropAfterMs: number;
}

/** How far the operations of a project are known, and which known ones have not ended. */
export interface KnownOperations extends OperationProgress {
  readonly openIds: readonly string[];
}

/** The daemon's memory: what was read, and the counters over it, across restarts and crashes. */
export class History {
  readonly #options: HistoryOptions;
  readonly #open: OpenDatabase;
  readonly #words: WordRegister;
  readonly #recorder: Recorder;
  readonly #memories: ReadonlyMap<string, AccountMemory>;
  readonly #progress;
  readonly #openIds;
  readonly #pausedUntil;
  readonly #notePause;

  /** @throws HistoryError when the file cannot be used; its message says what to do. */
  constructor(options: HistoryOptions) {
    this.#options = options;
    this.#open = openDatabase(options.file);
    const { database } = this.#open;
    try {
      this.#words = new WordRegister(database);
      this.#recorder = new Recorder(database, this.#words);
      this.#memories = this.#remember(database);
      this.#progress = database.prepare<
        [number, string],
        { operations_head_at: number | null; operations_tail_cursor: string | null; project_ref: number }
      >(
        `SELECT project_ref, operations_head_at, operations_tail_cursor FROM project
         WHERE account_ref = ? AND project_id = ?`,
      );
      this.#pausedUntil = database
        .prepare<[number], number>('SELECT paused_until_at FROM account WHERE account_ref = ?')
        .pluck();
      this.#notePause = database.prepare<[number, number]>(
        'UPDATE account SET paused_until_at = ? WHERE account_ref = ?',
      );
      this.#openIds = database
        .prepare<[number], string>(
          `SELECT operation_id FROM operation WHERE project_ref = ? AND phase = 'open'`,
        )
        .pluck();
    } catch (cause) {
      this.#open.close();
      throw unusable(options.file, cause);
    }
  }

  /**
   * Records a reading in one transaction: all of it or nothing. Reading the same thing again changes nothing.
   *
   * @throws HistoryError when it could not be written; nothing is lost but this reading.
   */
  record(reading: Reading): void {
    const memory = this.#memory(reading.account);
    try {
      this.#open.assertInPlace();
      const touched = this.#open.database
        .transaction(() => this.#recorder.record(memory, reading))
        .immediate();
      for (const project_id of touched.project_ids) memory.reloadProject(project_id);
      if (touched.keys) memory.reloadKeys();
      // A failure was answered by nobody, so it says nothing about the service's clock.
      if (reading.kind !== 'failure') memory.setSkew(reading.servedAt - reading.readAt);
      memory.reloadAccount();
    } catch (cause) {
      this.#words.reload();
      memory.noteUnwritten(reading);
      throw new HistoryError(
        `the reading of ${reading.account} could not be written to ${this.#options.file} (${describeCause(cause)}): check the disk's space and rights`,
        { cause },
      );
    }
  }

  /** What is known of every account at `now` (epoch milliseconds): one consistent moment. */
  view(now: number): readonly AccountView[] {
    return [...this.#memories.values()].map(memory => memory.view(now, this.#options.staleAfterMs));
  }

  /** Remembers that the service asked to be left alone until then (epoch milliseconds), for a restart. */
  notePause(account: string, pausedUntil: number): void {
    this.#notePause.run(pausedUntil, this.#memory(account).account_ref);
  }

  /** Until when the service last asked to be left alone; 0 if never. */
  pausedUntil(account: string): number {
    return this.#pausedUntil.get(this.#memory(account).account_ref) ?? 0;
  }

  /** Whether anything was ever read. */
  hasData(): boolean {
    return [...this.#memories.values()].some(memory => memory.wasRead());
  }

  /** The projects that are known and not gone, as they were last listed, with how each stands. */
  *knownProjects(
    account: string,
  ): Iterable<{ readonly project: Project; readonly standing: ProjectStanding }> {
    for (const { project } of this.#memory(account).projects()) {
      const standing = this.standing(account, project.project_id);
      if (standing !== undefined) yield { project, standing };
    }
  }

  /** What the next reading of a project goes by; undefined for one that is not known. */
  standing(account: string, project_id: string): ProjectStanding | undefined {
    const stored = this.#memory(account).project(project_id);
    if (stored === undefined) return undefined;
    const { endpoints, operations } = stored;
    const busy = endpoints.some(isAwake) || operations?.oldestInProgressAt !== undefined;
    return { project_id, known: this.knownOperations(account, project_id), busy };
  }

  knownOperations(account: string, project_id: string): KnownOperations {
    const row = this.#progress.get(this.#memory(account).account_ref, project_id);
    if (row === undefined) return { openIds: [] };
    return {
      ...(row.operations_head_at !== null && { headAt: row.operations_head_at }),
      ...(row.operations_tail_cursor !== null && { tailCursor: row.operations_tail_cursor }),
      openIds: this.#openIds.all(row.project_ref),
    };
  }

  /** Bytes on disk, the write-ahead log included. */
  sizeBytes(): number {
    return ['', '-wal', '-shm'].reduce(
      (sum, suffix) => sum + (statSync(this.#options.file + suffix, { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
  }

  close(): void {
    this.#open.close();
  }

  #memory(account: string): AccountMemory {
    const memory = this.#memories.get(account);
    if (memory === undefined) throw new Error(`account ${account} was not given to the history`);
    return memory;
  }

  #remember(database: Database): ReadonlyMap<string, AccountMemory> {
    const enrol = database
      .prepare<[string], number>(
        `INSERT INTO account (account) VALUES (?)
         ON CONFLICT DO UPDATE SET account = excluded.account RETURNING account_ref`,
      )
      .pluck();
    const queries = { account: new AccountQuery(database), view: new ViewQuery(database, this.#words) };
    const { accounts, dropAfterMs } = this.#options;
    return new Map(
      accounts.map(account => {
        const account_ref = enrol.get(account) ?? 0;
        return [account, new AccountMemory(account, account_ref, queries, dropAfterMs)];
      }),
    );
  }
}

function isAwake({ current_state, pending_state }: EndpointView): boolean {
  return pending_state !== undefined || (current_state !== 'idle' && current_state !== 'stopped');
}
