import type { ImportBegin } from '../console/live-state.ts';
import type { AccountOverview } from '../resources/account.ts';

/** Remembers when the import of each account began in this run, from which it follows when it will be done. */
export class ImportBegins {
  readonly #begins = new Map<string, ImportBegin>();

  /** @param now epoch milliseconds. */
  note(overviews: readonly AccountOverview[], now: number): void {
    for (const { summary } of overviews) {
      const { account, importsLeft: left = 0 } = summary;
      const known = this.#begins.get(account);
      if (left === 0) this.#begins.delete(account);
      else if (left > (known?.left ?? 0)) this.#begins.set(account, { account, at: known?.at ?? now, left });
    }
  }

  list(): readonly ImportBegin[] {
    return [...this.#begins.values()];
  }
}
