import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A page of metrics that stands in for that of a daemon: one gauge of account `main`, which is 1 until it is shown otherwise. */
export async function standIn(metric: string) {
  let shown = 1;
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/plain; version=0.0.4');
    response.end(`# TYPE ${metric} gauge\n${metric}{account="main"} ${shown}\n`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/metrics`,
    show: (value: number) => {
      shown = value;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
