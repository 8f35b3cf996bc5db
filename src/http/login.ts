import { createHmac, randomBytes } from 'node:crypto';
import { compare } from 'bcrypt';
import { maxOf } from '../resources/min-max.ts';
import type { LoginOutcome } from '../resources/web-access.ts';

/** Whether a password is that of a hash, found in another thread. */
type PasswordCheck = (password: string, hash: string) => Promise<boolean>;

/** Outcomes that are remembered, of each kind. */
const mostRemembered = 256;

/**
 * Checks logins against hashes of bcrypt, one at a time in another thread, as a check takes some tens of milliseconds, or
 * seconds if costs are high. Outcomes are remembered, so that a scraper is checked once; failures are remembered apart, so
 * that they push no scraper out. Addresses take turns, so that wrong passwords of one keep no other waiting.
 */
export class LoginCheck {
  /** Passwords are remembered by a digest that is worth nothing outside this process. */
  readonly #secret = randomBytes(32);
  readonly #right = new Set<string>();
  readonly #wrong = new Set<string>();
  readonly #checks = new Map<string, Promise<boolean | undefined>>();
  readonly #queue = new FairQueue();
  readonly #matches: PasswordCheck;

  constructor(matches: PasswordCheck = compare) {
    this.#matches = matches;
  }

  /**
   * @param authorization the header of a request.
   * @param address where it comes from.
   */
  async check(
    users: ReadonlyMap<string, string>,
    authorization: string | undefined,
    address: string,
  ): Promise<LoginOutcome> {
    const login = readBasicLogin(authorization);
    if (login === undefined) return 'wrong';
    const hash = users.get(login.user);
    const digest = this.#digest([login.user, hash ?? '', login.password]);
    if (this.#right.has(digest)) return 'ok';
    if (this.#wrong.has(digest)) return 'wrong';
    const running = this.#checks.get(digest);
    const check =
      running ?? this.#queue.run(networkOf(address), () => this.#compare(login.password, hash, users));
    this.#checks.set(digest, check);
    const isRight = await check.finally(() => this.#checks.delete(digest));
    if (isRight === undefined) return 'too_many';
    remember(isRight ? this.#right : this.#wrong, digest);
    return isRight ? 'ok' : 'wrong';
  }

  /**
   * A wrong password takes as long as the most costly hash of any user, so that time does not tell who is a user: 2^n
   * rounds of a hash of cost n, and the rounds of decoys of the costs n to m - 1, are 2^m in all.
   */
  async #compare(
    password: string,
    hash: string | undefined,
    users: ReadonlyMap<string, string>,
  ): Promise<boolean> {
    const highest = maxOf(users.values().map(costOf));
    // The library knows the other letters of the same algorithm.
    const isRight = await this.#matches(password, hash?.replace(/^\$2[ay]/, '$2b') ?? decoyOf(highest));
    if (hash === undefined) return false;
    if (isRight) return true;
    for (let cost = costOf(hash); cost < highest; cost += 1) await this.#matches(password, decoyOf(cost));
    return false;
  }

  #digest(parts: readonly string[]): string {
    return createHmac('sha256', this.#secret).update(JSON.stringify(parts)).digest('base64');
  }
}

function costOf(hash: string): number {
  return Number(hash.slice(4, 6));
}

/** Stands in for the hash of a user. */
function decoyOf(cost: number): string {
  return `$2b$${String(cost).padStart(2, '0')}$QOauhQNbBCuQDKes6eFzPeMqBSjb7Mr5DUmpZ/VcEd00UAV/LDeSi`;
}

/** A client with one address of IPv6 has the 2^64 of its network. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [groups = ''] = address.split('::', 1);
  return [...groups.split(':'), '0', '0', '0'].slice(0, 4).join(':');
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

/** More wait for nothing: their clients have given up by then. */
const mostWaiting = 128;

/** Told whether its turn has come, or that it gave way to others. */
type Turn = (isItsTurn: boolean) => void;

/**
 * Does one thing at a time for many askers: each of them in turn, however often one asks. Where too many wait, the asker
 * with most of them loses the latest.
 */
class FairQueue {
  /** By who asked, the next to be served first. */
  readonly #waiting = new Map<string, Turn[]>();
  #size = 0;
  #isBusy = false;

  /** @returns what came of it, or undefined where it gave way. */
  async run<Result>(asker: string, work: () => Promise<Result>): Promise<Result | undefined> {
    if (this.#isBusy && !(await this.#wait(asker))) return undefined;
    this.#isBusy = true;
    try {
      return await work();
    } finally {
      this.#serveNext();
    }
  }

  #wait(asker: string): Promise<boolean> {
    return new Promise(turn => {
      const turns = this.#waiting.get(asker) ?? [];
      this.#waiting.set(asker, turns);
      turns.push(turn);
      this.#size += 1;
      if (this.#size > mostWaiting) this.#giveWay();
    });
  }

  #giveWay(): void {
    // Of askers with equally many, the last to come.
    const [most] = [...this.#waiting].reverse().sort(([, one], [, other]) => other.length - one.length);
    if (most === undefined) return;
    const [asker, turns] = most;
    this.#size -= 1;
    turns.pop()?.(false);
    if (turns.length === 0) this.#waiting.delete(asker);
  }

  #serveNext(): void {
    this.#isBusy = false;
    const [next] = this.#waiting;
    if (next === undefined) return;
    const [asker, [turn, ...others]] = next;
    this.#waiting.delete(asker);
    if (others.length > 0) this.#waiting.set(asker, others);
    this.#isBusy = true;
    this.#size -= 1;
    turn?.(true);
  }
}
