import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Has a server listen on a free port of loopback. */
export async function listenOnLoopback(server: Server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    /** Ends its connections too. */
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
