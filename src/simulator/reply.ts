import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Fault } from './faults.ts';

const compress = promisify(gzip);
const worthCompressingBytes = 1024;

/** Sends JSON, compressed if it is large and the client accepts gzip. */
export async function replyJson(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  let bytes: Buffer = Buffer.from(JSON.stringify(body));
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('vary', 'accept-encoding');
  if (bytes.length > worthCompressingBytes && acceptsGzip(request)) {
    bytes = await compress(bytes, { level: 1 });
    response.setHeader('content-encoding', 'gzip');
  }
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  response.end(bytes);
}

/** Sends what a fault says as it is. */
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
