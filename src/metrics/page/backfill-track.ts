import type { Family, HistogramValue } from '../../resources/family.ts';
import { renderBound, renderLabels } from './exposition.ts';

/** The labels of all lines of a subject in one family. */
export interface SubjectLabels {
  values(view: unknown): readonly string[];
  /** Labels that all series share, rendered; empty for none. */
  readonly constant: string;
}

/** Values of the lines from an instant on. */
interface Run {
  readonly fromIndex: number;
  /** The first instant it is not of. */
  readonly untilIndex: number;
  readonly values: readonly number[];
}

/** One metric in the sense of OpenMetrics: a series, or all those of a histogram; kept where it changes. */
export class Track {
  /** Each line up to its value. */
  readonly openings: readonly string[];
  /** Twice the index of each instant it changed at, and one more where it was there from then on. */
  readonly #changes: number[] = [];
  /** Values of the lines from each change on after which it was there. */
  readonly #values: number[] = [];

  constructor(openings: readonly string[]) {
    this.openings = openings;
  }

  /** @param values of the lines at an instant and after it; undefined where it is absent. */
  put(index: number, values: readonly number[] | undefined): void {
    if (this.#isSame(values)) return;
    this.#changes.push(2 * index + (values === undefined ? 0 : 1));
    if (values !== undefined) this.#values.push(...values);
  }

  /** @param count instants there are. */
  *runs(count: number): Generator<Run> {
    const lines = this.openings.length;
    let offset = 0;
    for (const [position, change] of this.#changes.entries()) {
      if (change % 2 === 0) continue;
      const next = this.#changes[position + 1];
      yield {
        fromIndex: (change - 1) / 2,
        untilIndex: next === undefined ? count : Math.floor(next / 2),
        values: this.#values.slice(offset, offset + lines),
      };
      offset += lines;
    }
  }

  #isSame(values: readonly number[] | undefined): boolean {
    const wasThere = (this.#changes.at(-1) ?? 0) % 2 === 1;
    if (values === undefined || !wasThere) return (values !== undefined) === wasThere;
    const offset = this.#values.length - values.length;
    return values.every((value, line) => value === this.#values[offset + line]);
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
        this.#tracks.set(key, new Track(open(this.#family, this.#labels, view, labels)));
    }
    for (const [key, track] of this.#tracks) track.put(index, samples.get(key)?.values);
  }

  [Symbol.iterator](): Iterator<Track> {
    return this.#tracks.values();
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
