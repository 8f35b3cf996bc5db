import { isDamage } from '../history/file/history-error.ts';
import type { Logger } from '../log/logger.ts';
import type { SelfMetrics } from '../metrics/self/self-metrics.ts';

/** Says once, in the log and a metric, that the history is damaged, whoever finds it. */
export class DamageWatch {
  readonly #log: Logger;
  readonly #self: Pick<SelfMetrics, 'noteHistoryDamaged'>;
  readonly #file: string;
  #isNoted = false;

  constructor(log: Logger, self: Pick<SelfMetrics, 'noteHistoryDamaged'>, file: string) {
    this.#log = log;
    this.#self = self;
    this.#file = file;
  }

  /** Looks whether damage is what an error is about. */
  look(error: unknown): void {
    if (isDamage(error)) this.note();
  }

  note(): void {
    if (this.#isNoted) return;
    this.#isNoted = true;
    this.#self.noteHistoryDamaged();
    this.#log.error(
      { file: this.#file },
      'the history is damaged: polling goes on, what needs the damaged part stands still; stop the daemon and restore a backup',
    );
  }
}
