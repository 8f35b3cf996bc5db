import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../support/free-port.ts';
import type { BenchRun } from '../bench-run.ts';
import { type Child, serveTasks, startChild } from './child.ts';

export interface Nginx {
  /** Puts a page that is gzip already where nginx finds it, and tells where it is served. */
  serve(name: string, gzip: Uint8Array): string;
}

const binary = '/usr/sbin/nginx';
const startTimeoutMs = 30_000;

/** An nginx that sends files as they are, or undefined, with a remark, where there is none. */
export async function startNginx(run: BenchRun): Promise<Nginx | undefined> {
  if (!existsSync(binary)) {
    run.remark('skipped: nginx not found (Debian package nginx-light)');
    return undefined;
  }
  const folder = run.openFolder();
  const port = await findFreePort();
  const configFile = join(folder, 'nginx.conf');
  writeFileSync(configFile, renderConfig(folder, port));
  const child = spawn(binary, ['-p', folder, '-c', configFile, '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', chunk => {
    log += chunk;
  });
  const killed = () => child.kill('SIGKILL');
  process.once('exit', killed);
  const exited = once(child, 'exit');
  run.onEnd(() => {
    process.off('exit', killed);
    child.kill('SIGTERM');
    return exited;
  });
  const endsAt = performance.now() + startTimeoutMs;
  while (!(await isListening(port))) {
    if (child.exitCode !== null || performance.now() > endsAt) throw new Error(`nginx did not start: ${log}`);
    await sleep(20);
  }
  return {
    serve(name, gzip) {
      writeFileSync(join(folder, name), gzip);
      return `http://127.0.0.1:${port}/${name}`;
    },
  };
}

/** One process, so that ending it leaves no worker behind. */
function renderConfig(folder: string, port: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `daemon off;
master_process off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 256; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000;
  open_file_cache max=16;
  default_type "text/plain; version=0.0.4; charset=utf-8";
  ${temporary.map(kind => `${kind}_temp_path ${folder}/${kind};`).join(' ')}
  server {
    listen 127.0.0.1:${port};
    location / { root ${folder}; add_header Content-Encoding gzip; add_header Vary "Accept, Accept-Encoding"; }
  }
}
`;
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** A process with node:http alone, which is given its bytes when it starts. */
export function startBareHttp(run: BenchRun): Child<typeof tasks> {
  return startChild(run, import.meta.url);
}

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
if (import.meta.main) serveTasks(tasks);
