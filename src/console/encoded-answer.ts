import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { MadePage } from '../http/console-answer.ts';
import type { PageQuestion } from './page.ts';
import type { PageProblem } from './page-problem.ts';

const compress = promisify(gzip);

/** An answer before it is encoded. */
export interface Content {
  readonly status: number;
  readonly type: string;
  readonly text: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Nothing from elsewhere, nothing inline, nothing evaluated, and in no frame. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const pageHeaders = {
  'Content-Security-Policy': contentSecurityPolicy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  Vary: 'Accept-Encoding',
};

/** Smaller answers do not gain by it. */
const leastGzipBytes = 1000;

/** An answer with its validator and headers, compressed where the reader takes that; 304 where it is known already. */
export async function encode(
  { status, type, text, headers: own }: Content,
  question: PageQuestion,
  caching: string,
): Promise<MadePage> {
  const plain = typeof text === 'string' ? Buffer.from(text) : text;
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  const headers = { ...pageHeaders, ...own, 'Content-Type': type, 'Cache-Control': caching, ETag: etag };
  if (status === 200 && isKnown(question.ifNoneMatch, etag)) {
    return { status: 304, headers, body: new Uint8Array() };
  }
  const isCompressed = type.startsWith('font/');
  if (isCompressed || !question.acceptsGzip || plain.byteLength < leastGzipBytes)
    return { status, headers, body: plain };
  return { status, headers: { ...headers, 'Content-Encoding': 'gzip' }, body: await compress(plain) };
}

/** Weak comparison, as RFC 9110 has it for this header. */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = ifNoneMatch?.split(',').map(each => each.trim().replace(/^W\//, '')) ?? [];
  return known.includes('*') || known.includes(etag.replace(/^W\//, ''));
}

const problemType = 'application/problem+json; charset=utf-8';

/** A problem as RFC 9457 has it. */
export function problemContent(
  { status, title, message, possible }: PageProblem,
  more: object = {},
): Content {
  const addresses = possible.map(each => (typeof each === 'string' ? each : each.address));
  const text = JSON.stringify({
    ...{ type: 'about:blank', title, status, detail: message, possible: addresses },
    ...more,
  });
  return { status, type: problemType, text };
}
