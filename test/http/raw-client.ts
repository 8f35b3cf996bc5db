import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { onTestFinished, vi } from 'vitest';

/** A client that writes what it likes, and keeps what it is answered. */
export interface RawClient {
  readonly socket: Socket;
  write(text: string): void;
  /** All that was answered so far. */
  text(): string;
  /** The status of each answer so far. */
  statuses(): number[];
  isOpen(): boolean;
  /** Waits until the connection is closed. */
  untilClosed(): Promise<void>;
  /** Waits for so many answers. */
  untilAnswered(count: number): Promise<void>;
}

/** Connects to a server on loopback, with TLS where its URL says so; the connection ends with the test. */
export async function connectRaw(url: string): Promise<RawClient> {
  const { port, protocol } = new URL(url);
  const isTls = protocol === 'https:';
  const socket = isTls
    ? connectTls({ port: Number(port), host: '127.0.0.1', rejectUnauthorized: false })
    : connect(Number(port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  let open = true;
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    open = false;
  });
  const client: RawClient = {
    socket,
    write: written => void socket.write(written),
    text: () => text,
    statuses: () => [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status)),
    isOpen: () => open,
    untilClosed: () => vi.waitFor(() => void (open && raise('open')), patience),
    untilAnswered: count =>
      vi.waitFor(() => void (client.statuses().length < count && raise(text)), patience),
  };
  await once(socket, isTls ? 'secureConnect' : 'connect');
  return client;
}

const patience = { timeout: 30_000, interval: 5 };

function raise(message: string): never {
  throw new Error(message);
}
