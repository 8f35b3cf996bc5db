import { BroadcastChannel } from 'node:worker_threads';
import type { ShownUsage, UsageView } from '../resources/usage/view.ts';
import type { ViewMessage } from './message.ts';

/**
 * Tells other threads the latest view of use and cost, again to those who come later; nothing is written for them before the
 * first has asked.
 */
export class ViewSender {
  readonly #channel: BroadcastChannel;
  #view: UsageView | undefined;
  #isAsked = false;

  constructor(name: string) {
    this.#channel = new BroadcastChannel(name);
    this.#channel.onmessage = event => {
      const message = (event as { readonly data: ViewMessage }).data;
      if (!('again' in message)) return;
      this.#isAsked = true;
      this.#tell();
    };
    // Those who asked the thread before this one ask again.
    this.#post({ begun: true });
  }

  send(view: UsageView): void {
    this.#view = view;
    if (this.#isAsked) this.#tell();
  }

  #tell(): void {
    this.#post({ view: this.#view && shownOf(this.#view) });
  }

  #post(message: ViewMessage): void {
    this.#channel.postMessage(message);
  }
}

/** Takes the latest view of use and cost from the thread that works it out. */
export class ViewReceiver {
  /** Resolves once the other thread has told its latest view, or that it has none. */
  readonly told: Promise<void>;
  readonly #channel: BroadcastChannel;
  #view: ShownUsage | undefined;

  constructor(name: string) {
    const told = Promise.withResolvers<void>();
    this.told = told.promise;
    this.#channel = new BroadcastChannel(name);
    this.#channel.onmessage = event => {
      const message = (event as { readonly data: ViewMessage }).data;
      if ('begun' in message) this.#ask();
      if (!('view' in message)) return;
      // A thread that just began knows less than the one before it.
      this.#view = message.view ?? this.#view;
      told.resolve();
    };
    this.#ask();
  }

  /** Undefined before the first. */
  get view(): ShownUsage | undefined {
    return this.#view;
  }

  #ask(): void {
    this.#channel.postMessage({ again: true } satisfies ViewMessage);
  }
}

/** Ten thousand projects are too many to be written for another thread again and again. */
function shownOf({ accounts, budgets }: UsageView): ShownUsage {
  return { accounts: accounts.map(({ projects: _, groups: __, ...shown }) => shown), budgets };
}
