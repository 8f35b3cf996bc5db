import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { createSchema } from '../../src/history/file/format.ts';
import { History } from '../../src/history/history.ts';
import type { HistoryOptions } from '../../src/history/history-options.ts';
import { openWhole } from '../../src/history/whole-opening.ts';
import type { AccountView } from '../../src/resources/account.ts';
import { collectors } from '../../src/resources/collector.ts';
import type { ProjectView } from '../../src/resources/project.ts';
import type { PollCheckpoint } from '../../src/resources/reading.ts';
import { day, minute, projectsReading, startAt } from './reading-builder.ts';

const usualOptions = {
  accounts: ['main'],
  collectors,
  staleAfterMs: 45 * day,
  dropAfterMs: 10 * minute,
};

/** A temporary folder with histories in it; disposing of it closes and removes them. */
export class HistoryFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'dbpm-history-'));
  readonly #opened = new Set<History>();

  get file(): string {
    return join(this.path, 'dbpm.sqlite');
  }

  /** Opens the history of account `main`, unless the options say otherwise. */
  open(options: Partial<HistoryOptions> = {}): History {
    if (options.file === undefined && readdirSync(this.path).length === 0) this.#writeEmpty();
    const history = new History({ ...usualOptions, file: this.file, ...options });
    this.#opened.add(history);
    return history;
  }

  /** Opens it as a daemon that keeps backups beside it does: see `openWhole`. */
  openWhole(now: number): ReturnType<typeof openWhole> {
    const backup = { everyMs: day, keep: 3, directory: '' };
    const whole = openWhole({ ...usualOptions, file: this.file, backup }, now);
    this.#opened.add(whole.opened);
    return whole;
  }

  /** Most of the time that a new history takes is that of its tables: they are made once for all tests of a process. */
  #writeEmpty(): void {
    writeFileSync(this.file, emptyHistory(), { mode: 0o600 });
    // Without it the file would be taken for a copy.
    writeFileSync(`${this.file}.lock`, '', { mode: 0o600 });
  }

  /** Opens the history of account `main` and records a complete list of its projects at `startAt`. */
  openListed(projects: readonly unknown[]): History {
    const history = this.open();
    history.commitOne(projectsReading(startAt, projects));
    return history;
  }

  close(history: History): void {
    this.#opened.delete(history);
    history.close();
  }

  /** Closes it and opens the file again, as a restart does. */
  reopen(history: History, options: Partial<HistoryOptions> = {}): History {
    this.close(history);
    return this.open(options);
  }

  /**
   * Has every reading that is about to be written refused: `ABORT` takes back that reading alone, `ROLLBACK` the whole
   * transaction, as a full disk does.
   */
  refuseWrites(action: string): { end(): void } {
    const other = new Database(this.file);
    other.exec(
      `CREATE TRIGGER refusal BEFORE INSERT ON collector BEGIN SELECT RAISE(${action}, 'refused'); END`,
    );
    return {
      end() {
        other.exec('DROP TRIGGER refusal');
        other.close();
      },
    };
  }

  [Symbol.dispose](): void {
    for (const history of this.#opened) history.close();
    rmSync(this.path, { recursive: true, force: true });
  }
}

let empty: Buffer | undefined;

/** The bytes of a history that no daemon has opened yet. */
function emptyHistory(): Buffer {
  if (empty === undefined) {
    const database = new Database(':memory:');
    createSchema(database);
    empty = database.serialize();
    database.close();
  }
  return empty;
}

const shownBy = new WeakMap<History, Map<string, Map<string, ProjectView>>>();

/** Everything that is shown at `now`, put together from the changes as whoever publishes it does. */
export function viewAll(history: History, now: number): readonly AccountView[] {
  const shown = shownBy.get(history) ?? new Map<string, Map<string, ProjectView>>();
  shownBy.set(history, shown);
  return history.snapshot(now).map(({ account, projects: changes }) => {
    const projects = shown.get(account.account) ?? new Map<string, ProjectView>();
    shown.set(account.account, projects);
    for (const [project_id, view] of changes) {
      if (view === undefined) projects.delete(project_id);
      else projects.set(project_id, view);
    }
    return { ...account, projects: [...projects.values()] };
  });
}

/** The view of the first account. */
export function viewOf(history: History, now: number): AccountView {
  const [view] = viewAll(history, now);
  if (view === undefined) throw new Error('the history has no account');
  return view;
}

/** What the next reading of a project of account `main` goes by. */
export function checkpointOf(history: History, project_id: string): PollCheckpoint {
  const known = [...history.knownProjects('main')].find(
    ({ checkpoint }) => checkpoint.project_id === project_id,
  );
  if (known === undefined) throw new Error(`the history does not know ${project_id}`);
  return known.checkpoint;
}
