import type { Account } from '../config/config.ts';
import type { ProblemLog } from '../log/problem-log.ts';
import { keyFileWork } from './repeated-work.ts';

export interface KeyFileWatchOptions {
  readonly problems: ProblemLog;
  /** Told whether the key of an account could be read now. */
  readonly onLook: (account: string, isUsable: boolean) => void;
}

/** Says when the key file of an account cannot be used any more: the key in use stays, and nothing else would show it. */
export class KeyFileWatch {
  readonly #options: KeyFileWatchOptions;

  constructor(options: KeyFileWatchOptions) {
    this.#options = options;
  }

  look({ name: account, findKeyProblem }: Pick<Account, 'name' | 'findKeyProblem'>): void {
    if (findKeyProblem === undefined) return;
    const { problems, onLook } = this.#options;
    const problem = findKeyProblem();
    onLook(account, problem === undefined);
    if (problem === undefined) problems.succeed(keyFileWork, { account });
    else problems.fail(keyFileWork, { account }, new Error(problem));
  }
}
