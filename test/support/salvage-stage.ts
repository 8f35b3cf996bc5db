import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { History } from '../../src/history/history.ts';
import { type Salvage, type SalvageOptions, salvageHistory } from '../../src/history/salvage/salvage.ts';
import { listPages } from './damaged-history.ts';
import { HistoryFolder } from './history-folder.ts';
import { type LifeOptions, LivedHistory } from './lived-history.ts';
import { readCounters, type StoredCounter } from './stored-counter.ts';

const compared = /^(?!(owner|set_aside|sqlite_)).*$/;

/** A fleet and the history that watched it, closed, to be damaged again and again. */
export class SalvageStage {
  readonly life: LivedHistory;
  readonly whole: Buffer;
  readonly pages: ReturnType<typeof listPages>;

  constructor(options: LifeOptions, days: number) {
    this.life = new LivedHistory(options);
    this.life.watch(days * 86_400, { listEverySeconds: 900, projectsEvery: 2 });
    const { history, folder } = this.life;
    const asOfAt = this.life.now;
    const charged = {
      total: '123',
      unpricedTotal: 5,
      periodFromAt: 0,
      periodAccrued: '12',
      periodUnpriced: 0,
    };
    history.saveAccruals([{ account: 'main', currency: 'USD', ...charged, asOfAt }]);
    keepUp(history, this.life.now);
    folder.close(history);
    this.whole = readFileSync(folder.file);
    this.pages = listPages(folder.file);
    this.life[Symbol.dispose]();
  }

  /** A folder with a copy of the history in it. */
  open(): HistoryFolder {
    const folder = new HistoryFolder();
    writeFileSync(folder.file, this.whole);
    return folder;
  }
}

/** Rolls up use as a daemon does now and then. */
export function keepUp(history: History, now: number): void {
  history.followClock(0);
  while (history.upkeep(now));
}

/** Saves the history of a folder into another file there. */
export function salvageIn(
  folder: HistoryFolder,
  options: Partial<SalvageOptions> = {},
): Salvage & { readonly file: string } {
  const file = join(folder.path, 'saved.sqlite');
  return { ...salvageHistory({ from: folder.file, to: file, ...options }), file };
}

/** Puts a file in the place of the history of a folder. */
export function putInPlace(folder: HistoryFolder, file: string): void {
  for (const suffix of ['-wal', '-shm']) rmSync(folder.file + suffix, { force: true });
  copyFileSync(file, folder.file);
}

/** All rows of the tables of a history that nobody has open, by table. */
export function readRows(file: string): Readonly<Record<string, readonly string[]>> {
  const database = new Database(file, { readonly: true });
  try {
    const tables = database
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .pluck()
      .all()
      .filter(table => compared.test(table));
    return Object.fromEntries(
      tables.map(table => [
        table,
        database
          .prepare(`SELECT * FROM ${table}`)
          .raw()
          .all()
          .map(row => JSON.stringify(row))
          .sort(),
      ]),
    );
  } finally {
    database.close();
  }
}

/** Counters that are less than they should be and are not told to begin anew, and those that are more. */
export function findUntold(
  truth: ReadonlyMap<string, StoredCounter>,
  file: string,
  { begunAnew }: Salvage,
): readonly string[] {
  const found = readCounters(file);
  const isTold = ({ metric, of }: StoredCounter) =>
    begunAnew.some(each => each.metrics.includes(metric) && (each.of.length === 0 || each.of.includes(of)));
  const less = [...truth]
    .filter(([key, { value }]) => (found.get(key)?.value ?? 0) < value - slack)
    .filter(([, counter]) => !isTold(counter))
    .map(([key, { value }]) => `${key} is ${found.get(key)?.value}, not ${value}, and nobody says so`);
  const more = [...found]
    .filter(([key, { value }]) => value > (truth.get(key)?.value ?? 0) + slack)
    .map(([key, { value }]) => `${key} is ${value}, more than ${truth.get(key)?.value}`);
  return [...less, ...more];
}

/** A sum of fractions. */
const slack = 0.01;
