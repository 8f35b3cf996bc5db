import type { RequestPressure } from '../resources/request-pressure.ts';

type Skipped = Pick<RequestPressure, 'skippedListPolls' | 'lateIdle'>;

/** What pollers that are gone had counted, by account: those that follow them count from 0 again. */
export class CarriedWork {
  readonly #skipped = new Map<string, Skipped>();

  /** Takes over the counts of a poller that ends. */
  carry(account: string, pressure: Skipped): void {
    this.#skipped.set(account, this.addTo(account, pressure));
  }

  /** The pressure with all that was counted since the daemon started. */
  addTo<Pressure extends Skipped>(account: string, pressure: Pressure): Pressure {
    const { skippedListPolls = 0, lateIdle = 0 } = this.#skipped.get(account) ?? {};
    return {
      ...pressure,
      skippedListPolls: pressure.skippedListPolls + skippedListPolls,
      lateIdle: pressure.lateIdle + lateIdle,
    };
  }
}
