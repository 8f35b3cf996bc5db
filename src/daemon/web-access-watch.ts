import { stampFile } from '../config/source-file.ts';
import type { NamedWebFile } from '../config/web-file.ts';
import { openAccess, type WebAccess } from '../resources/web-access.ts';

/** What a reading of the web configuration file came to. */
export interface WebReading {
  readonly file?: NamedWebFile;
  /** A sentence for each thing that is wrong with it, and for each change that only a restart makes. */
  readonly problems: readonly string[];
}

export interface WebAccessWatchOptions {
  /** The file as it was read at the start; absent where none is given. */
  readonly file: NamedWebFile | undefined;
  readonly read: (path: string) => WebReading;
  readonly onReading: (reading: WebReading) => void;
}

/**
 * Follows the web configuration file and the certificates it names: each question looks whether one of them changed. A
 * file with a problem changes nothing.
 */
export class WebAccessWatch {
  readonly #options: WebAccessWatchOptions;
  #file: NamedWebFile | undefined;
  #signature: string;

  constructor(options: WebAccessWatchOptions) {
    this.#options = options;
    this.#file = options.file;
    this.#signature = signatureOf(options.file);
  }

  /** How clients are let in now. */
  get access(): WebAccess {
    const file = this.#file;
    if (file === undefined) return openAccess;
    const signature = signatureOf(file);
    if (signature !== this.#signature) {
      this.#signature = signature;
      this.#readAgain(file);
    }
    return this.#file?.access ?? openAccess;
  }

  #readAgain(before: NamedWebFile): void {
    const { read, onReading } = this.#options;
    const reading = read(before.path);
    const restart = reading.file === undefined ? [] : describeRestart(before.access, reading.file.access);
    if (reading.file !== undefined && restart.length === 0) {
      this.#file = reading.file;
      this.#signature = signatureOf(reading.file);
    }
    onReading({ ...reading, problems: [...reading.problems, ...restart] });
  }
}

/** Changes that a server which runs cannot make; then nothing is changed. */
function describeRestart({ tls: before }: WebAccess, { tls: after }: WebAccess): string[] {
  const advice = 'restart the daemon, or take the change back';
  if ((before === undefined) !== (after === undefined)) {
    return [`tls_server_config was ${after ? 'added' : 'taken away'}, which needs a restart: ${advice}`];
  }
  return before?.clientAuth === after?.clientAuth
    ? []
    : [`client_auth_type is now ${after?.clientAuth}, which needs a restart: ${advice}`];
}

/** What changes whenever one of the files is written, replaced or removed. */
function signatureOf(file: NamedWebFile | undefined): string {
  return (file?.files ?? []).map(stampFile).join(' ');
}
