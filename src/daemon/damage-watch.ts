import type { SavedHistory, SetAside } from '../history/file/damaged-file.ts';
import { isDamage } from '../history/file/history-error.ts';
import { findNewestBackup } from '../history/file/newest-backup.ts';
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
  noteSetAside({ at, file, problem, saved, failure }: SetAside): void {
    this.#self.noteHistorySetAside(at);
    const backup = findNewestBackup(this.#file);
    const fields = compact({
      set_aside: file,
      at: showInstant(at),
      problem,
      not_saved: failure,
      lost: join(saved?.lost),
      begun_anew: join(saved?.begunAnew),
      left_out: join(saved?.leftOut),
      newest_backup: backup?.file,
      newest_backup_at: backup && showInstant(backup.at),
    });
    this.#log.error(fields, `the history was damaged and set aside, ${describeNew(saved)}`);
  }

  note(): void {
    if (this.#isNoted) return;
    this.#isNoted = true;
    this.#self.noteHistoryDamaged();
    this.#log.error(
      { file: this.#file },
      'the history is damaged: polling goes on, what needs the damaged part stands still; stop the daemon, and restore a backup or run "dbpm-exporter salvage"',
    );
  }
}

const backupAdvice = 'to go on from a backup, stop the daemon and put the backup in the place of the history';

/** The history that was begun instead, as the end of a sentence. */
function describeNew(saved: SavedHistory | undefined): string {
  if (saved === undefined) return `and all counters began anew; ${backupAdvice}`;
  if (saved.isWhole) return 'and all of it saved into a new one; look at the disk, which may be failing';
  const part = `and what could be read of it saved into a new one; ${backupAdvice}`;
  return saved.leftOut.length === 0
    ? part
    : `${part}; for what was left out, stop it and run "dbpm-exporter salvage" on the file that was set aside`;
}

function showInstant(at: number): string {
  return new Date(at).toISOString();
}

function join(sentences: readonly string[] = []): string | undefined {
  return sentences.length === 0 ? undefined : sentences.join('; ');
}
