import { createHmac, randomBytes } from 'node:crypto';
import { compare } from 'bcrypt';

/** The outcome of a login; `busy` when too many wait to be checked. */
export type LoginOutcome = 'known' | 'unknown' | 'busy';

/** Whether a password is that of a hash, found in another thread. */
type PasswordCheck = (password: string, hash: string) => Promise<boolean>;

/** Logins that wait to be checked; a check takes a thread for some tens of milliseconds, or seconds if costs are high. */
const longestQueue = 32;
/** Outcomes that are remembered, of each kind. */
const mostRemembered = 256;
const usualCost = '10';

/**
 * Checks logins against hashes of bcrypt, one at a time in another thread. Outcomes are remembered, so that a scraper is
 * checked once; failures are remembered apart, so that they push no scraper out.
 */
export class LoginCheck {
  /** Passwords are remembered by a digest that is worth nothing outside this process. */
  readonly #secret = randomBytes(32);
  readonly #known = new Set<string>();
  readonly #unknown = new Set<string>();
  readonly #checks = new Map<string, Promise<boolean>>();
  readonly #matches: PasswordCheck;
  #last: Promise<unknown> = Promise.resolve();

  constructor(matches: PasswordCheck = compare) {
    this.#matches = matches;
  }

  /** @param authorization the header of a request. */
  async check(users: ReadonlyMap<string, string>, authorization: string | undefined): Promise<LoginOutcome> {
    const login = readBasicLogin(authorization);
    if (login === undefined) return 'unknown';
    const hash = users.get(login.user);
    const digest = this.#digest([login.user, hash ?? '', login.password]);
    if (this.#known.has(digest)) return 'known';
    if (this.#unknown.has(digest)) return 'unknown';
    if (!this.#checks.has(digest) && this.#checks.size >= longestQueue) return 'busy';
    const isRight = await this.#compare(digest, login.password, hash ?? decoyHash(users));
    const isKnown = isRight && hash !== undefined;
    remember(isKnown ? this.#known : this.#unknown, digest);
    return isKnown ? 'known' : 'unknown';
  }

  #compare(digest: string, password: string, hash: string): Promise<boolean> {
    const running = this.#checks.get(digest);
    if (running !== undefined) return running;
    // The library knows the other letters of the same algorithm.
    const check = this.#last.then(() => this.#matches(password, hash.replace(/^\$2[ay]/, '$2b')));
    this.#checks.set(digest, check);
    this.#last = check.catch(() => {}).finally(() => this.#checks.delete(digest));
    return check;
  }

  #digest(parts: readonly string[]): string {
    return createHmac('sha256', this.#secret).update(JSON.stringify(parts)).digest('base64');
  }
}

/** For users who are not there: the answer then takes as long as for a wrong password. */
function decoyHash(users: ReadonlyMap<string, string>): string {
  const costs = [...users.values()].map(hash => hash.slice(4, 6)).sort();
  return `$2b$${costs.at(-1) ?? usualCost}$QOauhQNbBCuQDKes6eFzPeMqBSjb7Mr5DUmpZ/VcEd00UAV/LDeSi`;
}

function remember(digests: Set<string>, digest: string): void {
  const [oldest] = digests;
  if (digests.size >= mostRemembered && oldest !== undefined) digests.delete(oldest);
  digests.add(digest);
}

/** The user and the password of an `Authorization: Basic` header (RFC 7617); undefined for any other. */
export function readBasicLogin(
  authorization: string | undefined,
): { readonly user: string; readonly password: string } | undefined {
  const encoded = /^basic +(?<encoded>[A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization ?? '')?.groups?.encoded;
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
