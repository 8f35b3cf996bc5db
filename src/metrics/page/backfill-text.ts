import { type BackfillViews, type InstantRow, listInstants } from '../../resources/backfill.ts';
import type { Family, HistogramValue } from '../../resources/family.ts';
import { renderBound, renderLabels, renderNumber } from './exposition.ts';

/** The labels of all lines of a subject in one family. */
export interface SubjectLabels {
  values(view: unknown): readonly string[];
  /** Labels that all series share, rendered; empty for none. */
  readonly constant: string;
}

/** A value, or the values of the lines of a histogram, from an instant on; undefined is absent. */
interface Run {
  readonly fromIndex: number;
  readonly values: readonly number[] | undefined;
}

/** One metric in the sense of OpenMetrics: its points follow each other in the order of time. */
interface Track {
  /** Each line up to its value. */
  readonly openings: readonly string[];
  readonly runs: Run[];
}

const portion = 32_768;

/** Renders the samples of one family and one subject at each instant, as lines with times. */
export class BackfillText {
  readonly #instants: InstantRow;
  /** The end of a line by instant: its time, and the characters before and after it. */
  readonly #endings: readonly string[];

  constructor(instants: InstantRow) {
    this.#instants = instants;
    this.#endings = Array.from(listInstants(instants), at => ` ${renderNumber(at / 1000)}\n`);
  }

  /** In portions that are not large. */
  *render(family: Family<unknown>, labels: SubjectLabels, views: BackfillViews): Generator<string> {
    for (const track of this.#follow(family, labels, views)) yield* this.#renderTrack(track);
  }

  #follow(family: Family<unknown>, labels: SubjectLabels, views: BackfillViews): Iterable<Track> {
    const tracks = new Map<string, Track>();
    let index = 0;
    let before: unknown;
    for (const view of views) {
      if (view !== before) {
        const samples = sampleAll(family, view);
        for (const [key, own] of samples) {
          if (!tracks.has(key))
            tracks.set(key, { openings: open(family, labels, view, own.labels), runs: [] });
        }
        for (const [key, { runs }] of tracks) extend(runs, index, samples.get(key)?.values);
        before = view;
      }
      index += 1;
    }
    return tracks.values();
  }

  *#renderTrack({ openings, runs }: Track): Generator<string> {
    let text = '';
    for (const [index, { fromIndex, values }] of runs.entries()) {
      if (values === undefined) continue;
      const until = runs[index + 1]?.fromIndex ?? this.#instants.count;
      const lines = values.map((value, line) => `${openings[line]}${renderNumber(value)}`);
      for (let instant = fromIndex; instant < until; instant += 1) {
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

interface Sampled {
  readonly labels: readonly string[];
  readonly values: readonly number[];
}

/** By label values of the family's own. */
function sampleAll(family: Family<unknown>, view: unknown): ReadonlyMap<string, Sampled> {
  const samples = new Map<string, Sampled>();
  if (view === undefined) return samples;
  const put = (values: readonly number[], labels: readonly string[]) =>
    samples.set(labels.length === 1 ? (labels[0] ?? '') : JSON.stringify(labels), { labels, values });
  if (family.type === 'histogram') {
    family.sample(view, (value, ...own) => value && put(listValues(value), own));
  } else {
    family.sample(view, (value, ...own) => {
      if (value !== undefined) put([value], own);
    });
  }
  return samples;
}

/** In the order of the lines. */
function listValues({ cumulativeCounts, count, sum }: HistogramValue): readonly number[] {
  return [...cumulativeCounts, count, sum, count];
}

function open(
  family: Family<unknown>,
  { values, constant }: SubjectLabels,
  view: unknown,
  own: readonly string[],
): readonly string[] {
  const { name } = family;
  const rendered = renderLabels(family.labels, [...values(view), ...own]);
  const labels = [rendered, constant].filter(text => text !== '').join(',');
  if (family.type !== 'histogram') return [`${name}{${labels}} `];
  const bounds = [...family.buckets.map(renderBound), '+Inf'];
  return [
    ...bounds.map(bound => `${name}_bucket{${labels},le="${bound}"} `),
    `${name}_sum{${labels}} `,
    `${name}_count{${labels}} `,
  ];
}

function extend(runs: Run[], fromIndex: number, values: readonly number[] | undefined): void {
  const last = runs.at(-1)?.values;
  const isSame =
    last?.length === values?.length && (last ?? []).every((value, line) => value === values?.[line]);
  if (!isSame) runs.push({ fromIndex, values });
}
