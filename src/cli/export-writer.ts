import { unusable } from '../history/database.ts';
import { HistoryError } from '../history/history-error.ts';
import { type Beginning, findBeginning, tellPast } from '../history/past.ts';
import type { PastOptions } from '../history/past-source.ts';
import { openReader, refuseOtherFormat } from '../history/reader.ts';
import { renderHeader, renderLabels } from '../metrics/exposition.ts';
import { PastText } from '../metrics/past-text.ts';
import type { CatalogGroup } from '../resources/catalog.ts';
import { matchesGlob } from '../resources/glob.ts';
import type { PastPart } from '../resources/past.ts';
import { Failure } from './failure.ts';

export interface Export extends PastOptions {
  /** What the live page shows. */
  readonly groups: readonly CatalogGroup[];
  /** Globs on names; all where there is none. */
  readonly metrics: readonly string[];
  /** Of every series. */
  readonly labels: Readonly<Record<string, string>>;
}

/** A portion of the text, and how much of the whole is done with it, 0 to 1. */
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

  /** Undefined while nothing is known. */
  findBeginning(): Beginning | undefined {
    return findBeginning(this.#database);
  }

  /** @throws Failure when a glob is for no metric that can be told of the past. */
  render({ groups, metrics, labels, ...options }: Export): Generator<ExportPortion> {
    const parts = tellPast(this.#database, options);
    const tasks = groups.flatMap(group =>
      Object.values(group.families).flatMap(family => {
        const part = parts.find(each => each.metrics.includes(family.name));
        return part === undefined ? [] : [{ group, family, part }];
      }),
    );
    const stray = metrics.find(glob => !tasks.some(({ family }) => matchesGlob(glob, family.name)));
    if (stray !== undefined)
      throw new Failure(
        `--metric ${stray} is no metric that an export can have: compare it with the list of metrics in the README, and see --help`,
        2,
      );
    const isMeant = (name: string) => metrics.length === 0 || metrics.some(glob => matchesGlob(glob, name));
    const meant = tasks.filter(({ family }) => isMeant(family.name));
    return renderTasks(meant, new PastText(options.instants), labels);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

interface Task {
  readonly group: CatalogGroup;
  readonly family: CatalogGroup['families'][string];
  readonly part: PastPart;
}

function* renderTasks(
  tasks: readonly Task[],
  text: PastText,
  labels: Export['labels'],
): Generator<ExportPortion> {
  const constant = renderLabels(Object.keys(labels), Object.values(labels));
  const all = tasks.reduce((sum, { part }) => sum + part.subjects.length, 0);
  let done = 0;
  for (const { group, family, part } of tasks) {
    yield { text: renderHeader(family, 'openmetrics'), done: done / all };
    const subjectLabels = { values: (view: unknown) => group.labelValues(view), constant };
    for (const tell of part.subjects) {
      for (const lines of text.render(family, subjectLabels, tell())) yield { text: lines, done: done / all };
      done += 1;
    }
  }
  yield { text: '# EOF\n', done: 1 };
}
