import { hashSync } from 'bcrypt';
import { describe, expect, it } from 'vitest';
import { HttpServer } from '../../src/http/server.ts';
import { openAccess } from '../../src/resources/web-access.ts';
import { findFreePort } from '../support/free-port.ts';
import { openServer } from './open-server.ts';

const loopback = { host: '127.0.0.1', port: 0 };
const users = new Map([['alice', hashSync('open', 4)]]);

async function openProbed(options: Parameters<typeof openServer>[0] = {}) {
  const { server, get } = await openServer({ healthListen: [loopback], ...options });
  const statusOf = async (path: string, init: RequestInit = {}) =>
    (await fetch(server.healthUrls[0] + path, init)).status;
  return { server, get, statusOf };
}

describe('a place for probes', () => {
  it('tells without a login what the others tell after one', async () => {
    const { get, statusOf } = await openProbed({ access: () => ({ ...openAccess, users }) });
    expect((await get('/-/healthy')).status).toBe(401);
    expect([await statusOf('/-/healthy'), await statusOf('/-/ready')]).toEqual([200, 200]);
  });

  it('is no place for anything else', async () => {
    const { statusOf } = await openProbed({ reload: async () => [] });
    for (const path of ['/', '/metrics', '/-/reload', '/-/healthy/', '/-/%68ealthy', '/nowhere']) {
      expect(await statusOf(path), path).toBe(404);
    }
    expect(await statusOf('/-/reload', { method: 'POST' })).toBe(404);
    expect(await statusOf('/-/healthy', { method: 'POST' })).toBe(405);
  });

  it('knows no rate limit', async () => {
    const rateLimit = { burst: 1, intervalMs: 3_600_000 };
    const { get, statusOf } = await openProbed({ access: () => ({ ...openAccess, rateLimit }) });
    expect([(await get('/-/ready')).status, (await get('/-/ready')).status]).toEqual([200, 429]);
    for (let count = 0; count < 20; count++) expect(await statusOf('/-/healthy')).toBe(200);
  });

  it('answers while every connection elsewhere is taken', async () => {
    const asked = Promise.withResolvers<void>();
    const rendered = Promise.withResolvers<never>();
    const renderMetrics = () => {
      asked.resolve();
      return rendered.promise;
    };
    const { get, statusOf } = await openProbed({ mostConnections: 1, renderMetrics });
    const scrape = get('/metrics').catch(() => {});
    await asked.promise;
    await expect(get('/-/healthy')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await statusOf('/-/healthy')).toBe(200);
    rendered.reject(new Error('the end'));
    await scrape;
  });

  it('says that it is not ready while it drains, is healthy all the same, and closes with the rest', async () => {
    const { server, statusOf } = await openProbed();
    server.drain();
    expect([await statusOf('/-/ready'), await statusOf('/-/healthy')]).toEqual([503, 200]);
    await server.close();
    await expect(statusOf('/-/healthy')).rejects.toThrow('fetch failed');
  });

  it('that is taken leaves nothing open', async () => {
    const taken = await openServer();
    const port = Number(new URL(taken.server.url).port);
    const free = { host: '127.0.0.1', port: await findFreePort() };
    const options = { ...taken.options, listen: [free], healthListen: [{ host: '127.0.0.1', port }] };
    await expect(HttpServer.start(options)).rejects.toThrow('EADDRINUSE');
    await expect(fetch(`http://127.0.0.1:${free.port}/-/healthy`)).rejects.toMatchObject({
      cause: { code: 'ECONNREFUSED' },
    });
  });
});
