import { errors } from 'undici';
import type { Reason } from '../../resources/reason.ts';
import { ApiError } from '../message/api-error.ts';
import { oneLine } from '../message/one-line.ts';
import { connectionAdvice } from './connection-advice.ts';
import { BodyTooLargeError, UnknownEncodingError } from './response-body.ts';

/** An exchange that took longer in all than it may. */
export class TotalTimeoutError extends Error {
  readonly code = 'TOTAL_TIMEOUT';
}

const reasonByCode: ReadonlyMap<string, Reason> = new Map([
  ['TOTAL_TIMEOUT', 'timeout'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
  ['UND_ERR_BODY_TIMEOUT', 'timeout'],
  ['ETIMEDOUT', 'timeout'],
  ['UND_ERR_HEADERS_OVERFLOW', 'too_large'],
]);

/** The ApiError for what went wrong between two ends of a connection; anything else is a fault of ours and is thrown again. */
export function transportError(
  error: unknown,
  route: string,
  apiKey: string,
  maxBodyBytes: number,
): ApiError {
  if (error instanceof BodyTooLargeError) {
    const message = `GET ${route} answers with more than ${maxBodyBytes} bytes, which are not read`;
    return new ApiError('too_large', route, message);
  }
  if (error instanceof UnknownEncodingError) {
    const message = `GET ${route} answers in a content coding that was not asked for; look for a proxy that adds it`;
    return new ApiError('malformed', route, message);
  }
  const code = errorCode(error);
  if (code === undefined) throw error;
  const reason = reasonByCode.get(code) ?? (isCorruptCompression(code) ? 'malformed' : 'network');
  const text = error instanceof Error ? oneLine(error.message, apiKey) : '';
  const advice = (reason === 'network' && connectionAdvice(code, text)) || transportAdvice(reason);
  return new ApiError(reason, route, `GET ${route} failed: ${advice} (${code}: ${text})`);
}

function transportAdvice(reason: Reason): string {
  switch (reason) {
    case 'timeout':
      return 'the service did not answer in time; check base_url, the network and any proxy in between';
    case 'too_large':
      return 'the service sends larger headers than any client reads; check that base_url is that of the API';
    case 'malformed':
      return 'the answer cannot be decompressed; look for a proxy that damages it';
    default:
      return 'the connection failed or broke; check base_url and that the service can be reached from here';
  }
}

/** Z_BUF_ERROR is the one for data that end too early, which is a torn body and not a corrupt one. */
function isCorruptCompression(code: string): boolean {
  return /^(Z_|ERR_BROTLI|ERR__ERROR_FORMAT)/.test(code) && code !== 'Z_BUF_ERROR';
}

function errorCode(error: unknown): string | undefined {
  if (error instanceof errors.HTTPParserError) return 'no HTTP/1.1';
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
