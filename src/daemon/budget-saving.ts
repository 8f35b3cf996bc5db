import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestBudgets } from './history-api.ts';

const savingPauseMs = 5000;

/** Another program's lock is mostly over soon; a disk that is full stays so. */
const closingAttempts = 5;
const closingPauseMs = 100;

/** Saves request budgets, again and again until they are: a pause the service asked for would else be forgotten by a restart. */
export class BudgetSaving {
  readonly #trySave: (budgets: RequestBudgets) => boolean;
  /** The latest that could not be saved. */
  #unsaved: RequestBudgets | undefined;
  #savingAgain: NodeJS.Timeout | undefined;

  /** @param trySave tells whether they are written. */
  constructor(trySave: (budgets: RequestBudgets) => boolean) {
    this.#trySave = trySave;
  }

  get isBehind(): boolean {
    return this.#unsaved !== undefined;
  }

  save(budgets: RequestBudgets): void {
    clearTimeout(this.#savingAgain);
    this.#unsaved = undefined;
    if (!this.#trySave(budgets)) this.saveSoon(budgets);
  }

  saveSoon(budgets: RequestBudgets): void {
    clearTimeout(this.#savingAgain);
    this.#unsaved = budgets;
    this.#savingAgain = setTimeout(() => this.save(budgets), savingPauseMs);
  }

  /** Gives the ones that are still to be saved a last chance. */
  async close(): Promise<void> {
    clearTimeout(this.#savingAgain);
    for (let left = closingAttempts; this.#unsaved !== undefined && left > 0; left -= 1) {
      await sleep(closingPauseMs);
      this.save(this.#unsaved);
      clearTimeout(this.#savingAgain);
    }
  }
}
