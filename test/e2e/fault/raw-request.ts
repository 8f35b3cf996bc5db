import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection to a server, for what no client would send. */
export async function openConnection(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** No answer takes longer to begin, or to go on, on the busiest machine. */
const longestSilenceMs = 30_000;
/** Nothing more comes once all is there that should come, and then nothing for so long. */
const quietMs = 300;

/**
 * Sends bytes on a connection of their own.
 *
 * @param isWhole whether this is all that should come; unless told, whatever came first.
 * @returns all that comes until it ends or nothing more comes.
 */
export async function exchangeRaw(
  url: string,
  bytes: string | Buffer,
  isWhole: (text: string) => boolean = () => true,
): Promise<string> {
  const socket = await openConnection(url);
  const pieces: Buffer[] = [];
  const text = () => Buffer.concat(pieces).toString('latin1');
  socket.setTimeout(longestSilenceMs, () => socket.destroy());
  socket.on('data', piece => {
    pieces.push(piece);
    if (isWhole(text())) socket.setTimeout(quietMs);
  });
  const closed = new Promise(resolve => socket.once('close', resolve));
  socket.write(bytes);
  await closed;
  return text();
}

/**
 * Sends bytes on a connection of their own.
 *
 * @param expected the statuses that are waited for.
 * @returns the statuses of the answers, each with how often it came.
 */
export async function sendRaw(url: string, bytes: string | Buffer, expected: string): Promise<string> {
  return countStatuses(await exchangeRaw(url, bytes, text => countStatuses(text) === expected));
}

function countStatuses(text: string): string {
  const counts = new Map<string, number>();
  for (const [, status = ''] of text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)) {
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  const parts = [...counts].map(([status, count]) => (count === 1 ? status : `${count} × ${status}`));
  return parts.join(', ') || 'the connection is closed';
}
