import { setImmediate } from 'node:timers/promises';
import { type InstantRow, lastInstant, listInstants } from '../../../resources/backfill.ts';
import { renderDuration } from '../../../resources/duration.ts';
import { Failure } from '../../../resources/failure.ts';
import { cutIntoStretches, type SentStretch } from '../export-instant.ts';
import type { ExportStep } from '../export-step.ts';
import type { RenewedLook } from '../renewed-look.ts';
import { type Batch, BatchPacker, countSamples, encodeTrack, halve } from './batch-packer.ts';
import type { Receiver } from './receiver.ts';
import type { SendCheckpoint } from './resume-file.ts';

interface SendingOptions {
  readonly receiver: Pick<Receiver, 'send'>;
  /** Batches that are under way at the same time. */
  readonly width: number;
  readonly checkpoint: SendCheckpoint;
  /** Keeps how far it has come, after each stretch. */
  readonly keep: (checkpoint: SendCheckpoint) => void;
  readonly host: {
    readonly signal: AbortSignal;
    readonly onProgress: (done: number, pace?: string) => void;
  };
}

/** Time after which work pauses for answers and signals. */
const turnMs = 10;

/**
 * Sends one stretch of time after the other. In a stretch all samples of a series are in one batch, so batches may
 * overtake each other; a stretch begins when all of the one before was taken.
 */
export class Sending {
  readonly #options: SendingOptions;
  readonly #packer = new BatchPacker();
  readonly #startedAt = performance.now();
  #checkpoint: SendCheckpoint;
  #samples = 0;
  #notTaken = 0;
  #bytes = 0;
  #requests = 0;
  #turnAt = performance.now();

  constructor(options: SendingOptions) {
    this.#options = options;
    this.#checkpoint = options.checkpoint;
  }

  /** The last instant with all samples taken; undefined while there is none. */
  get sentUntil(): number | undefined {
    return this.#checkpoint.sentUntil;
  }

  /** Samples in batches that were refused, or given up. */
  get notTaken(): number {
    return this.#notTaken;
  }

  /** @throws Failure when something is not taken, or when told to stop. */
  async sendAll(look: RenewedLook, rows: readonly InstantRow[], projects: number): Promise<void> {
    const stretches = [...cutIntoStretches(rows, projects, this.sentUntil)];
    for (const [index, stretch] of stretches.entries()) {
      if (index > 0) look.renew(cutToFirst(stretch.rows));
      const flight = new Flight(this.#options.width);
      const onDone = (done: number) => this.#tell((index + done) / stretches.length);
      const before = this.#samples;
      try {
        await this.#sendStretch(stretch, look.read(stretch.rows), flight, onDone);
      } finally {
        // The first failure is thrown already.
        await flight.settle().catch(() => {});
      }
      await flight.settle();
      this.#stand(stretch, this.#samples - before);
      onDone(1);
    }
  }

  /** One sentence about all that was sent. */
  renderSummary(): string {
    const elapsedMs = performance.now() - this.#startedAt;
    const { from, to, samples } = this.#checkpoint;
    const range = `from ${new Date(from).toISOString()} to ${new Date(to).toISOString()}`;
    const rate = `${renderCount((this.#samples * 1000) / elapsedMs)} samples/s`;
    const size = this.#samples === 0 ? '' : `, ${(this.#bytes / this.#samples).toFixed(1)} bytes a sample`;
    return `sent ${samples} samples ${range}; this run took ${renderDuration(elapsedMs)}: ${rate}, ${this.#requests} requests${size}`;
  }

  async #sendStretch(
    { rows, isLed }: SentStretch,
    steps: Iterable<ExportStep>,
    flight: Flight,
    onDone: (done: number) => void,
  ): Promise<void> {
    const instants = rows.flatMap(row => [...listInstants(row)]);
    for (const { done, track } of steps) {
      for (const series of track === undefined ? [] : encodeTrack(track, { instants, isLed })) {
        const full = this.#packer.add(series);
        if (full !== undefined) await flight.start(() => this.#deliver(full));
      }
      if (performance.now() - this.#turnAt > turnMs) await this.#takeTurn(() => onDone(done));
    }
    const rest = this.#packer.take();
    if (rest !== undefined) await flight.start(() => this.#deliver(rest));
  }

  /** Sends a batch, in halves where it is too large. */
  async #deliver(batch: Batch): Promise<void> {
    let taken: Awaited<ReturnType<Receiver['send']>>;
    try {
      taken = await this.#options.receiver.send(batch);
    } catch (error) {
      this.#notTaken += countSamples(batch);
      throw error;
    }
    this.#requests += 1;
    if ('bytes' in taken) {
      this.#samples += countSamples(batch);
      this.#bytes += taken.bytes;
      return;
    }
    this.#packer.shrink(batch);
    const halves = halve(batch);
    if (halves === undefined) {
      this.#notTaken += countSamples(batch);
      throw new Failure(`the receiver answers ${taken.tooLarge}, to a single series`);
    }
    for (const half of halves) await this.#deliver(half);
  }

  #stand({ rows }: SentStretch, samples: number): void {
    const last = rows.at(-1);
    this.#checkpoint = {
      ...this.#checkpoint,
      ...(last && { sentUntil: lastInstant(last) }),
      samples: this.#checkpoint.samples + samples,
    };
    this.#options.keep(this.#checkpoint);
  }

  async #takeTurn(tell: () => void): Promise<void> {
    tell();
    await setImmediate();
    this.#options.host.signal.throwIfAborted();
    this.#turnAt = performance.now();
  }

  #tell(done: number): void {
    const elapsedMs = performance.now() - this.#startedAt;
    this.#options.host.onProgress(done, renderPace({ done, samples: this.#samples, elapsedMs }));
  }
}

/** The instant that a stretch is led by. */
function cutToFirst([row]: readonly InstantRow[]): readonly InstantRow[] {
  return row === undefined ? [] : [{ ...row, count: 1 }];
}

/** Does some things at the same time, and no more than it may. */
class Flight {
  readonly #most: number;
  readonly #underWay = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Begins work as soon as there is room.
   *
   * @throws what failed first, and begins no more after it.
   */
  async start(work: () => Promise<void>): Promise<void> {
    while (this.#underWay.size >= this.#most) await Promise.race(this.#underWay);
    this.#throwFailure();
    const done = work()
      .catch(error => {
        this.#failure ??= { error };
      })
      .then(() => void this.#underWay.delete(done));
    this.#underWay.add(done);
  }

  /**
   * Waits for all that was begun.
   *
   * @throws what failed first.
   */
  async settle(): Promise<void> {
    await Promise.all(this.#underWay);
    this.#throwFailure();
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}

/** How far the sending is. */
interface Sent {
  /** The part of this run that is done, 0 to 1. */
  readonly done: number;
  readonly samples: number;
  readonly elapsedMs: number;
}

/** Before this a guess of the time left is worth nothing. */
const leastElapsedMs = 2000;

/** The rate and the time left: `410k samples/s, 3m20s left`. */
function renderPace({ done, samples, elapsedMs }: Sent): string {
  const rate = `${renderCount(samples / (elapsedMs / 1000))} samples/s`;
  if (elapsedMs < leastElapsedMs || done <= 0) return rate;
  return `${rate}, ${renderDuration((elapsedMs * (1 - done)) / done)} left`;
}

/** In three digits or so: `950`, `41k`, `1.2M`. */
export function renderCount(count: number): string {
  if (count < 1000) return String(Math.round(count));
  const [value, unit] = count < 999_500 ? [count / 1000, 'k'] : [count / 1_000_000, 'M'];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)}${unit}`;
}
