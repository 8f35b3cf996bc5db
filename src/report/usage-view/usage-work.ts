import { setImmediate as nextTurn } from 'node:timers/promises';
import { sizeOf } from '../../history/file/reader.ts';
import type { ReportHistory } from '../../history/usage/report-history.ts';
import { UsageReader, usageOfReport } from '../../history/usage/usage-history.ts';
import type { ShownUsage } from '../../resources/usage/view.ts';
import { giveBackGarbage, largeWorkMs } from '../../thread/garbage.ts';
import { type Calculation, UsageCalculator, type WorkedOut } from './calculator.ts';
import type { UsageOptions } from './options.ts';

/** Pauses while the history is young: at first nothing is known, and then more every few seconds. */
const firstPauseMs = 1000;
const growingPauseMs = 10_000;

/** While an account is imported: its figures are to be shown as soon as that is done. */
const importPauseMs = 1000;

/**
 * The thread takes at most a tenth of a processor: large fleets are calculated less often. The time that it waits for a
 * processor or a disk is not counted, or on a busy machine figures would be old for no one's good.
 */
const restPerWork = 9;

/** Told how the work goes. */
export interface UsageListeners {
  /** Takes use and cost each time that they were worked out. */
  onCalculated(calculation: Calculation): void;
  /** Nothing is known yet. */
  onUnknown(): void;
  /** All of it is worked out, and no part failed. */
  onDone(): void;
  /** It could not be worked out; it is tried again. */
  onFailed(error: unknown): void;
}

/** Works out use and cost again and again, which may take seconds for a large fleet, and writes nothing. */
export class UsageWork implements WorkedOut {
  readonly #options: UsageOptions;
  readonly #listeners: UsageListeners;
  /** Absent while the history cannot be opened: the thread lives on, for it has other work. */
  #calculator: UsageCalculator | undefined;
  #reader: UsageReader | undefined;
  /** Processor time of the work that goes on, in milliseconds; the reports that are made in between are not counted. */
  #workedMs = 0;

  constructor(options: UsageOptions, listeners: UsageListeners) {
    this.#options = options;
    this.#listeners = listeners;
  }

  view(history: ReportHistory, now: number): ShownUsage | undefined {
    return this.#calculator?.view(usageOfReport(history), now);
  }

  get reviewed() {
    return this.#calculator?.reviewed;
  }

  /** Works for as long as the thread lives; resolves after the first time. */
  async run(): Promise<void> {
    this.#workedMs = 0;
    let pauseMs = this.#options.refreshMs;
    try {
      const calculator = await this.#open();
      if (calculator === undefined) this.#listeners.onUnknown();
      else pauseMs = Math.min(pauseMs, await this.#work(calculator));
      this.#listeners.onDone();
    } catch (error) {
      this.#listeners.onFailed(error);
    }
    if (this.#workedMs > largeWorkMs) giveBackGarbage();
    setTimeout(() => void this.run(), Math.max(pauseMs, restPerWork * this.#workedMs));
  }

  /** @returns undefined where no history that others write is there. */
  async #open(): Promise<UsageCalculator | undefined> {
    const { historyFile, accounts, shard, histories } = this.#options;
    if (histories !== undefined) {
      // A daemon, which reads one history, does not load what joins several.
      const { followHistories } = await import('../../history/merge/joined-history.ts');
      if (histories.length > 1) this.#step(() => followHistories(histories, historyFile));
      if (sizeOf(historyFile) === 0) return undefined;
      this.#reader?.reopen();
    }
    this.#reader ??= new UsageReader(historyFile, accounts, shard);
    this.#calculator ??= new UsageCalculator(this.#options, this.#reader);
    return this.#calculator;
  }

  /**
   * Calculates at once, and again when the whole history was analyzed. Each step may take seconds: reports that are waited for
   * come before the next one.
   *
   * @returns after how many milliseconds there may be something new.
   */
  async #work(calculator: UsageCalculator): Promise<number> {
    if (!this.#step(() => this.#calculate(calculator))) return firstPauseMs;
    await nextTurn();
    const isAnalyzed = this.#step(() => calculator.analyze());
    if (isAnalyzed) {
      await nextTurn();
      this.#step(() => this.#calculate(calculator));
    }
    if (calculator.isImporting()) return importPauseMs;
    return isAnalyzed ? growingPauseMs : this.#options.refreshMs;
  }

  #step<Result>(work: () => Result): Result {
    const before = process.threadCpuUsage();
    try {
      return work();
    } finally {
      const { user, system } = process.threadCpuUsage(before);
      this.#workedMs += (user + system) / 1000;
    }
  }

  /** @returns whether anything is known. */
  #calculate(calculator: UsageCalculator): boolean {
    const calculation = calculator.calculate();
    if (calculation === undefined) this.#listeners.onUnknown();
    else this.#listeners.onCalculated(calculation);
    return calculation !== undefined;
  }
}
