import type { Track } from '../../../metrics/page/backfill-track.ts';
import { encodeTimeSeries, type SeriesRun } from '../../remote-write/write-request.ts';

/** Series that are sent together. */
export type Batch = readonly EncodedSeries[];

/** The most samples that receivers take well in one request; many refuse more than some megabytes. */
const mostSamples = 10_000;
const mostBytes = 1024 * 1024;
/** A receiver that refuses less than this as too large takes hardly anything. */
const leastBytes = 4096;

/** Packs series into batches that are bounded in samples and, before they are compressed, in bytes. */
export class BatchPacker {
  #mostBytes = mostBytes;
  #series: EncodedSeries[] = [];
  #samples = 0;
  #bytes = 0;

  /** @returns the batch that is full with it. */
  add(series: EncodedSeries): Batch | undefined {
    const isFull =
      this.#samples + series.samples > mostSamples || this.#bytes + series.bytes.length > this.#mostBytes;
    const full = isFull ? this.take() : undefined;
    this.#series.push(series);
    this.#samples += series.samples;
    this.#bytes += series.bytes.length;
    return full;
  }

  /** @returns what is not in a batch yet; undefined where there is nothing. */
  take(): Batch | undefined {
    if (this.#series.length === 0) return undefined;
    const batch = this.#series;
    this.#series = [];
    this.#samples = 0;
    this.#bytes = 0;
    return batch;
  }

  /** Makes later batches smaller than one that was too large. */
  shrink(batch: Batch): void {
    const bytes = batch.reduce((sum, each) => sum + each.bytes.length, 0);
    this.#mostBytes = Math.max(leastBytes, Math.min(this.#mostBytes, Math.floor(bytes / 2)));
  }
}

/** Two halves of a batch; undefined where it is a single series. */
export function halve(batch: Batch): readonly [Batch, Batch] | undefined {
  if (batch.length < 2) return undefined;
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)];
}

export function countSamples(batch: Batch): number {
  return batch.reduce((sum, { samples }) => sum + samples, 0);
}

/** One series of a stretch, ready to be sent. */
interface EncodedSeries {
  readonly bytes: Uint8Array;
  readonly samples: number;
}

/** The instants of a stretch. */
interface StretchInstants {
  /** Epoch milliseconds, the oldest first. */
  readonly instants: readonly number[];
  /** The first instant was sent before. */
  readonly isLed: boolean;
}

/** The series of a track that have samples in the stretch, or end in it. */
export function* encodeTrack(track: Track, { instants, isLed }: StretchInstants): Generator<EncodedSeries> {
  const runs = [...track.runs(instants.length)];
  for (const [index, name] of track.series.entries()) {
    const own = runs.map(({ values, ...run }) => ({ ...run, value: values[index] ?? Number.NaN }));
    const sent = [...markEnds(own, instants.length)].flatMap(run => cutLead(run, isLed ? 1 : 0));
    const samples = sent.reduce((sum, { fromIndex, untilIndex }) => sum + untilIndex - fromIndex, 0);
    if (samples > 0) yield { bytes: encodeTimeSeries(name, sent, instants), samples };
  }
}

/** Puts a run without a value where the series is no longer there. */
function* markEnds(runs: readonly SeriesRun[], count: number): Generator<SeriesRun> {
  for (const [position, run] of runs.entries()) {
    yield run;
    const { untilIndex } = run;
    if (untilIndex < count && runs[position + 1]?.fromIndex !== untilIndex)
      yield { fromIndex: untilIndex, untilIndex: untilIndex + 1 };
  }
}

function cutLead(run: SeriesRun, lead: number): readonly SeriesRun[] {
  const fromIndex = Math.max(run.fromIndex, lead);
  return fromIndex < run.untilIndex ? [{ ...run, fromIndex }] : [];
}
