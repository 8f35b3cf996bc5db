import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnLoopback } from './loopback-server.ts';

export interface ReceivedRequest {
  /** Path and query as they came over the wire. */
  readonly target: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly remotePort: number | undefined;
}

export type Script = (request: ReceivedRequest, response: ServerResponse, count: number) => void;

/** A loopback HTTP server that answers as `script` says (`count` is 1 for the first request) and keeps what it received. */
export async function startScriptedService(script: Script) {
  const requests: ReceivedRequest[] = [];
  const server = createServer((incoming, response) => {
    // The test's clock is not this host's: a date is sent only where a test sets one.
    response.sendDate = false;
    const target = incoming.url ?? '';
    const { headers, socket } = incoming;
    const url = new URL(target, 'http://service');
    const request = { target, url, headers, remotePort: socket.remotePort };
    requests.push(request);
    script(request, response, requests.length);
  });
  const { url, close } = await listenOnLoopback(server);
  return { base_url: `${url}/api/v2/`, requests, close };
}

export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
