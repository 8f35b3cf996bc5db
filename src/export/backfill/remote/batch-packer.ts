import type { EncodedSeries } from './series-encoding.ts';

/** Series that are sent together. */
export interface Batch {
  readonly series: readonly EncodedSeries[];
  readonly samples: number;
}

/** As many samples as receivers take well in one request; many refuse more than some megabytes. */
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
    const batch = { series: this.#series, samples: this.#samples };
    this.#series = [];
    this.#samples = 0;
    this.#bytes = 0;
    return batch;
  }

  /** Makes later batches smaller than one that was too large. */
  shrink({ series }: Batch): void {
    const bytes = series.reduce((sum, each) => sum + each.bytes.length, 0);
    this.#mostBytes = Math.max(leastBytes, Math.min(this.#mostBytes, Math.floor(bytes / 2)));
  }
}

/** Two halves of a batch; undefined where it is a single series. */
export function halve({ series }: Batch): readonly [Batch, Batch] | undefined {
  if (series.length < 2) return undefined;
  const middle = Math.ceil(series.length / 2);
  return [gather(series.slice(0, middle)), gather(series.slice(middle))];
}

function gather(series: readonly EncodedSeries[]): Batch {
  return { series, samples: series.reduce((sum, { samples }) => sum + samples, 0) };
}
