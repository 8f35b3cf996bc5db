import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openServer } from './open-server.ts';

function keepAliveAgent(): Agent {
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  return agent;
}

async function measureMs(run: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

/** After a second and a half what is left is cut off: whoever waited for that took longer. */
const beforeCutMs = 1400;

describe('closing', () => {
  it('does not wait for connections that are kept alive without a request', async () => {
    const { server, get } = await openServer();
    const { headers } = await get('/metrics', {}, { agent: keepAliveAgent() });
    expect(headers.connection).toBe('keep-alive');
    expect(await measureMs(() => server.close())).toBeLessThan(beforeCutMs);
  });

  it('lets an answer under way finish, then closes its connection without waiting for more', async () => {
    const asked = Promise.withResolvers<void>();
    const rendered = Promise.withResolvers<void>();
    const { server, get } = await openServer({
      async renderMetrics() {
        asked.resolve();
        await rendered.promise;
        return { pieces: [Buffer.from('late\n')], bytes: 5 };
      },
    });
    const answer = get('/metrics', {}, { agent: keepAliveAgent() });
    await asked.promise;
    const closed = measureMs(() => server.close());
    rendered.resolve();
    expect((await answer).body).toBe('late\n');
    expect(await closed).toBeLessThan(beforeCutMs);
  });

  it('ends connections that never finish their request after a moment', async () => {
    const { server, get } = await openServer();
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    await new Promise(resolve => socket.write('GET /metrics HTTP/1.1\r\nHost: half', resolve));
    await get('/-/healthy');
    expect(await measureMs(() => server.close())).toBeLessThan(10_000);
  });

  it('twice is closing once', async () => {
    const { server } = await openServer();
    await Promise.all([server.close(), server.close()]);
    await server.close();
  });

  it('takes no new connection', async () => {
    const { server, get } = await openServer();
    await server.close();
    await expect(get('/metrics')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
