import { createHash } from 'node:crypto';
import type { Account } from '../config/config.ts';
import type { RequestBudgetState } from '../resources/request-budget.ts';

/**
 * Remembers the key that was last used for each account, over reloads, and its mark over restarts: what the service asked of
 * one says nothing of another.
 */
export class UsedKeys {
  readonly #keys = new Map<string, string>();

  /** The budget that the account goes on with: without a pause when its key was exchanged since. */
  budgetOf(
    { name, readApiKey }: Account,
    budget: RequestBudgetState | undefined,
  ): RequestBudgetState | undefined {
    const key = readApiKey();
    const used = this.#keys.get(name);
    this.#keys.set(name, key);
    if (budget === undefined) return undefined;
    const { pausedKey, ...left } = budget;
    const isMarked = pausedKey === undefined || pausedKey === markKey(key);
    const isSame = used === undefined ? isMarked : used === key;
    return isSame ? left : { ...left, pausedUntil: left.settledAt };
  }

  /** The budget as it is remembered: with the mark of the key that it is of. */
  markBudget(account: string, budget: RequestBudgetState): RequestBudgetState {
    const used = this.#keys.get(account);
    return used === undefined ? budget : { ...budget, pausedKey: markKey(used) };
  }

  /** The account, with its key remembered whenever it is read. */
  follow(account: Account): Account {
    return {
      ...account,
      readApiKey: () => {
        const key = account.readApiKey();
        this.#keys.set(account.name, key);
        return key;
      },
    };
  }
}

/** So little of the hash that billions of keys have the same, and another key hardly ever. */
function markKey(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8);
}
