import type { SetAside } from '../history/file/damaged-file.ts';
import { isDamage } from '../history/file/history-error.ts';
import type { Logger } from '../log/logger.ts';
import type { SelfMetrics } from '../metrics/self/self-metrics.ts';

/** Says once, in the log and a metric, that the history is damaged, whoever finds it. */
export class DamageWatch {
  readonly #log: Logger;
  readonly #self: Pick<SelfMetrics, 'noteHistoryDamaged' | 'noteHistorySetAside'>;
  readonly #file: string;
  #isNoted = false;

  constructor(
    log: Logger,
    self: Pick<SelfMetrics, 'noteHistoryDamaged' | 'noteHistorySetAside'>,
    file: string,
  ) {
    this.#log = log;
    this.#self = self;
    this.#file = file;
  }

  /** Looks whether damage is what an error is about. */
  look(error: unknown): void {
    if (isDamage(error)) this.note();
  }

  /** Says what was begun anew, at every start: what is shown depends on it. */
  noteSetAside({ at, file, problem }: SetAside): void {
    this.#self.noteHistorySetAside(at);
    this.#log.error(
      { set_aside: file, at: new Date(at).toISOString(), problem },
      'the history was damaged and set aside, and all counters began anew; to go on from a backup, stop the daemon and put the backup in the place of the history',
    );
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
