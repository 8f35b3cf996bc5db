import { basename, extname } from 'node:path';
import { backfillHistory } from '../../history/backfill/backfill.ts';
import type { BackfillOptions } from '../../history/backfill/source.ts';
import { HistoryError, unusable } from '../../history/file/history-error.ts';
import { openReader, refuseOtherFormat } from '../../history/file/reader.ts';
import { readShard } from '../../history/history-source.ts';
import type { JoinedPart } from '../../history/merge/joined-project.ts';
import { listAccounts } from '../../history/usage/report-history.ts';
import { lookAtUsage } from '../../history/usage/usage-history.ts';
import { ofShard, type UsageOptions } from '../../report/usage-view/options.ts';
import { ViewAsOf } from '../../report/usage-view/view-as-of.ts';
import type { InstantRow } from '../../resources/backfill.ts';
import type { CatalogGroup } from '../../resources/catalog.ts';
import { Failure } from '../../resources/failure.ts';
import { keepFamilies, listFamilyNames } from '../../resources/family-selection.ts';
import { matchesGlob } from '../../resources/glob.ts';
import type { Shard } from '../../resources/shard.ts';
import { type ExportStep, readSteps } from './export-step.ts';
import { UsageBackfill } from './usage-backfill.ts';

/** The series of an export. */
export interface ExportOptions extends Omit<BackfillOptions, 'instants'> {
  /** The families the live page shows. */
  readonly groups: readonly CatalogGroup[];
  /** Globs on names of metrics; all where there is none. */
  readonly metrics: readonly string[];
  /** Labels of every series, with what a history is told apart by still to be filled in. */
  readonly labels: Readonly<Record<string, string>>;
  /** The settings use and cost are worked out by; of all accounts there were where they name none. */
  readonly usage: UsageOptions;
}

/** Reads the series of some instants, the oldest first, in steps that are made as they are asked for. */
export type ReadInstants = (rows: readonly InstantRow[]) => Generator<ExportStep>;

/** A history that is read as it was when it was opened. */
export class ExportSource implements JoinedPart, Disposable {
  readonly file: string;
  /** The part of the projects that the history is of; undefined where it is of all. */
  readonly shard: Shard | undefined;
  readonly database: JoinedPart['database'];

  /** @throws HistoryError when the file cannot be read as a history. */
  constructor(file: string) {
    const database = openReader(file);
    try {
      refuseOtherFormat(database, file);
      database.exec('BEGIN');
      this.shard = readShard(database);
    } catch (cause) {
      database.close();
      throw cause instanceof HistoryError ? cause : unusable(file, cause);
    }
    this.file = file;
    this.database = database;
  }

  /**
   * Makes ready to read one stretch of time after the other.
   *
   * @throws Failure when a glob is for no metric that an export can have.
   */
  prepare({ groups, metrics, labels, usage, ...options }: ExportOptions): ReadInstants {
    const backfill = (instants: InstantRow) => backfillHistory(this.database, { ...options, instants });
    const told = new Set(backfill(noInstants).flatMap(part => part.metrics));
    const meant = pickFamilies(groups, metrics, told);
    const usageGroups = meant.filter(group => group.unit === 'usage');
    const views = usageGroups.length > 0 && this.#views(usage);
    const constant = Object.entries(fillLabels(labels, this));
    return rows =>
      readSteps({
        ...{ rows, groups: meant, parts: rows.map(backfill), constant },
        ...(views && { usage: new UsageBackfill(views, usageGroups, constant) }),
      });
  }

  #views(options: UsageOptions): ViewAsOf {
    const accounts = options.accounts.length > 0 ? options.accounts : listAccounts(this.database);
    const own = this.shard === undefined ? options : ofShard(options, this.shard);
    return new ViewAsOf({ ...own, accounts }, lookAtUsage(this.database, accounts, undefined, own.shard));
  }

  [Symbol.dispose](): void {
    this.database.close();
  }
}

const noInstants = { fromAt: 0, stepMs: 1, count: 0 };

/** The groups with the families that are told of, or worked out, and meant. */
function pickFamilies(
  groups: readonly CatalogGroup[],
  globs: readonly string[],
  told: ReadonlySet<string>,
): readonly CatalogGroup[] {
  const known = groups.map(group =>
    group.unit === 'usage' ? group : keepFamilies(group, ({ name }) => told.has(name)),
  );
  const names = listFamilyNames(known);
  const stray = globs.find(glob => !names.some(name => matchesGlob(glob, name)));
  if (stray !== undefined)
    throw new Failure(
      `--metric ${stray} is no metric that an export can have: compare it with the list in docs/metrics.md, and see --help`,
      'usage',
    );
  const isMeant = (name: string) => globs.length === 0 || globs.some(glob => matchesGlob(glob, name));
  return known
    .map(group => keepFamilies(group, ({ name }) => isMeant(name)))
    .filter(({ families }) => Object.keys(families).length > 0);
}

/** A history that labels can name. */
interface NamedHistory {
  readonly file: string;
  /** Absent where it is of all projects. */
  readonly shard?: Shard | undefined;
}

/**
 * Labels with `{shard}` and `{file}` in their values filled in: the number of the shard, and the name of the file without its
 * ending.
 *
 * @throws Failure when a history has no such number.
 */
function fillLabels(
  labels: Readonly<Record<string, string>>,
  { file, shard }: NamedHistory,
): Readonly<Record<string, string>> {
  const fill = ([name, value]: readonly [string, string]): [string, string] => {
    if (value.includes('{shard}') && shard === undefined)
      throw new Failure(`--label ${name}: ${file} is not the history of a shard: take {file}`, 'usage');
    const filled = value.replaceAll('{shard}', String(shard?.index));
    return [name, filled.replaceAll('{file}', basename(file, extname(file)))];
  };
  return Object.fromEntries(Object.entries(labels).map(fill));
}

/**
 * Looks whether each of several histories has labels of its own.
 *
 * @throws Failure when two would have the same series.
 */
export function refuseSameLabels(
  labels: Readonly<Record<string, string>>,
  histories: readonly NamedHistory[],
): void {
  const before = new Map<string, string>();
  for (const history of histories) {
    const key = JSON.stringify(fillLabels(labels, history));
    const other = before.get(key);
    if (other !== undefined) {
      const isEachShard = histories.every(({ shard }) => shard !== undefined);
      const example = `--label 'instance=${isEachShard ? 'shard-{shard}' : '{file}'}:10062'`;
      throw new Failure(
        `${other} and ${history.file} would have series of the same names: tell them apart, as by ${example}`,
        'usage',
      );
    }
    before.set(key, history.file);
  }
}
