import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { performance } from 'node:perf_hooks';
import { asksForLogin, type LoginOutcome, type RateLimit, type WebAccess } from '../resources/web-access.ts';
import { LoginCheck } from './login.ts';
import { refuse } from './refusal.ts';
import type { ListenPlace } from './server-options.ts';

/** They tell how the daemon is. */
export const healthPaths: readonly string[] = ['/-/healthy', '/-/ready'];

interface DoorkeeperOptions extends OwnNames {
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

/** Counts requests against a rate limit: a full bucket at first, and a token more each interval. */
export class TokenBucket {
  readonly #limit: RateLimit;
  #tokens: number;
  #asOf: number;

  /** @param now milliseconds of a clock that never steps. */
  constructor(limit: RateLimit, now: number) {
    this.#limit = limit;
    this.#tokens = limit.burst;
    this.#asOf = now;
  }

  /** Whether a request may pass, which then has taken its token. */
  take(now: number): boolean {
    const { burst, intervalMs } = this.#limit;
    this.#tokens = Math.min(burst, this.#tokens + (now - this.#asOf) / intervalMs);
    this.#asOf = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}

/** The names of a server that its own configuration gives. */
interface OwnNames {
  readonly listen: readonly ListenPlace[];
  /** Where people reach it, such as `https://dbpm.example.com`; empty where it is not set. */
  readonly externalUrl?: string | undefined;
}

const foreignOrigin =
  'A page of another address asks for this. Where this one is reached by an address of its own, name that with web.external_url.';
const foreignHost =
  'This is not served by that name. Ask by an address in numbers, or name the address with web.external_url.';

/**
 * Why a request is refused that a foreign web page has a browser make. A browser on this network reaches what
 * its page cannot, and it sends passwords along that it knows.
 *
 * - What changes something is refused where `Origin` is another page.
 * - Where no login is needed, `Host` must be an address, a name without a dot, such as `localhost`, or a name that the
 *   configuration gives. The owner of another name can lead it here, and then read all answers (DNS rebinding). An address
 *   or a name without a dot has no such owner.
 *
 * @returns a line for the client; undefined where there is nothing against the request.
 */
export function findForeign(
  { method, headers: { origin, host } }: Pick<IncomingMessage, 'method' | 'headers'>,
  access: WebAccess,
  { listen, externalUrl }: OwnNames,
): string | undefined {
  const external = URL.parse(externalUrl ?? '');
  const isReading = method === 'GET' || method === 'HEAD';
  if (!isReading && origin !== undefined && origin !== external?.origin) {
    if (URL.parse(origin)?.host !== host?.toLowerCase()) return foreignOrigin;
  }
  // A browser always sends it.
  if (asksForLogin(access) || host === undefined) return undefined;
  const name = host.toLowerCase().replace(/:\d*$/, '');
  const given = listen.map(place => ('host' in place ? place.host?.toLowerCase() : undefined));
  return isSafeName(name) || name === external?.hostname || given.includes(name) ? undefined : foreignHost;
}

function isSafeName(name: string): boolean {
  return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || !name.includes('.') || name.endsWith('.localhost');
}
