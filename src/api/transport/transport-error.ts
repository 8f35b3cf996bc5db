import { errors } from 'undici';
import type { Reason } from '../../resources/reason.ts';
import { ApiError, oneLine } from '../message/api-error.ts';
import { BodyTooLargeError, UnknownEncodingError } from './response-body.ts';

const unknownAuthority =
  'the certificate of the service comes from an authority that is not known here; name that with accounts[].ca_file if it is yours, otherwise look for something in between that opens the connection';

/** Causes of failed connections, each with what to do, by the code of the error. */
const adviceByCode: ReadonlyMap<string, string> = new Map([
  [
    'CERT_HAS_EXPIRED',
    'the certificate of the service has expired; have it renewed, or set the clock of this host right',
  ],
  ['CERT_NOT_YET_VALID', 'the certificate of the service is not valid yet; set the clock of this host right'],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'the service signed its certificate itself; name that with accounts[].ca_file if it is meant to, otherwise look for something in between that opens the connection',
  ],
  ['SELF_SIGNED_CERT_IN_CHAIN', unknownAuthority],
  ['UNABLE_TO_GET_ISSUER_CERT', unknownAuthority],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', unknownAuthority],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', unknownAuthority],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'the certificate of the service is for another name; write the name it is for into base_url',
  ],
  ['EPROTO', 'no TLS is spoken there; check the port in base_url and any proxy in between'],
  [
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'no TLS is spoken there; check the port in base_url and any proxy in between',
  ],
  ['ENOTFOUND', 'its name is not known; check the host in base_url and the name service of this host'],
  ['EAI_AGAIN', 'its name cannot be looked up; check the name service of this host'],
  ['ECONNREFUSED', 'nothing listens there; check base_url, and the proxy where there is one'],
]);

/** Undefined where the code says nothing in particular. */
function connectionAdvice(code: string, message: string): string | undefined {
  const status = /^Proxy response \((\d{3})\)/.exec(message)?.[1];
  if (status === '407') return 'the proxy wants a user name and a password, or others than it was given';
  if (status !== undefined) return `the proxy does not open a tunnel (${status}); ask who runs it`;
  return adviceByCode.get(code);
}

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
  return new ApiError(reason, route, `GET ${route} failed: ${advice} (${code}: ${text})`, { advice });
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
