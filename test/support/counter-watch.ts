import type { AccountView } from '../../src/resources/account.ts';
import { samplesOf } from './sample-line.ts';

/** Watches every counter and histogram of successive views; a series may vanish, but never come back lower. */
export class CounterWatch {
  readonly #highest = new Map<string, number>();

  /** @throws Error naming the series that went down or is not a number. */
  see(views: readonly AccountView[]): void {
    for (const view of views) {
      for (const { series, value, family } of samplesOf(view)) {
        if (family.type === 'gauge') continue;
        const before = this.#highest.get(series) ?? 0;
        if (!(value >= before)) throw new Error(`${series} went from ${before} to ${value}`);
        this.#highest.set(series, value);
      }
    }
  }
}
