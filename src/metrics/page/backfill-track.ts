import {
  type BackfillViews,
  type InstantRow,
  listInstants,
  type SeriesName,
} from '../../resources/backfill.ts';
import type { Family, HistogramValue } from '../../resources/family.ts';
import { renderBound, renderLabels, renderNumber } from './exposition.ts';

/** The labels of all series of a subject in one family. */
export interface SubjectLabels {
  values(view: unknown): readonly string[];
  /** Labels that all series share. */
  readonly constant: SeriesName['labels'];
}

/** Values of the series from an instant on. */
interface Run {
  readonly fromIndex: number;
  /** The first instant it is not of. */
  readonly untilIndex: number;
  readonly values: readonly number[];
}

/** One metric in the sense of OpenMetrics: a series, or all those of a histogram; kept where it changes. */
export class Track {
  readonly series: readonly SeriesName[];
  /** Twice the index of each instant it changed at, and one more where it was there from then on. */
  readonly #changes: number[] = [];
  /** Values of the series from each change on after which it was there. */
  readonly #values: number[] = [];

  constructor(series: readonly SeriesName[]) {
    this.series = series;
  }

  /** @param values of the series at an instant and after it; undefined where it is absent. */
  put(index: number, values: readonly number[] | undefined): void {
    if (this.#isSame(values)) return;
    this.#changes.push(2 * index + (values === undefined ? 0 : 1));
    if (values !== undefined) this.#values.push(...values);
  }

  /** @param count instants there are. */
  *runs(count: number): Generator<Run> {
    const width = this.series.length;
    let offset = 0;
    for (const [position, change] of this.#changes.entries()) {
      if (change % 2 === 0) continue;
      const next = this.#changes[position + 1];
      yield {
        fromIndex: (change - 1) / 2,
        untilIndex: next === undefined ? count : Math.floor(next / 2),
        values: this.#values.slice(offset, offset + width),
      };
      offset += width;
    }
  }

  #isSame(values: readonly number[] | undefined): boolean {
    const wasThere = (this.#changes.at(-1) ?? 0) % 2 === 1;
    if (values === undefined || !wasThere) return (values !== undefined) === wasThere;
    const offset = this.#values.length - values.length;
    return values.every((value, index) => value === this.#values[offset + index]);
  }
}

/** The series of one family and one subject. */
export class SubjectTracks {
  readonly #family: Family<unknown>;
  readonly #labels: SubjectLabels;
  readonly #tracks = new Map<string, Track>();

  constructor(family: Family<unknown>, labels: SubjectLabels) {
    this.#family = family;
    this.#labels = labels;
  }

  /** @param view the subject at an instant and after it, undefined while it does not exist. */
  put(index: number, view: unknown): void {
    const samples = sampleAll(this.#family, view);
    for (const [key, { labels }] of samples) {
      if (!this.#tracks.has(key))
        this.#tracks.set(key, new Track(nameSeries(this.#family, this.#labels, view, labels)));
    }
    for (const [key, track] of this.#tracks) track.put(index, samples.get(key)?.values);
  }

  [Symbol.iterator](): Iterator<Track> {
    return this.#tracks.values();
  }
}

/** The series of one family and one subject, by its view at each instant. */
export function traceViews(
  family: Family<unknown>,
  labels: SubjectLabels,
  views: BackfillViews,
): SubjectTracks {
  const tracks = new SubjectTracks(family, labels);
  let index = 0;
  let before: unknown;
  for (const view of views) {
    if (view !== before) tracks.put(index, view);
    before = view;
    index += 1;
  }
  return tracks;
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

/** In the order of the series. */
function listValues({ cumulativeCounts, count, sum }: HistogramValue): readonly number[] {
  return [...cumulativeCounts, count, sum, count];
}

function nameSeries(
  family: Family<unknown>,
  { values, constant }: SubjectLabels,
  view: unknown,
  own: readonly string[],
): readonly SeriesName[] {
  const { name } = family;
  const given = [...values(view), ...own];
  const labels = [...family.labels.map((label, index) => [label, given[index] ?? ''] as const), ...constant];
  if (family.type !== 'histogram') return [{ name, labels }];
  const bounds = [...family.buckets.map(renderBound), '+Inf'];
  return [
    ...bounds.map(bound => ({ name: `${name}_bucket`, labels: [...labels, ['le', bound] as const] })),
    { name: `${name}_sum`, labels },
    { name: `${name}_count`, labels },
  ];
}

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
