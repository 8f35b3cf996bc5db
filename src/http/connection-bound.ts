import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { TurnedAwayReason } from '../resources/web-access.ts';

interface Connection {
  readonly socket: Socket;
  /** Requests that are being answered. */
  underWay: number;
  /** Since when it is being answered, without a pause. */
  busySince: number;
}

/** An answer that takes longer is not waited for when its place is wanted. */
const patienceMs = 2000;

/**
 * Keeps the number of connections within a bound. A new one takes the place of the oldest that never asked to the end, or
 * else of the one that has been idle for longest since it was answered; connecting alone locks no client out.
 */
export class ConnectionBound {
  readonly #most: number;
  readonly #onTurnedAway: (reason: TurnedAwayReason) => void;
  readonly #now: () => number;
  readonly #connections = new Map<unknown, Connection>();
  /** Connections that never asked, that were answered, and that are being answered, in the order in which they came to be so. */
  readonly #silent = new Set<Connection>();
  readonly #kept = new Set<Connection>();
  readonly #busy = new Set<Connection>();

  /** @param now milliseconds of a clock that never steps. */
  constructor(most: number, onTurnedAway: (reason: TurnedAwayReason) => void, now: () => number) {
    this.#most = most;
    this.#onTurnedAway = onTurnedAway;
    this.#now = now;
  }

  /** Takes every connection of the server from now on into account. */
  follow(server: Server): void {
    server.prependListener('connection', socket => this.#open(socket));
  }

  /**
   * Takes down that a request is being answered.
   *
   * @returns what to call when it was.
   */
  begin(socket: Socket): () => void {
    const connection = this.#connections.get(keyOf(socket));
    if (connection === undefined) return () => {};
    if (connection.underWay === 0) {
      connection.busySince = this.#now();
      this.#forget(connection);
      this.#busy.add(connection);
    }
    connection.underWay += 1;
    return () => this.#end(connection);
  }

  #open(socket: Socket): void {
    const { size: silent } = this.#silent;
    if (silent + this.#kept.size + this.#busy.size >= this.#most && !this.#makeRoom()) {
      this.#onTurnedAway('connection_refused');
      socket.destroy();
      return;
    }
    const connection = { socket, underWay: 0, busySince: 0 };
    const key = keyOf(socket);
    this.#connections.set(key, connection);
    this.#silent.add(connection);
    socket.once('close', () => {
      this.#forget(connection);
      if (this.#connections.get(key) === connection) this.#connections.delete(key);
    });
  }

  #end(connection: Connection): void {
    connection.underWay -= 1;
    if (connection.underWay > 0 || !this.#busy.delete(connection)) return;
    this.#kept.add(connection);
  }

  #makeRoom(): boolean {
    const [idle] = [...this.#silent.values().take(1), ...this.#kept.values().take(1)];
    const [busy] = this.#busy;
    const isSlow = busy !== undefined && this.#now() - busy.busySince > patienceMs;
    const chosen = idle ?? (isSlow ? busy : undefined);
    if (chosen === undefined) return false;
    this.#onTurnedAway('connection_replaced');
    this.#forget(chosen);
    chosen.socket.destroy();
    return true;
  }

  #forget(connection: Connection): void {
    for (const each of [this.#silent, this.#kept, this.#busy]) each.delete(connection);
  }
}

/** With TLS, requests come over another socket than the one that was opened: both have the same addresses. */
function keyOf(socket: Socket): unknown {
  const { remoteAddress, remotePort, localAddress, localPort } = socket;
  return remotePort === undefined ? socket : `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
