import type { ProblemLog } from '../log/problem-log.ts';
import type { LoginOutcome } from '../resources/login-outcome.ts';
import { loginWork } from './repeated-work.ts';

/** Says in the log that logins fail, rarely while it lasts. Names are not told: people type passwords in their place. */
export function noteLogin(problems: ProblemLog, outcome: LoginOutcome, address: string): void {
  if (outcome === 'ok') problems.succeed(loginWork, {});
  else problems.fail(loginWork, {}, new Error(`${words[outcome]}, from ${address || 'this host'}`));
}

const words = {
  wrong: 'no such user, or another password',
  too_many: 'too many logins waited to be checked',
};
