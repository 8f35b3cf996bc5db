import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { RateLimit, WebAccess } from '../resources/web-access.ts';
import { LoginCheck } from './login.ts';
import { refuse } from './refusal.ts';
import { TokenBucket } from './token-bucket.ts';

/** They tell how the daemon is. */
export const healthPaths: readonly string[] = ['/-/healthy', '/-/ready'];

/** Lets requests in by the rate limit first, then by the login, and gives every answer the headers it shall have. */
export class Doorkeeper {
  readonly #access: () => WebAccess;
  readonly #openPaths: readonly string[];
  readonly #logins = new LoginCheck();
  #bucket: { readonly limit: RateLimit; readonly tokens: TokenBucket } | undefined;

  /** @param access asked for each request, so that it may change. */
  constructor(access: () => WebAccess, { healthWithoutLogin }: { readonly healthWithoutLogin: boolean }) {
    this.#access = access;
    this.#openPaths = healthWithoutLogin ? healthPaths : [];
  }

  /** Calls `answer`, or answers why not: 401, or 429 where there is too much. */
  async admit(request: IncomingMessage, response: ServerResponse, answer: () => void): Promise<void> {
    const { headers, users, rateLimit } = this.#access();
    response.setHeader('X-Content-Type-Options', 'nosniff');
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (!this.#hasToken(rateLimit)) {
      refuse(response, 429, 'Too many requests: the web configuration limits them with rate_limit.');
      return;
    }
    if (users.size === 0 || this.#openPaths.includes(pathOf(request))) {
      answer();
      return;
    }
    const outcome = await this.#logins.check(users, request.headers.authorization);
    if (outcome === 'known') answer();
    else if (outcome === 'busy') refuse(response, 429, 'Too many logins are being checked.');
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
