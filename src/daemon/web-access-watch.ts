import { renderProblem } from '../config/problem.ts';
import { readSourceFile, stampFile } from '../config/source-file.ts';
import { type NamedWebFile, readWebFile } from '../config/web-file.ts';
import type { Logger } from '../log/logger.ts';
import { openAccess, type WebAccess } from '../resources/web-access.ts';

/** What a reading of the web configuration file came to. */
interface WebReading {
  readonly file?: NamedWebFile;
  /** A sentence for each thing that is wrong with it, and for each change that only a restart makes. */
  readonly problems: readonly string[];
}

interface WebAccessWatchOptions {
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
    this.#signature = joinStamps(options.file?.files.values());
  }

  /** How clients are let in now. */
  get access(): WebAccess {
    const file = this.#file;
    if (file === undefined) return openAccess;
    const signature = joinStamps(file.files.keys().map(stampFile));
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
      this.#signature = joinStamps(reading.file.files.values());
    }
    onReading({ ...reading, problems: [...reading.problems, ...restart] });
  }
}

/** What keeps somebody out: it is there from the start to the end, so that no slip of a file that is rewritten opens a door. */
const locks: Readonly<Record<string, (access: WebAccess) => boolean>> = {
  basic_auth_users: ({ users }) => users.size > 0,
  tls_server_config: ({ tls }) => tls !== undefined,
  client_ca: ({ tls }) => tls?.clientCa !== undefined,
  client_allowed_sans: ({ tls }) => tls?.clientAllowedSans !== undefined,
};

/** Changes that are not made while a server runs; then nothing is changed. */
function describeRestart(before: WebAccess, after: WebAccess): string[] {
  const taken = Object.entries(locks).filter(([, isThere]) => isThere(before) && !isThere(after));
  const changes = taken.map(([lock]) => `${lock} was taken away`);
  if (before.tls === undefined && after.tls !== undefined) changes.push('tls_server_config was added');
  const { clientAuth } = after.tls ?? {};
  if (before.tls !== undefined && clientAuth !== undefined && before.tls.clientAuth !== clientAuth)
    changes.push(`client_auth_type is now ${clientAuth}`);
  return changes.map(
    change => `${change}, which needs a restart: restart the daemon, or take the change back`,
  );
}

/** What changes whenever one of the files is written, replaced or removed. */
function joinStamps(stamps: Iterable<string> = []): string {
  return [...stamps].join(' ');
}

/** Follows the web configuration file, and logs what becomes of its changes. */
export function watchWebFile(file: NamedWebFile | undefined, log: Logger): WebAccessWatch {
  return new WebAccessWatch({
    file,
    read: path => {
      const { file: read, problems } = readWebFile(path, readSourceFile);
      return { ...(read && { file: read }), problems: problems.map(renderProblem) };
    },
    onReading: ({ file: read, problems }) => {
      if (problems.length === 0) log.info({ file: read?.path }, 'the web configuration was read again');
      for (const problem of problems) {
        log.error({ problem }, 'the web configuration stays as it was');
      }
    },
  });
}
