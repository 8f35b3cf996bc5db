import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveTasks } from '../process/task.ts';

/** Sends the same bytes to everyone, with the headers of the exporter; gives their address. */
async function start(gzip: Uint8Array): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, {
      'X-Content-Type-Options': 'nosniff',
      'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
      'Content-Length': gzip.length,
      'Content-Encoding': 'gzip',
      Vary: 'Accept, Accept-Encoding',
      'Cache-Control': 'no-store',
    });
    response.end(gzip);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`;
}

const tasks = { start };
export type BareHttpTasks = typeof tasks;

serveTasks(tasks);
