import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A client that has asked and takes next to nothing of its answer. */
export interface SlowReader {
  readonly socket: Socket;
  /** Bytes that it has taken. */
  taken(): number;
  isOpen(): boolean;
}

/**
 * Connects, asks for a path without compression, and takes at most a chunk of the answer a second.
 *
 * @param path empty for a client that never asks.
 * @param chunkPauseMs the pause before each chunk; 0 to take none at all.
 */
export async function startSlowReader(
  url: string,
  path = '/metrics',
  chunkPauseMs = 1000,
): Promise<SlowReader> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  let open = true;
  let taken = 0;
  socket.on('error', () => {});
  socket.on('close', () => {
    open = false;
  });
  await once(socket, 'connect');
  if (path !== '') socket.write(`GET ${path} HTTP/1.1\r\nHost: slow\r\n\r\n`);
  socket.on('data', chunk => {
    taken += chunk.length;
    socket.pause();
    if (chunkPauseMs > 0) setTimeout(() => socket.resume(), chunkPauseMs).unref();
  });
  if (chunkPauseMs === 0) socket.pause();
  return { socket, taken: () => taken, isOpen: () => open };
}
