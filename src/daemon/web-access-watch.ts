import { renderProblem } from '../config/problem.ts';
import { readSourceFile, stampFile } from '../config/source-file.ts';
import { type NamedWebFile, readWebFile } from '../config/web-file.ts';
import type { Logger } from '../log/logger.ts';
import { openAccess, type WebAccess } from '../resources/web-access.ts';

/**
 * Follows the web configuration file and the certificates it names: each question looks whether one of them changed. A
 * file with a problem changes nothing.
 */
export class WebAccessWatch {
  readonly #log: Logger;
  #file: NamedWebFile | undefined;
  #signature: string;

  /**
   * @param file as it was read at the start; undefined where none is given.
   * @param log is told what becomes of each change.
   */
  constructor(file: NamedWebFile | undefined, log: Logger) {
    this.#log = log;
    this.#file = file;
    this.#signature = joinStamps(file?.files.values());
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
    const { file, problems: wrong } = readWebFile(before.path, readSourceFile);
    const restart = file === undefined ? [] : describeRestart(before.access, file.access);
    if (file !== undefined && restart.length === 0) {
      this.#file = file;
      this.#signature = joinStamps(file.files.values());
    }
    const problems = [...wrong.map(renderProblem), ...restart];
    if (problems.length === 0) this.#log.info({ file: file?.path }, 'the web configuration was read again');
    for (const problem of problems) this.#log.error({ problem }, 'the web configuration stays as it was');
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
