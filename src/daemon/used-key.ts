import type { Account } from '../config/config.ts';
import type { RequestBudgetState } from '../resources/request-budget-state.ts';

/** Remembers the key that was last used for each account, over reloads: what the service asked of one says nothing of another. */
export class UsedKeys {
  readonly #keys = new Map<string, string>();

  /** The budget that the account goes on with: without a pause when its key was exchanged since. */
  budgetOf(
    { name, readApiKey }: Account,
    budget: RequestBudgetState | undefined,
  ): RequestBudgetState | undefined {
    const used = this.#keys.get(name);
    if (budget === undefined || used === undefined || used === readApiKey()) return budget;
    return { ...budget, pausedUntil: budget.settledAt };
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
