import { describe, expect, it } from 'vitest';
import { largePage, openServer } from './open-server.ts';
import { connectRaw, type RawClient } from './raw-client.ts';

async function askWithoutReading(url: string): Promise<RawClient> {
  const client = await connectRaw(url);
  client.socket.pause();
  client.write('GET /metrics HTTP/1.1\r\nHost: slow\r\n\r\n');
  return client;
}

describe('clients that take nothing of their answers', () => {
  it('all wait for the same bytes', async () => {
    const { page, renderMetrics, untilSent, memories, mostWaiting } = largePage();
    const { server, get } = await openServer({ renderMetrics });
    await Promise.all(Array.from({ length: 20 }, () => askWithoutReading(server.url)));
    await untilSent(20);
    expect((await get('/-/healthy')).status).toBe(200);
    expect(memories()).toEqual([page.buffer]);
    expect(mostWaiting()).toBeLessThan(500_000);
  });

  it('lose their connection after a while', async () => {
    const { page, renderMetrics } = largePage();
    const lost = Promise.withResolvers<void>();
    const { server } = await openServer({
      renderMetrics: async () => ({ ...(await renderMetrics()), done: lost.resolve }),
      stalledAfterMs: 50,
    });
    const client = await askWithoutReading(server.url);
    // Nothing tells a client that does not read that it was left.
    await lost.promise;
    client.socket.resume();
    await client.untilClosed();
    expect(client.text().length).toBeLessThan(page.length);
  });
});
