import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port that was free a moment ago: not every program says which one it took when it is given 0. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  server.close();
  await once(server, 'close');
  return port;
}
