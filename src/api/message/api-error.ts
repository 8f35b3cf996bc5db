import type { Reason } from '../../resources/reason.ts';

interface ApiErrorDetails {
  /** The cause, and after semicolons what to do. */
  readonly advice?: string | undefined;
  /** HTTP status, where there was an answer. */
  readonly status?: number | undefined;
  /** Epoch milliseconds before which the service does not want to be asked again. */
  readonly retryAt?: number | undefined;
  /** The service misses `org_id`, or does not take the one it was given. */
  readonly isAboutOrganisation?: boolean;
}

/**
 * A reading that failed; the message says what to do and never contains the key.
 * There is no `cause`: errors of the transport and of parsers carry pieces of the answer, which may repeat the key.
 */
export class ApiError extends Error {
  readonly reason: Reason;
  readonly route: string;
  readonly status: number | undefined;
  readonly retryAt: number | undefined;
  /** The cause, and after semicolons what to do; undefined where the message has them in other words. */
  readonly advice: string | undefined;
  readonly isAboutOrganisation: boolean;

  constructor(reason: Reason, route: string, message: string, details: ApiErrorDetails = {}) {
    super(message);
    this.name = 'ApiError';
    this.reason = reason;
    this.route = route;
    this.status = details.status;
    this.retryAt = details.retryAt;
    this.advice = details.advice;
    this.isAboutOrganisation = details.isAboutOrganisation ?? false;
  }
}

/** Why a reading failed; what the API client did not throw is a fault of our own. */
export function reasonOf(error: unknown): Reason {
  return error instanceof ApiError ? error.reason : 'internal';
}

const temporaryReasons: ReadonlySet<Reason> = new Set([
  'rate_limited',
  'locked',
  'unavailable',
  'timeout',
  'network',
]);

/** Whether asking again soon may help. */
export function isTemporary(reason: Reason): boolean {
  return temporaryReasons.has(reason);
}

const longestText = 200;

/**
 * Text of the service as it may stand in an error or a log: one line, nothing invisible, at most 200 characters,
 * and without the key, should the service repeat it.
 */
export function oneLine(text: string, apiKey: string): string {
  const visible = text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim();
  const safe = apiKey === '' ? visible : visible.replaceAll(apiKey, '[API key]');
  const characters = [...safe];
  return characters.length <= longestText ? safe : `${characters.slice(0, longestText - 1).join('')}…`;
}
