import { isLoopback } from '../../../api/message/base-url.ts';
import { readUsualProxy } from '../../../config/account-network.ts';
import type { AccountProxy } from '../../../config/config.ts';
import type { Environment } from '../../../config/environment.ts';
import { type Problem, renderProblem } from '../../../config/problem.ts';
import { Failure } from '../../../resources/failure.ts';

const example = 'http://host:8428/api/v1/write';

/**
 * Reads the address of a receiver. No message repeats it, as it may carry a secret.
 *
 * @throws Failure when it is none.
 */
export function readReceiverAddress(text: string, hasLogin: boolean): URL {
  const refuse = (problem: string) => new Failure(`--remote-write ${problem}`, 'usage');
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw refuse(`is not an address: write one such as ${example}`);
  if (url.username !== '' || url.password !== '')
    throw refuse('must not carry a user name or password: give them with --basic-auth-file');
  if (url.hash !== '') throw refuse('must not carry a fragment: end it before the #');
  if (hasLogin && url.protocol === 'http:' && !isLoopback(url.hostname))
    throw refuse('must start with https://, because over http:// the login travels readable');
  return url;
}

/** @throws Failure when the environment names a proxy that is none. */
export function findReceiverProxy(url: URL, env: Environment): AccountProxy | undefined {
  const problems: Problem[] = [];
  const proxy = readUsualProxy(url, { env, problems });
  const [problem] = problems;
  if (problem !== undefined) throw new Failure(renderProblem(problem), 'usage');
  return proxy;
}
