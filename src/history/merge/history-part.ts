import type { SingleHistory } from '../usage/report-history.ts';
import type { ProjectLife } from './project-life.ts';

/** One of several histories that are read as one. */
export interface HistoryPart {
  readonly file: string;
  readonly history: SingleHistory;
  /** By the numbers the history itself has for its projects. */
  readonly lives: ReadonlyMap<number, readonly ProjectLife[]>;
}

/** A row of one of the histories, by the number it has there. */
export interface PartRow<Part = HistoryPart> {
  readonly part: Part;
  readonly ref: number;
}

/** Gives the rows of several histories numbers, no two of them the same; numbers below 0 stay below 0. */
export class RowNumbers<Part = HistoryPart> {
  readonly #parts: readonly Part[];

  constructor(parts: readonly Part[]) {
    this.#parts = parts;
  }

  numberOf({ part, ref }: PartRow<Part>): number {
    const number = Math.abs(ref) * this.#parts.length + this.#parts.indexOf(part);
    return ref < 0 ? -number : number;
  }

  rowOf(number: number): PartRow<Part> {
    const size = Math.abs(number);
    const index = size % this.#parts.length;
    const part = this.#parts[index];
    if (part === undefined) throw new RangeError(`no history has the number ${number}`);
    const ref = (size - index) / this.#parts.length;
    return { part, ref: number < 0 ? -ref : ref };
  }
}
