import { describeNext, markSuspect, type SetAside } from '../history/file/damaged-file.ts';
import { isDamage } from '../history/file/history-error.ts';
import type { Logger } from '../log/logger.ts';
import type { SelfMetrics } from '../metrics/self/self-metrics.ts';
import { compact } from '../resources/field.ts';

/** Says once, in the log and a metric, that the history is damaged, whichever part finds it. */
export class DamageWatch {
  readonly #log: Logger;
  readonly #self: Pick<SelfMetrics, 'noteHistoryDamaged' | 'noteHistorySetAside'>;
  readonly #file: string;
  #isNoted = false;
  #setAside: SetAside | undefined;

  constructor(
    log: Logger,
    self: Pick<SelfMetrics, 'noteHistoryDamaged' | 'noteHistorySetAside'>,
    file: string,
  ) {
    this.#log = log;
    this.#self = self;
    this.#file = file;
  }

  /** The damaged history in whose place the one in use was begun last; undefined where none was. */
  get setAside(): SetAside | undefined {
    return this.#setAside;
  }

  /** Whether damage was found since the start. */
  get isDamaged(): boolean {
    return this.#isNoted;
  }

  /** Looks whether damage is what an error is about. */
  look(error: unknown): void {
    if (isDamage(error) && !this.#isNoted) this.#note();
  }

  /** Says what was begun anew, at every start: what is shown depends on it. */
  noteSetAside(setAside: SetAside): void {
    this.#setAside = setAside;
    const { at, file, problem, backup, failure } = setAside;
    this.#self.noteHistorySetAside(at);
    const fields = compact({
      set_aside: file,
      at: showInstant(at),
      problem,
      backup: backup?.file,
      backup_at: backup && showInstant(backup.at),
      not_restored: failure,
    });
    this.#log.error(fields, `the history was damaged and set aside, ${describeNext(backup)}`);
  }

  #note(): void {
    this.#isNoted = true;
    this.#self.noteHistoryDamaged();
    markSuspect(this.#file);
    this.#log.error(
      { file: this.#file },
      'the history is damaged: polling goes on, what needs the damaged part stands still; start the daemon anew, it then sets this file aside and goes on from the newest backup',
    );
  }
}

function showInstant(at: number): string {
  return new Date(at).toISOString();
}
