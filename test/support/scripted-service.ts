import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

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
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    base_url: `http://127.0.0.1:${port}/api/v2/`,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
