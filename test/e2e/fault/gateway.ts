import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { SecureContextOptions } from 'node:tls';
import { findFreePort } from '../../support/free-port.ts';

/** Gives the answer of the service, changed by `change` where there is one. */
export type Pass = (change?: (answer: Answer) => Answer) => void;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** How a request is dealt with that came in. */
export type Misbehavior = (incoming: IncomingMessage, response: ServerResponse, pass: Pass) => void;

/** What stands between the exporter and a service, and does to its requests whatever networks and services do. */
export interface Gateway {
  readonly base_url: string;
  /** Waits for a moment between two polls; a busy machine may have none for long. */
  untilIdle(): Promise<void>;
  /** Deals so with requests from now on; without an argument as the service itself does. */
  misbehave(how?: Misbehavior): void;
  /** Does this with every connection from now on, and with those there are; without an argument nothing. */
  disconnect(how?: (socket: Socket) => void): void;
  /** Listens no more, until it does again. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
  /** Shows another certificate on new connections; those there are are closed. */
  present(identity: SecureContextOptions): void;
  close(): Promise<void>;
}

interface GatewayOptions {
  /** The root of the service, with the version segment and a last slash. */
  readonly service: string;
  /** The name in its address. */
  readonly host?: string;
  /** Speaks TLS with this certificate. */
  readonly identity?: SecureContextOptions;
}

export async function startGateway({
  service,
  host = '127.0.0.1',
  identity,
}: GatewayOptions): Promise<Gateway> {
  const agent = new Agent({ keepAlive: true });
  let misbehavior: Misbehavior | undefined;
  let onSocket: ((socket: Socket) => void) | undefined;
  const idleness = new Idleness();
  const handle = (incoming: IncomingMessage, response: ServerResponse) => {
    idleness.begin();
    response.once('close', () => idleness.end());
    const pass: Pass = change =>
      forward(new URL(incoming.url ?? '', service), agent, incoming, response, change);
    if (misbehavior === undefined) pass();
    else misbehavior(incoming, response, pass);
  };
  const server: Server = identity === undefined ? createServer(handle) : createSecureServer(identity, handle);
  // As in front of live services: a reused connection does not run into a close.
  server.keepAliveTimeout = 75_000;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => {});
    onSocket?.(socket);
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  // It may listen no more for a while, and no other program is to have its port then.
  const port = await findFreePort();
  await listen(port);
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const refuse = async () => {
    const closed = once(server, 'close');
    server.close();
    cut();
    await closed;
  };
  return {
    base_url: `${identity === undefined ? 'http' : 'https'}://${host}:${port}${new URL(service).pathname}`,
    untilIdle: () => idleness.wait(),
    misbehave(how) {
      misbehavior = how;
    },
    disconnect(how) {
      onSocket = how;
      if (how !== undefined) for (const socket of sockets) how(socket);
    },
    refuse,
    accept: () => listen(port),
    present(next) {
      if ('setSecureContext' in server && typeof server.setSecureContext === 'function')
        server.setSecureContext(next);
      cut();
    },
    async close() {
      agent.destroy();
      if (server.listening) await refuse();
    },
  };
}

/** Longer than one request of a poll comes after the other. */
const idleMs = 300;
const longestWaitMs = 20_000;

/** Follows whether requests are under way. */
class Idleness {
  #underWay = 0;
  #changedAt = 0;

  begin(): void {
    this.#underWay += 1;
    this.#changedAt = performance.now();
  }

  end(): void {
    this.#underWay -= 1;
    this.#changedAt = performance.now();
  }

  async wait(): Promise<void> {
    const untilAt = performance.now() + longestWaitMs;
    const isIdle = () => this.#underWay === 0 && performance.now() - this.#changedAt >= idleMs;
    while (!isIdle() && performance.now() < untilAt) await pause(20);
  }
}

function forward(
  url: URL,
  agent: Agent,
  incoming: IncomingMessage,
  response: ServerResponse,
  change?: (answer: Answer) => Answer,
): void {
  // What is to be changed comes as it is.
  const { 'accept-encoding': _encoding, ...asked } = incoming.headers;
  const outgoing = request(url, { agent, method: incoming.method ?? 'GET', headers: asked });
  outgoing.on('error', () => response.destroy());
  outgoing.on('response', async served => {
    const pieces: Buffer[] = [];
    for await (const piece of served) pieces.push(piece);
    const {
      'content-length': _length,
      'transfer-encoding': _coding,
      connection: _connection,
      ...headers
    } = served.headers;
    const answer = { status: served.statusCode ?? 0, headers, body: Buffer.concat(pieces).toString() };
    const { status, headers: shown, body } = change?.(answer) ?? answer;
    for (const [name, value] of Object.entries(shown))
      if (value !== undefined) response.setHeader(name, value);
    response.writeHead(status).end(body);
  });
  outgoing.end();
}
