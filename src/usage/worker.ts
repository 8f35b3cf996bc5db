import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { isDamage } from '../history/file/history-error.ts';
import { UsageReader } from '../history/usage/usage-history.ts';
import { UsageCalculator } from './calculator.ts';
import type { UsageEvent, UsageWorkerData } from './message.ts';

/** Pauses while the history is young: at first nothing is known, and then more every few seconds. */
const firstPauseMs = 1000;
const growingPauseMs = 10_000;

/** While an account is imported: its figures are to be shown as soon as that is done. */
const importPauseMs = 1000;

/** The worker works at most one part in ten of its time: large fleets are calculated less often. */
const restPerWork = 9;

/** Works out use and cost in a thread of its own, which may take seconds for a large fleet, and writes nothing. */
class UsageWorker {
  readonly #refreshMs: number;
  readonly #calculations: MessagePort;
  readonly #calculator: UsageCalculator;

  constructor({ options, calculations }: UsageWorkerData) {
    this.#refreshMs = options.refreshMs;
    this.#calculations = calculations;
    this.#calculator = new UsageCalculator(options, new UsageReader(options.historyFile, options.accounts));
  }

  /** Calculates at once, and again when the whole history was analyzed. */
  run(): void {
    const startedAt = performance.now();
    let pauseMs = this.#refreshMs;
    try {
      pauseMs = Math.min(pauseMs, this.#work());
      post({ kind: 'done' });
    } catch (error) {
      post({ kind: 'failed', error, isDamage: isDamage(error) });
    }
    const workedMs = performance.now() - startedAt;
    setTimeout(() => this.run(), Math.max(pauseMs, restPerWork * workedMs));
  }

  /** @returns after how many milliseconds there may be something new. */
  #work(): number {
    if (!this.#calculate()) return firstPauseMs;
    const isAnalyzed = this.#calculator.analyze();
    if (isAnalyzed) this.#calculate();
    if (this.#calculator.isImporting()) return importPauseMs;
    return isAnalyzed ? growingPauseMs : this.#refreshMs;
  }

  /** @returns whether anything is known. */
  #calculate(): boolean {
    const calculation = this.#calculator.calculate();
    if (calculation === undefined) post({ kind: 'unknown' });
    else this.#calculations.postMessage(calculation);
    return calculation !== undefined;
  }
}

function post(event: UsageEvent): void {
  parentPort?.postMessage(event);
}

new UsageWorker(workerData).run();
