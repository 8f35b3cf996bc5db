import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../src/simulator/model/random.ts';

/** A daemon that may die: a process, or one that is simulated. */
export interface MortalDaemon {
  untilServing(): Promise<unknown>;
  /** The text of its page; undefined where there is none, as it is just dying. */
  readPage(): Promise<string | undefined>;
  /** Ends it as SIGKILL does. */
  kill(): Promise<void>;
  /** Resolves when it is dead; absent where it dies by no other hand. */
  readonly died?: Promise<void>;
}

const never = new Promise<void>(() => {});

/** How long the next one lives, from its start or from when it serves. */
interface Fate {
  readonly servesFirst: boolean;
  readonly lifeMs: number;
}

/** One daemon after the other on the same history, each killed at a random moment and followed at once by the next. */
export class KilledDaemon<Daemon extends MortalDaemon> {
  readonly #start: () => Daemon;
  readonly #drawFate: (random: Random) => Fate;
  readonly #random: Random;
  #current: Daemon | undefined;
  #serving: Daemon | undefined;
  #spared = 0;
  /** Settles when nothing spares the daemon's life any more. */
  #sparing = Promise.withResolvers<void>();
  kills = 0;

  constructor(start: () => Daemon, drawFate: (random: Random) => Fate, random: Random) {
    this.#start = start;
    this.#drawFate = drawFate;
    this.#random = random;
  }

  /** The present one, as soon as it serves. */
  get serving(): Daemon | undefined {
    return this.#serving;
  }

  /** Kills one after the other until it is told to stop, then lets the last one live and returns it. */
  async run(stopped: AbortSignal): Promise<Daemon> {
    for (;;) {
      const daemon = this.#start();
      this.#current = daemon;
      const isDead = await this.#untilDeath(daemon);
      if (stopped.aborted && !isDead) return daemon;
      this.#serving = undefined;
      await daemon.kill();
      this.kills += 1;
    }
  }

  /** Lets the present daemon, or the next one, live until `work` is done. */
  async spare<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#spared === 0) this.#sparing = Promise.withResolvers<void>();
    this.#spared += 1;
    try {
      return await work();
    } finally {
      this.#spared -= 1;
      if (this.#spared === 0) this.#sparing.resolve();
    }
  }

  /** @returns whether it died by itself, and not because its time has come. */
  async #untilDeath(daemon: Daemon): Promise<boolean> {
    const { servesFirst, lifeMs } = this.#drawFate(this.#random);
    const serving = daemon.untilServing().then(
      () => {
        if (daemon === this.#current) this.#serving = daemon;
      },
      () => {},
    );
    const alone = async () => {
      if (servesFirst) await serving;
      await pause(lifeMs);
      while (this.#spared > 0) await this.#sparing.promise;
      return false;
    };
    const dies = (daemon.died ?? never).then(() => true);
    return Promise.race([alone(), dies]);
  }
}
