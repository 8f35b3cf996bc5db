import { setTimeout as sleepFor } from 'node:timers/promises';
import { oneLine } from '../../../api/message/api-error.ts';
import { parseHttpDate, parseRetryAfter } from '../../../api/pacing/retry-timing.ts';
import type { HttpAnswer } from '../../../api/transport/exchange.ts';
import { BodyTooLargeError } from '../../../api/transport/response-body.ts';
import { describeError, nameReason } from '../../../log/error-record.ts';
import { dayMs, minuteMs } from '../../../resources/duration.ts';

/** The meaning of a receiver's answer. */
export type Verdict =
  | { readonly kind: 'taken' }
  /** The batch is larger than the receiver takes. */
  | { readonly kind: 'too large'; readonly reason: string }
  /** The same may be taken later, no earlier than it says. */
  | { readonly kind: 'later'; readonly reason: string; readonly waitMs?: number | undefined }
  /** The same is never taken. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Requests that did not come in time, or too early, and too many of them. */
const passingStatuses = new Set([408, 425, 429]);
/** No receiver means a longer wait: it is a mistyped date. */
const longestWaitMs = dayMs;

/**
 * @param redact takes secrets out of what the receiver says.
 * @param now epoch milliseconds.
 */
export function judgeAnswer(answer: HttpAnswer, redact: (text: string) => string, now: number): Verdict {
  const { status, contentType = '', text = '' } = answer;
  const isPage = /\bhtml\b/i.test(contentType);
  if (status >= 200 && status < 300) {
    const reason = `${status} with a page for people: name the address that takes remote write, such as http://host:8428/api/v1/write`;
    return isPage ? { kind: 'refused', reason } : { kind: 'taken' };
  }
  const said = isPage ? '' : oneLine(redact(text), '');
  const describe = (advice: string) => `${status}: ${advice}${said === '' ? '' : ` (it says: ${said})`}`;
  if (status === 413) return { kind: 'too large', reason: describe('it takes no request as large as this') };
  if (passingStatuses.has(status) || status >= 500) {
    // A date is one of the receiver's clock.
    const sentAt = parseHttpDate(answer.date ?? '') ?? now;
    const waitMs = parseRetryAfter(answer.retryAfter, sentAt, longestWaitMs);
    return {
      kind: 'later',
      reason: describe(status === 429 ? 'it is sent too much' : 'it has trouble'),
      waitMs,
    };
  }
  return { kind: 'refused', reason: describe(adviseOn(status, said)) };
}

const untrusted = '--ca-file names its authority, if that is yours';
/** Faults of a connection that never get better by themselves, by the code of the error. */
const adviceByCode: ReadonlyMap<string, string> = new Map([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', untrusted],
  ['SELF_SIGNED_CERT_IN_CHAIN', untrusted],
  ['UNABLE_TO_GET_ISSUER_CERT', untrusted],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', untrusted],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', untrusted],
  ['CERT_HAS_EXPIRED', 'its certificate has expired, or the clock of this host is wrong'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another name'],
  ['EPROTO', 'no TLS is spoken there'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'no TLS is spoken there'],
]);

/** The verdict on a connection without an answer. */
export function judgeError(error: unknown, redact: (text: string) => string): Verdict {
  if (error instanceof BodyTooLargeError) return { kind: 'later', reason: 'an answer without an end' };
  const said = redact(describeError(error));
  const advice = adviceByCode.get(nameReason(error) ?? '');
  if (advice === undefined) return { kind: 'later', reason: said };
  return { kind: 'refused', reason: `nothing that can be trusted: ${advice} (${said})` };
}

const tooOld = /out of (order|bounds)|too old|older than|retention/i;

function adviseOn(status: number, said: string): string {
  if (status < 400) return 'it answers with a redirect: name the address it really has';
  switch (status) {
    case 400:
    case 422:
      return tooOld.test(said)
        ? 'it takes no samples as old as these: widen its window for them (tsdb.out_of_order_time_window of Prometheus), or begin later with --from'
        : 'it refuses what was sent';
    case 401:
    case 403:
      return 'it wants a login, or another: give it with --bearer-token-file, --basic-auth-file or --header-file';
    case 404:
    case 405:
      return 'nothing takes remote write there: Prometheus does at /api/v1/write, with --web.enable-remote-write-receiver';
    default:
      return 'it refuses what was sent';
  }
}

/** The clock and the dice of retries. */
export interface RetryTiming {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Rejects when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Answers in [0, 1). */
  readonly random: () => number;
  /** The longest that one request may take. */
  readonly requestMs: number;
}

/** The longest wait a timer can be set for. */
const longestTimerMs = 2 ** 31 - 1;

export const usualTiming: RetryTiming = {
  // A clock that is set meanwhile ends no patience.
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms, signal) => sleepFor(Math.min(Math.ceil(ms), longestTimerMs), undefined, { signal }),
  random: Math.random,
  requestMs: minuteMs,
};
