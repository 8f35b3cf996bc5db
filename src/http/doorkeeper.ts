import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { LoginOutcome } from '../resources/login-outcome.ts';
import type { RateLimit, WebAccess } from '../resources/web-access.ts';
import { findForeign, type OwnNames } from './foreign-request.ts';
import { LoginCheck } from './login.ts';
import { refuse } from './refusal.ts';
import { TokenBucket } from './token-bucket.ts';

/** They tell how the daemon is. */
export const healthPaths: readonly string[] = ['/-/healthy', '/-/ready'];

export interface DoorkeeperOptions extends OwnNames {
  /** How clients are let in, asked for each request, so that it may change. */
  readonly access: () => WebAccess;
  readonly healthWithoutLogin: boolean;
  /** Told of each login, and where it comes from. */
  readonly onLogin: (outcome: LoginOutcome, address: string) => void;
}

/**
 * Lets requests in: by the rate limit first, then by what they say of where they come from, then by the login. Gives every
 * answer the headers it shall have.
 */
export class Doorkeeper {
  readonly #options: DoorkeeperOptions;
  readonly #logins = new LoginCheck();
  #bucket: { readonly limit: RateLimit; readonly tokens: TokenBucket } | undefined;

  constructor(options: DoorkeeperOptions) {
    this.#options = options;
  }

  /** Calls `answer`, or answers why not: 401, 403 for what a foreign page asks, or 429 where there is too much. */
  async admit(request: IncomingMessage, response: ServerResponse, answer: () => void): Promise<void> {
    const access = this.#options.access();
    const { headers, users, rateLimit } = access;
    response.setHeader('X-Content-Type-Options', 'nosniff');
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (!this.#hasToken(rateLimit)) {
      refuse(response, 429, 'Too many requests: the web configuration limits them with rate_limit.');
      return;
    }
    const isHealth = healthPaths.includes(pathOf(request));
    // Probes ask by any name, and learn nothing of what is watched.
    const foreign = isHealth ? undefined : findForeign(request, access, this.#options);
    if (foreign !== undefined) refuse(response, 403, foreign);
    else if (users.size === 0 || (isHealth && this.#options.healthWithoutLogin)) answer();
    else await this.#askLogin(request, response, users, answer);
  }

  async #askLogin(
    { headers: { authorization }, socket: { remoteAddress = '' } }: IncomingMessage,
    response: ServerResponse,
    users: WebAccess['users'],
    answer: () => void,
  ): Promise<void> {
    const outcome = authorization && (await this.#logins.check(users, authorization, remoteAddress));
    if (outcome) this.#options.onLogin(outcome, remoteAddress);
    if (outcome === 'ok') answer();
    else if (outcome === 'too_many') refuse(response, 429, 'Too many logins are being checked.');
    else {
      response.setHeader('WWW-Authenticate', 'Basic realm="dbpm-exporter", charset="UTF-8"');
      refuse(response, 401, 'A login is needed.');
    }
  }

  #hasToken(limit: RateLimit | undefined): boolean {
    if (limit === undefined) return true;
    if (this.#bucket?.limit !== limit) {
      this.#bucket = { limit, tokens: new TokenBucket(limit, performance.now()) };
    }
    return this.#bucket.tokens.take(performance.now());
  }
}

/** The path without its query, as the client wrote it. */
function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1).join();
}
