import { type InstantRow, listInstants, type SeriesName } from '../../resources/backfill.ts';
import type { Track } from './backfill-track.ts';
import { renderLabels, renderNumber } from './exposition.ts';

const portion = 32_768;

/** Renders samples at each instant, as lines with times. */
export class BackfillText {
  /** The end of a line by instant: its time, and the characters before and after it. */
  readonly #endings: readonly string[];

  /** @param rows of instants, the oldest first. */
  constructor(rows: readonly InstantRow[]) {
    this.#endings = rows.flatMap(row => Array.from(listInstants(row), at => ` ${renderNumber(at / 1000)}\n`));
  }

  /** In portions that are not large. */
  *render(track: Track): Generator<string> {
    const openings = track.series.map(renderOpening);
    let text = '';
    for (const { fromIndex, untilIndex, values } of track.runs(this.#endings.length)) {
      const lines = values.map((value, line) => `${openings[line]}${renderNumber(value)}`);
      for (let instant = fromIndex; instant < untilIndex; instant += 1) {
        const ending = this.#endings[instant] ?? '';
        for (const line of lines) text += line + ending;
        if (text.length > portion) {
          yield text;
          text = '';
        }
      }
    }
    if (text !== '') yield text;
  }
}

/** A line up to its value. */
function renderOpening({ name, labels }: SeriesName): string {
  const names = labels.map(([label]) => label);
  const values = labels.map(([, value]) => value);
  return `${name}{${renderLabels(names, values)}} `;
}
