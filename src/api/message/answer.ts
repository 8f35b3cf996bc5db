import { parseHttpDate, parseRetryAfter } from '../pacing/retry-timing.ts';
import type { DatedAnswer } from '../pacing/service-clock.ts';
import type { HttpAnswer } from '../transport/exchange.ts';
import { ApiError, oneLine } from './api-error.ts';
import { statusError } from './status-error.ts';

/** A JSON document of the service. */
export interface ServedDocument {
  readonly body: unknown;
  /** Epoch milliseconds by the clock of the service. */
  readonly servedAt: number;
}

interface AnswerContext {
  readonly route: string;
  /** The key sent along, which must not come back in a message. */
  readonly apiKey: string;
  /** Epoch milliseconds by our clock, when the answer came. */
  readonly now: number;
  /** The organisation that lists are asked for; absent where none is set. */
  readonly org_id?: string | undefined;
  /** The longest that the service may ask to wait. */
  readonly longestPauseMs: number;
}

/** The statuses with which a service may ask to wait; with others the header is a mistake of something in between. */
const waitingStatuses: readonly number[] = [423, 429, 503];

/** The document in an answer, or the ApiError that says why it is unusable. */
export function readAnswer(
  { status, date = '', retryAfter, contentType = 'none', text = '' }: HttpAnswer,
  { route, apiKey, org_id, now, longestPauseMs }: AnswerContext,
): DatedAnswer | ApiError {
  const servedAt = parseHttpDate(date);
  if (status < 200 || status > 299) {
    // A date in Retry-After is one of the service's clock, so the wait is measured on that clock too.
    const asked = waitingStatuses.includes(status) ? retryAfter : undefined;
    const waitMs = parseRetryAfter(asked, servedAt ?? now, longestPauseMs);
    const retryAt = waitMs === undefined ? undefined : now + waitMs;
    return statusError({ route, status, detail: errorDetail(text, apiKey), org_id, retryAt });
  }
  if (!isWithinBounds(text)) {
    const message = `${status} from GET ${route} holds millions of values or hundreds of levels, which are not read`;
    return new ApiError('too_large', route, message, { status });
  }
  try {
    return { body: JSON.parse(text) as unknown, ...(servedAt !== undefined && { servedAt }) };
  } catch {
    const advice = 'check that base_url is that of the API and not of a web page';
    const message = `${status} from GET ${route} is not JSON (content type: ${oneLine(contentType, apiKey)}): ${advice}`;
    return new ApiError('malformed', route, message, {
      status,
      advice: `what answers sends no JSON; ${advice}`,
    });
  }
}

/**
 * The sentence of an error body: `{"request_id","code","message"}`, each optional, as seen on live services.
 * Undefined for anything else, such as the HTML page of a gateway.
 */
function errorDetail(text: string, apiKey: string): string | undefined {
  const body = parseObject(text);
  if (body === undefined) return undefined;
  const parts = (['message', 'code', 'request_id'] as const).flatMap(key => {
    const value = body[key];
    const said = typeof value === 'string' ? oneLine(value, apiKey) : '';
    if (said === '') return [];
    return key === 'message' ? [said] : [`${key} ${said}`];
  });
  return parts.length === 0 ? undefined : parts.join(', ');
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** The most that an honest answer of the service holds. */
interface JsonBounds {
  /** Objects, lists, and values in them. */
  readonly values: number;
  readonly depth: number;
}

/** Some hundred thousand items with all their fields: about 200 MB once they are parsed. */
const usualBounds: JsonBounds = { values: 3_000_000, depth: 200 };

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * Whether a JSON text is within its bounds, found without parsing it: a few bytes of text can take fifty in memory, so
 * that the size of the text alone says little.
 */
export function isWithinBounds(text: string, { values: most, depth: deepest } = usualBounds): boolean {
  let values = 0;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) index = findTextEnd(text, index);
    else if (code === comma) values += 1;
    else if (code === openList || code === openObject) {
      values += 1;
      depth += 1;
      if (depth > deepest) return false;
    } else if (code === closeList || code === closeObject) depth -= 1;
    if (values > most) return false;
  }
  return true;
}

/** The place of the quote that ends the text that a quote begins; the end of all where there is none. */
function findTextEnd(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}
