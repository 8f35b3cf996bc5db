import { markSuspect, type SetAside } from '../history/file/damaged-file.ts';
import { isDamage } from '../history/file/history-error.ts';
import type { Logger } from '../log/logger.ts';
import type { SelfMetrics } from '../metrics/self/self-metrics.ts';
import { compact } from '../resources/field.ts';

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
  noteSetAside({ at, file, problem, backup, failure }: SetAside): void {
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

  note(): void {
    if (this.#isNoted) return;
    this.#isNoted = true;
    this.#self.noteHistoryDamaged();
    markSuspect(this.#file);
    this.#log.error(
      { file: this.#file },
      'the history is damaged: polling goes on, what needs the damaged part stands still; start the daemon anew, it then sets this file aside and goes on from the newest backup',
    );
  }
}

/** What goes on in place of the damaged history, as the end of a sentence. */
function describeNext(backup: SetAside['backup']): string {
  if (backup === undefined) {
    return 'and all counters began anew, as there is no backup; if you have one elsewhere, stop the daemon and put it in the place of the history';
  }
  return `and the newest backup goes on in its place: what was recorded since ${showInstant(backup.at)} is lost but for what the service still tells; look at the disk, which may be failing`;
}

function showInstant(at: number): string {
  return new Date(at).toISOString();
}
