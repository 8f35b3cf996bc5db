import type { Random } from '../../src/simulator/model/random.ts';
import type { DaemonProcess } from '../support/daemon-process.ts';

/** One daemon after the other on the same history, each killed at a random moment and followed at once by the next. */
export class KilledDaemon {
  readonly #start: () => DaemonProcess;
  readonly #random: Random;
  #current: DaemonProcess | undefined;
  #url: string | undefined;
  #spared = 0;
  #wake = () => {};
  kills = 0;

  constructor(start: () => DaemonProcess, random: Random) {
    this.#start = start;
    this.#random = random;
  }

  /** Where the present one listens, as soon as it does. */
  get url(): string | undefined {
    return this.#url;
  }

  /** Kills one after the other until it is told to stop, then lets the last one live and returns it. */
  async run(stopped: AbortSignal): Promise<DaemonProcess> {
    for (;;) {
      const daemon = this.#start();
      this.#current = daemon;
      await this.#untilDeath(daemon);
      if (stopped.aborted) return daemon;
      this.#url = undefined;
      const { signal } = await daemon.stop('SIGKILL');
      if (signal !== 'SIGKILL') throw new Error(`the daemon ended by itself:\n${daemon.stderr()}`);
      this.kills += 1;
    }
  }

  /** Lets the present daemon, or the next one, live until `work` is done. */
  async spare<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#spared += 1;
    try {
      return await work();
    } finally {
      this.#spared -= 1;
      this.#wake();
    }
  }

  /** Some die while they start, most soon after they began to serve and to read, some only when they have read all. */
  async #untilDeath(daemon: DaemonProcess): Promise<void> {
    const fate = this.#random.fraction();
    const lifeMs = this.#random.integer(50, fate < 0.3 ? 500 : fate < 0.85 ? 450 : 1500);
    const serving = daemon.untilServing().then(
      url => {
        if (daemon === this.#current) this.#url = url;
      },
      () => {},
    );
    if (fate >= 0.3) await serving;
    await new Promise(resolve => setTimeout(resolve, lifeMs));
    while (this.#spared > 0) {
      await new Promise<void>(resolve => {
        this.#wake = resolve;
      });
    }
  }
}
