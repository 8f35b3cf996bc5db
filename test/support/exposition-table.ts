import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { History } from '../../src/history/history.ts';
import type { HistoryOptions } from '../../src/history/history-options.ts';
import type { AccountView } from '../../src/resources/account.ts';
import type { Reading } from '../../src/resources/reading.ts';
import { HistoryFolder, viewOf } from './history-folder.ts';
import { startAt } from './reading-builder.ts';
import { linesOf } from './sample-line.ts';

type Options = Partial<HistoryOptions>;

/** A history in a temporary folder that is told readings. It is closed and removed when its test is over. */
export class ToldHistory {
  readonly folder = new HistoryFolder();
  history: History;
  /** When the page is asked for, epoch milliseconds: with the latest reading, unless a test sets it later. */
  now = startAt;
  #options: Options;
  #isOpen = true;

  constructor(options: Options = {}) {
    onTestFinished(() => this.folder[Symbol.dispose]());
    this.#options = options;
    this.history = this.folder.open(options);
  }

  get file(): string {
    return this.folder.file;
  }

  /** Each is written for itself. */
  tell(...readings: readonly Reading[]): void {
    for (const reading of readings) {
      this.now = Math.max(this.now, reading.readAt);
      this.history.commitOne(reading);
    }
  }

  /** With the same options, or with others from now on. */
  restart(options = this.#options): void {
    this.#options = options;
    this.close();
    this.history = this.folder.open(options);
    this.#isOpen = true;
  }

  /** The daemon ends. */
  close(): void {
    if (this.#isOpen) this.folder.close(this.history);
    this.#isOpen = false;
  }

  /** Changes the file beside the daemon, as another program does. */
  change(sql: string): void {
    const other = new Database(this.file);
    other.exec(sql);
    other.close();
  }

  /** Does something while another program writes, so that no other can. */
  whileLocked(work: () => void): void {
    const other = new Database(this.file);
    other.exec('BEGIN IMMEDIATE');
    work();
    other.close();
  }

  view(now = this.now): AccountView {
    return viewOf(this.history, now);
  }

  /** The lines of these metrics, without the label `account`. */
  lines(metrics: ReadonlySet<string>): readonly string[] {
    return this.allLines().filter(line => metrics.has(nameOf(line)));
  }

  allLines(): readonly string[] {
    return linesOf(this.view(), 'dbpm_').map(line => line.replace('{} ', ' '));
  }
}

/** What happens next: a reading comes, the page shows these lines, or anything else is done. */
export type Step = Reading | string | ((told: ToldHistory) => void);

/** The daemon is started again, with the same options or others. */
export function restart(options?: Options): Step {
  return told => told.restart(options);
}

/** The page is asked for at an instant. */
export function lookAt(now: number): Step {
  return told => {
    told.now = now;
  };
}

/** Another program changes the file. */
export function change(sql: string): Step {
  return told => told.change(sql);
}

/** A reading cannot be written, and is refused so. */
export function refused(reading: Reading, message: string | RegExp): Step {
  return told => expect(() => told.history.commitOne(reading)).toThrow(message);
}

interface Setting {
  readonly options?: Options;
  /** What every row begins with. */
  readonly first?: readonly Step[];
  /** Whether the last text of a row must hold after a restart, too. */
  readonly isKept?: boolean;
}

/**
 * Readings in, exposition out: a test for each row, named by its key. A text in a row is the whole of these metrics, and of
 * those that the row's texts name, as the page then has them: a line that ends with ` absent` must not be there, and lines
 * that end with ` 0` may be left out.
 *
 * @param metrics names of metrics, with blanks between them.
 */
export function testExposition(
  metrics: string,
  rows: Readonly<Record<string, readonly Step[]>>,
  { options = {}, first = [], isKept = true }: Setting = {},
): void {
  for (const [name, row] of Object.entries(rows)) {
    test(name, () => {
      const told = new ToldHistory(options);
      const texts = row.filter(step => typeof step === 'string');
      const names = new Set([...metrics.split(/\s+/), ...texts.flatMap(linesIn).map(nameOf)]);
      for (const step of [...first, ...row]) {
        if (typeof step === 'string') expectLines(told.lines(names), step);
        else if (typeof step === 'function') step(told);
        else told.tell(step);
      }
      const last = row.at(-1);
      if (typeof last !== 'string' || !isKept) return;
      told.restart();
      expectLines(told.lines(names), last);
    });
  }
}

function expectLines(shown: readonly string[], text: string): void {
  const lines = linesIn(text);
  const named = new Set(lines.map(seriesOf));
  const wanted = lines.filter(line => !line.endsWith(' absent'));
  const told = shown.filter(line => !line.endsWith(' 0') || named.has(seriesOf(line)));
  expect(told.toSorted().join('\n')).toBe(wanted.toSorted().join('\n'));
}

function linesIn(text: string): readonly string[] {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');
}

function nameOf(line: string): string {
  return line.split(/[{ ]/, 1)[0] ?? line;
}

function seriesOf(line: string): string {
  return line.slice(0, line.lastIndexOf(' '));
}
