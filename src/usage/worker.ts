import { parentPort, workerData } from 'node:worker_threads';
import { UsageReader } from '../history/usage/usage-history.ts';
import { UsageCalculator } from './calculator.ts';
import type { UsageEvent } from './message.ts';
import type { UsageOptions } from './options.ts';

/** At first nothing is known, and then more every few seconds. */
const firstPauseMs = 1000;
const growingPauseMs = 10_000;

/** Of all its time it works at most one part in ten: large fleets are worked out less often. */
const restPerWork = 9;

/** Works out use and cost in a thread of its own, which may take seconds for a large fleet, and writes nothing. */
class UsageWorker {
  readonly #refreshMs: number;
  readonly #reader: UsageReader;
  readonly #calculator: UsageCalculator;

  constructor(setting: UsageOptions) {
    this.#refreshMs = setting.refreshMs;
    this.#reader = new UsageReader(setting.historyFile, setting.accounts);
    this.#calculator = new UsageCalculator(setting, this.#reader);
  }

  /** Says what is known at once, and again when all of the past was looked through. */
  run(): void {
    const startedAt = performance.now();
    let pauseMs = this.#refreshMs;
    try {
      pauseMs = Math.min(pauseMs, this.#work());
    } catch (error) {
      post({ kind: 'failed', error });
    }
    const workedMs = performance.now() - startedAt;
    setTimeout(() => this.run(), Math.max(pauseMs, restPerWork * workedMs));
  }

  /** @returns after how many milliseconds there may be something new. */
  #work(): number {
    if (!this.#tell()) return firstPauseMs;
    if (!this.#calculator.analyze()) return this.#refreshMs;
    this.#tell();
    return growingPauseMs;
  }

  #tell(): boolean {
    const calculated = this.#calculator.calculate();
    post(calculated === undefined ? { kind: 'unknown' } : { kind: 'calculated', ...calculated });
    return calculated !== undefined;
  }
}

function post(event: UsageEvent): void {
  parentPort?.postMessage(event);
}

new UsageWorker(workerData).run();
