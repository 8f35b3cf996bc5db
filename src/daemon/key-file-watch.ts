import type { Account } from '../config/config.ts';
import type { ProblemLog, RepeatedWork } from '../log/problem-log.ts';
import { caFileWork, keyFileWork } from './repeated-work.ts';

interface KeyFileWatchOptions {
  readonly problems: ProblemLog;
  /** Told whether all files of an account could be read now. */
  readonly onLook: (account: string, areUsable: boolean) => void;
}

/**
 * Says when the key file of an account, or its file of authorities, cannot be used any more: what was read of it stays in use,
 * and nothing else would show it.
 */
export class KeyFileWatch {
  readonly #options: KeyFileWatchOptions;

  constructor(options: KeyFileWatchOptions) {
    this.#options = options;
  }

  look({ name, findKeyProblem, findCaProblem }: Account): void {
    const isKeyUsable = this.#say(keyFileWork, name, findKeyProblem);
    const isCaUsable = this.#say(caFileWork, name, findCaProblem);
    this.#options.onLook(name, isKeyUsable && isCaUsable);
  }

  #say(work: RepeatedWork, account: string, find: (() => string | undefined) | undefined): boolean {
    const { problems } = this.#options;
    const problem = find?.();
    if (problem !== undefined) problems.fail(work, { account }, new Error(problem));
    else if (find !== undefined) problems.succeed(work, { account });
    return problem === undefined;
  }
}
