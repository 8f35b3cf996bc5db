import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Fault } from './faults.ts';

const compress = promisify(gzip);
const worthCompressingBytes = 1024;

/** Sends JSON, compressed if it is large and the client accepts gzip. Headers that are already set stay. */
export async function replyJson(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  let bytes: Buffer = Buffer.from(JSON.stringify(body));
  const isCompressed = bytes.length > worthCompressingBytes && acceptsGzip(request);
  if (isCompressed) bytes = await compress(bytes, { level: 1 });
  setMissingHeaders(response, {
    'content-type': 'application/json; charset=utf-8',
    vary: 'accept-encoding',
    ...(isCompressed && { 'content-encoding': 'gzip' }),
    ...headers,
  });
  response.writeHead(status, { 'content-length': bytes.length });
  response.end(bytes);
}

/** Sets those headers that the response does not have yet. */
export function setMissingHeaders(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!response.hasHeader(name)) response.setHeader(name, value);
  }
}

/** Sends the answer of a fault as it is. */
export function replyFault(response: ServerResponse, fault: Fault): void {
  const bytes = Buffer.from(fault.body ?? '');
  const headers = { 'content-type': 'application/json', ...fault.headers };
  const status = fault.status ?? 200;
  if (fault.close && bytes.length === 0) {
    response.destroy();
  } else if (fault.close) {
    response.writeHead(status, { ...headers, 'content-length': bytes.length });
    response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => response.destroy());
  } else {
    const hasLength = status !== 204 && status !== 304;
    response.writeHead(status, { ...(hasLength && { 'content-length': bytes.length }), ...headers });
    response.end(bytes);
  }
}

function acceptsGzip(request: IncomingMessage): boolean {
  const accepted = String(request.headers['accept-encoding'] ?? '').toLowerCase();
  return accepted.split(',').some(item => /^\s*(gzip|\*)\s*(;(?!\s*q=0(\.0*)?\s*$).*)?$/.test(item));
}
