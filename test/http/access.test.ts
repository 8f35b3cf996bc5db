import { hashSync } from 'bcrypt';
import { describe, expect, it } from 'vitest';
import { TokenBucket } from '../../src/http/doorkeeper.ts';
import { openAccess, type WebAccess } from '../../src/resources/web-access.ts';
import { openServer } from './open-server.ts';

const users = new Map([['alice', hashSync('open', 4)]]);
const authorization = `Basic ${Buffer.from('alice:open').toString('base64')}`;

describe('a server with users', () => {
  const access: WebAccess = { ...openAccess, users };

  it.each(['/', '/metrics', '/-/healthy', '/-/ready', '/nowhere', '/-/healthy/', '/-/%68ealthy'])(
    'answers %s only after a login',
    async path => {
      const { get } = await openServer({ access: () => access });
      const { status, headers } = await get(path);
      expect([status, headers['www-authenticate']]).toEqual([
        401,
        'Basic realm="dbpm-exporter", charset="UTF-8"',
      ]);
      expect((await get(path, { authorization })).status).not.toBe(401);
    },
  );

  it('answers probes without one where that is set, and nothing that only looks like them', async () => {
    const { get } = await openServer({ access: () => access, healthWithoutLogin: true });
    const statusOf = async (path: string) => (await get(path)).status;
    expect(await statusOf('/-/healthy?now')).toBe(200);
    expect(await statusOf('/-/ready')).toBe(200);
    for (const path of [
      '/',
      '/metrics',
      '/-/healthy/',
      '/-/%68ealthy',
      '/-/healthy/../../metrics',
      '//-/healthy',
    ]) {
      expect(await statusOf(path), path).toBe(401);
    }
  });

  it('tells of each login where it came from and what became of it, and of none where none is given', async () => {
    const told: unknown[] = [];
    const onLogin = (...login: unknown[]) => told.push(login);
    const { get } = await openServer({ access: () => access, onLogin });
    const wrong = `Basic ${Buffer.from('alice:ajar').toString('base64')}`;
    for (const login of [{}, { authorization }, { authorization: wrong }, { authorization: 'Bearer x' }])
      await get('/metrics', login as Record<string, string>);
    expect(told).toEqual([
      ['ok', '127.0.0.1'],
      ['wrong', '127.0.0.1'],
      ['wrong', '127.0.0.1'],
    ]);
  });

  it('asks anew for each request, so that users change while it runs', async () => {
    let current = access;
    const { get } = await openServer({ access: () => current });
    expect((await get('/metrics', { authorization })).status).toBe(200);
    current = { ...openAccess, users: new Map([['bob', hashSync('open', 4)]]) };
    expect((await get('/metrics', { authorization })).status).toBe(401);
    current = openAccess;
    expect((await get('/metrics')).status).toBe(200);
  });
});

describe('the headers of the web configuration', () => {
  const headers = { 'X-Frame-Options': 'deny', 'Content-Security-Policy': "default-src 'self'" };

  it('are in every answer', async () => {
    const { get } = await openServer({ access: () => ({ headers, users }) });
    for (const [path, login] of [
      ['/metrics', {}],
      ['/metrics', { authorization }],
      ['/nowhere', { authorization }],
    ] as const) {
      const answer = await get(path, login);
      expect(answer.headers).toMatchObject({
        'x-frame-options': 'deny',
        'content-security-policy': "default-src 'self'",
        'x-content-type-options': 'nosniff',
      });
    }
  });

  it('take the place of the own ones of the landing page', async () => {
    const { get } = await openServer({ access: () => ({ ...openAccess, headers }) });
    expect((await get('/')).headers['content-security-policy']).toBe("default-src 'self'");
  });
});

describe('a rate limit', () => {
  it('comes before the login', async () => {
    const access = { ...openAccess, users, rateLimit: { burst: 2, intervalMs: 3_600_000 } };
    const { get } = await openServer({ access: () => access });
    expect((await get('/metrics')).status).toBe(401);
    expect((await get('/metrics', { authorization })).status).toBe(200);
    expect((await get('/metrics', { authorization })).status).toBe(429);
    expect((await get('/metrics')).status).toBe(429);
  });

  it('gives a request back for each interval, never more than its burst', () => {
    const bucket = new TokenBucket({ burst: 2, intervalMs: 1000 }, 0);
    const taken = [0, 0, 0, 999, 1000, 1001, 9000, 9000, 9000].map(at => bucket.take(at));
    expect(taken).toEqual([true, true, false, false, true, false, true, true, false]);
  });

  it('of no burst lets nobody in', () => {
    expect(new TokenBucket({ burst: 0, intervalMs: 1 }, 0).take(10_000)).toBe(false);
  });
});
