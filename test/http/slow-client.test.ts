import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openServer } from './open-server.ts';

/** More than the buffers of two sockets hold. */
const page = Buffer.alloc(16_000_000, 'x');
const renderMetrics = async () => ({ pieces: [page], bytes: page.length });

async function askWithoutReading(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
  });
  await once(socket, 'connect');
  socket.pause();
  socket.write('GET /metrics HTTP/1.1\r\nHost: slow\r\n\r\n');
  return socket;
}

describe('clients that take nothing of their answers', () => {
  it('all wait for the same bytes', async () => {
    const render = vi.fn(renderMetrics);
    const { server, get } = await openServer({ renderMetrics: render });
    const before = process.memoryUsage().arrayBuffers;
    await Promise.all(Array.from({ length: 20 }, () => askWithoutReading(server.url)));
    await vi.waitFor(() => expect(render).toHaveBeenCalledTimes(20), 10_000);
    expect((await get('/-/healthy')).status).toBe(200);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(page.length);
  });

  it('lose their connection after a while', async () => {
    const { server } = await openServer({ renderMetrics, stalledAfterMs: 200 });
    const socket = await askWithoutReading(server.url);
    // Nothing tells a client that does not read that it was left.
    await sleep(1000);
    let received = 0;
    socket.on('error', () => {});
    socket.on('data', chunk => {
      received += chunk.length;
    });
    socket.resume();
    await once(socket, 'close');
    expect(received).toBeLessThan(page.length);
  });
});
