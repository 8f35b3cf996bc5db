import { createServer } from 'node:http';
import { connect } from 'node:net';
import { listenOnLoopback } from './loopback-server.ts';

/** A proxy on loopback that opens tunnels, and keeps what it was asked for: `host:port`, with the login it was given. */
export async function startTunnelProxy({ login }: { readonly login?: string } = {}) {
  const asked: { readonly target: string; readonly login: string | undefined }[] = [];
  const server = createServer((_, response) => void response.writeHead(405).end());
  server.on('connect', (request, socket, head) => {
    const given = request.headers['proxy-authorization']?.replace('Basic ', '');
    const decoded = given === undefined ? undefined : Buffer.from(given, 'base64').toString();
    asked.push({ target: request.url ?? '', login: decoded });
    socket.on('error', () => {});
    if (decoded !== login) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    const [, port = ''] = /:(\d+)$/.exec(request.url ?? '') ?? [];
    const upstream = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('close', () => upstream.destroy());
  });
  return { ...(await listenOnLoopback(server)), asked };
}
