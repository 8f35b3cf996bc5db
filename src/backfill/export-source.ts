import { type Beginning, backfillHistory, findBeginning } from '../history/backfill/backfill.ts';
import type { BackfillOptions } from '../history/backfill/source.ts';
import { unusable } from '../history/file/database.ts';
import { HistoryError } from '../history/file/history-error.ts';
import { openReader, refuseOtherFormat } from '../history/file/reader.ts';
import { BackfillText } from '../metrics/page/backfill-text.ts';
import { renderHeader, renderLabels } from '../metrics/page/exposition.ts';
import type { BackfillPart } from '../resources/backfill.ts';
import type { CatalogGroup } from '../resources/catalog.ts';
import { Failure } from '../resources/failure.ts';
import { matchesGlob } from '../resources/glob.ts';

/** The series of an export, and their instants. */
export interface ExportOptions extends BackfillOptions {
  /** The families the live page shows. */
  readonly groups: readonly CatalogGroup[];
  /** Globs on names of metrics; all where there is none. */
  readonly metrics: readonly string[];
  /** Labels of every series. */
  readonly labels: Readonly<Record<string, string>>;
}

/** A portion of the text, and the part of the whole that is done with it, 0 to 1. */
export interface ExportPortion {
  readonly text: string;
  readonly done: number;
}

/** A history that is read as it was when it was opened. */
export class ExportSource implements Disposable {
  readonly #database;

  /** @throws HistoryError when the file cannot be read as a history. */
  constructor(file: string) {
    const database = openReader(file);
    try {
      refuseOtherFormat(database, file);
      database.exec('BEGIN');
    } catch (cause) {
      database.close();
      throw cause instanceof HistoryError ? cause : unusable(file, cause);
    }
    this.#database = database;
  }

  /** The instants from which on the history knows accounts; undefined while it knows none. */
  findBeginning(): Beginning | undefined {
    return findBeginning(this.#database);
  }

  /**
   * The text of an export, in portions that are made as they are asked for.
   *
   * @throws Failure when a glob is for no metric that an export can have.
   */
  render({ groups, metrics, labels, ...options }: ExportOptions): Generator<ExportPortion> {
    const parts = backfillHistory(this.#database, options);
    const tasks = groups.flatMap(group =>
      Object.values(group.families).flatMap(family => {
        const part = parts.find(each => each.metrics.includes(family.name));
        return part === undefined ? [] : [{ group, family, part }];
      }),
    );
    const stray = metrics.find(glob => !tasks.some(({ family }) => matchesGlob(glob, family.name)));
    if (stray !== undefined)
      throw new Failure(
        `--metric ${stray} is no metric that an export can have: compare it with the list in docs/metrics.md, and see --help`,
        'usage',
      );
    const isMeant = (name: string) => metrics.length === 0 || metrics.some(glob => matchesGlob(glob, name));
    const meant = tasks.filter(({ family }) => isMeant(family.name));
    return renderTasks(meant, new BackfillText(options.instants), labels);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

interface Task {
  readonly group: CatalogGroup;
  readonly family: CatalogGroup['families'][string];
  readonly part: BackfillPart;
}

function* renderTasks(
  tasks: readonly Task[],
  text: BackfillText,
  labels: ExportOptions['labels'],
): Generator<ExportPortion> {
  const constant = renderLabels(Object.keys(labels), Object.values(labels));
  const all = tasks.reduce((sum, { part }) => sum + part.subjects.length, 0);
  let done = 0;
  for (const { group, family, part } of tasks) {
    yield { text: renderHeader(family, 'openmetrics'), done: done / all };
    const subjectLabels = { values: (view: unknown) => group.labelValues(view), constant };
    for (const readSamples of part.subjects) {
      for (const lines of text.render(family, subjectLabels, readSamples()))
        yield { text: lines, done: done / all };
      done += 1;
    }
  }
  yield { text: '# EOF\n', done: 1 };
}
