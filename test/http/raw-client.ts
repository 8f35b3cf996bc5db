import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { onTestFinished } from 'vitest';

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
  /** Waits for a number of answers. */
  untilAnswered(count: number): Promise<void>;
  /** Waits for a number of characters of answers. */
  untilTaken(length: number): Promise<void>;
  /** Takes a piece of what it is answered, and then nothing. */
  takeSome(): Promise<void>;
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
  const closed = new Promise<void>(resolve => socket.on('close', () => resolve()));
  closed.then(() => {
    open = false;
  });
  const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  const until = async (isThere: () => boolean) => {
    for (; !isThere(); await Promise.race([new Promise(resolve => socket.once('data', resolve)), closed]))
      if (!open) throw new Error(`closed after ${text.slice(0, 1000)}`);
  };
  await once(socket, isTls ? 'secureConnect' : 'connect');
  return {
    socket,
    write: written => void socket.write(written),
    text: () => text,
    statuses,
    isOpen: () => open,
    untilClosed: () => closed,
    untilAnswered: count => until(() => statuses().length >= count),
    untilTaken: length => until(() => text.length >= length),
    async takeSome() {
      socket.resume();
      await once(socket, 'data');
      socket.pause();
    },
  };
}
