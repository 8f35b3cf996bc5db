import { Agent } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { heldPages, openServer } from './open-server.ts';
import { connectRaw } from './raw-client.ts';

function keepAliveAgent(): Agent {
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  return agent;
}

/** What is left after it is cut off. */
const cutAfterMs = 1500;

describe('closing', () => {
  // It never comes to the cut unless a test says so.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('does not wait for connections that are kept alive without a request', async () => {
    const { server, get } = await openServer();
    const { headers } = await get('/metrics', {}, { agent: keepAliveAgent() });
    expect(headers.connection).toBe('keep-alive');
    await server.close();
  });

  it('lets an answer under way finish, then closes its connection without waiting for more', async () => {
    const { renderMetrics, asked, release } = heldPages();
    const { server, get } = await openServer({ renderMetrics });
    const answer = get('/metrics', {}, { agent: keepAliveAgent() });
    await asked;
    const closed = server.close();
    vi.advanceTimersByTime(cutAfterMs - 1);
    release();
    expect((await answer).body).toBe('late\n');
    await closed;
  });

  it('ends connections that never finish their request after a moment', async () => {
    const { server, get } = await openServer();
    const half = await connectRaw(server.url);
    await new Promise(resolve => half.socket.write('GET /metrics HTTP/1.1\r\nHost: half', resolve));
    await get('/-/healthy');
    const closed = server.close();
    vi.advanceTimersByTime(cutAfterMs - 1);
    await setImmediate();
    expect(half.isOpen()).toBe(true);
    vi.advanceTimersByTime(1);
    await Promise.all([closed, half.untilClosed()]);
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
