import { type BackfillViews, type InstantRow, listInstants } from '../../resources/backfill.ts';
import type { Family } from '../../resources/family.ts';
import { type SubjectLabels, SubjectTracks, type Track } from './backfill-track.ts';
import { renderNumber } from './exposition.ts';

const portion = 32_768;

/** Renders samples at each instant, as lines with times. */
export class BackfillText {
  /** The end of a line by instant: its time, and the characters before and after it. */
  readonly #endings: readonly string[];

  /** @param rows of instants, the oldest first. */
  constructor(rows: readonly InstantRow[]) {
    this.#endings = rows.flatMap(row => Array.from(listInstants(row), at => ` ${renderNumber(at / 1000)}\n`));
  }

  /** One family and one subject, in portions that are not large. */
  *render(family: Family<unknown>, labels: SubjectLabels, views: BackfillViews): Generator<string> {
    const tracks = new SubjectTracks(family, labels);
    let index = 0;
    let before: unknown;
    for (const view of views) {
      if (view !== before) tracks.put(index, view);
      before = view;
      index += 1;
    }
    yield* this.renderTracks(tracks);
  }

  /** In portions that are not large. */
  *renderTracks(tracks: Iterable<Track>): Generator<string> {
    for (const track of tracks) yield* this.#renderTrack(track);
  }

  *#renderTrack(track: Track): Generator<string> {
    let text = '';
    for (const { fromIndex, untilIndex, values } of track.runs(this.#endings.length)) {
      const lines = values.map((value, line) => `${track.openings[line]}${renderNumber(value)}`);
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
