import { setTimeout as sleepFor } from 'node:timers/promises';
import { hourMs } from '../resources/duration.ts';
import type { Reason } from '../resources/reason.ts';
import type { RequestBudgetState } from '../resources/request-budget.ts';
import type { Sleep } from './pacing/request-gate.ts';
import type { ProxyChoice } from './transport/connections.ts';
import type { Timeouts } from './transport/exchange.ts';

export interface ApiAttempt {
  readonly route: string;
  readonly outcome: 'ok' | Reason;
  readonly durationMs: number;
  /** The date of the answer as it came, believed or not, in epoch milliseconds; absent where there was none. */
  readonly dateAt?: number;
}

export interface ClientOptions {
  /** Root of the service including its version segment, with or without the last slash. */
  readonly base_url: URL | string;
  /** A proxy to go through. */
  readonly proxy?: ProxyChoice;
  /** Certificates of authorities to trust besides those of Node, as PEM. */
  readonly readCa?: () => string;
  /** The organisation whose lists are read; absent where the service need not be told. */
  readonly org_id?: string;
  /** Asked before every request, so that a key that was exchanged is used at once. */
  readonly readApiKey: () => string;
  /** Most requests in any minute, at least 1. */
  readonly requestsPerMinute: number;
  /** How many clients like this one share what the service takes at once; 1 by default. */
  readonly sharers?: number;
  readonly userAgent: string;
  /** Told of every request that was sent and came to an end, retries too. */
  readonly onAttempt?: (attempt: ApiAttempt) => void;
  /** The budget an earlier run left; a full one by default. */
  readonly budget?: RequestBudgetState;
  readonly timeouts?: Partial<Timeouts>;
  /** Largest body accepted, decompressed. */
  readonly maxBodyBytes?: number;
  /** Requests open at once. */
  readonly connections?: number;
  /** Attempts a request gets in all. */
  readonly maxAttempts?: number;
  /** The longest that a reading takes from its first request on, with its retries and the waits between them. */
  readonly longestReadMs?: number;
  /** The longest that the body of an error is waited for: its status has told what matters. */
  readonly longestErrorBodyMs?: number;
  /** A service that wants to be left alone for longer is not waited for. */
  readonly longestWaitMs?: number;
  /** The longest that a service may ask to be left alone. */
  readonly longestPauseMs?: number;
  /** Told with every answer how far its date is from the instant it was taken for, in milliseconds; 0 where it has none. */
  readonly onDate?: (offMs: number) => void;
  /** The service's clock minus ours as an earlier run left it, in milliseconds. */
  readonly skewMs?: number;
  /** Epoch milliseconds, by a clock that never steps if there is one. */
  readonly now?: () => number;
  /** Epoch milliseconds by the host's clock; `now` by default. */
  readonly hostNow?: () => number;
  readonly sleep?: Sleep;
  /** Answers in [0, 1). */
  readonly random?: () => number;
}

type OptionalOptions = Omit<
  ClientOptions,
  | 'base_url'
  | 'readApiKey'
  | 'requestsPerMinute'
  | 'userAgent'
  | 'budget'
  | 'hostNow'
  | 'proxy'
  | 'readCa'
  | 'org_id'
>;

export type CompleteOptions = ClientOptions & Required<OptionalOptions> & { readonly timeouts: Timeouts };

const defaults: Required<OptionalOptions> & { readonly timeouts: Timeouts } = {
  timeouts: {
    connectTimeoutMs: 10_000,
    headersTimeoutMs: 15_000,
    bodyTimeoutMs: 15_000,
    totalTimeoutMs: 30_000,
  },
  onAttempt: () => {},
  sharers: 1,
  maxBodyBytes: 64 * 1024 * 1024,
  connections: 16,
  maxAttempts: 3,
  longestReadMs: 30_000,
  longestErrorBodyMs: 2000,
  longestWaitMs: 30_000,
  longestPauseMs: hourMs,
  onDate: () => {},
  skewMs: 0,
  now: Date.now,
  sleep,
  random: () => Math.random(),
};

/** The options with the default of everything that was left out. */
export function completeOptions(options: ClientOptions): CompleteOptions {
  return { ...defaults, ...options, timeouts: { ...defaults.timeouts, ...options.timeouts } };
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  // A timer is given whole milliseconds rounded down, and must not end before the instant it was set for.
  await sleepFor(Math.max(0, Math.ceil(ms)), undefined, { signal }).catch(() => signal.throwIfAborted());
}
