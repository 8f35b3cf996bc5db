import { createHash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { renderLandingPage } from '../../src/http/content/landing-page.ts';
import { plainPagePolicy } from '../../src/http/content/plain-page.ts';
import { HttpServer } from '../../src/http/server.ts';
import { openmetricsAccept, openServer } from './open-server.ts';
import { connectRaw } from './raw-client.ts';

describe('the metrics', () => {
  it('come as text, with their length and with headers that keep caches away', async () => {
    const { get } = await openServer();
    const { status, headers, body } = await get('/metrics');
    expect([status, body]).toEqual([200, 'text plain\ntail\n']);
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(headers['content-length']).toBe('16');
    expect(headers.vary).toBe('Accept, Accept-Encoding');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-encoding']).toBeUndefined();
  });

  it('come as OpenMetrics when asked for', async () => {
    const { get } = await openServer();
    const { headers, body } = await get('/metrics', { accept: openmetricsAccept });
    expect(headers['content-type']).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    expect(body).toBe('openmetrics plain\ntail\n');
  });

  it.each([
    ['no header', {}, 'plain'],
    ['gzip', { 'accept-encoding': 'gzip' }, 'gzip'],
    ['what browsers send', { 'accept-encoding': 'gzip, deflate, br, zstd' }, 'gzip'],
    ['anything', { 'accept-encoding': '*' }, 'gzip'],
    ['gzip refused', { 'accept-encoding': 'gzip;q=0' }, 'plain'],
    ['identity preferred', { 'accept-encoding': 'identity, gzip;q=0.5' }, 'plain'],
    ['something else only', { 'accept-encoding': 'br' }, 'plain'],
    ['nothing', { 'accept-encoding': '' }, 'plain'],
    ['everything but identity refused', { 'accept-encoding': '*;q=0, identity' }, 'plain'],
  ])('with %s as Accept-Encoding are compressed only when that is taken', async (_, headers, encoding) => {
    const { get } = await openServer();
    const answer = await get('/metrics', headers);
    expect(answer.body).toBe(`text ${encoding}\ntail\n`);
    expect(answer.headers['content-encoding']).toBe(encoding === 'gzip' ? 'gzip' : undefined);
  });

  it('are only measured for HEAD', async () => {
    const { get } = await openServer();
    const { status, headers, body } = await get('/metrics', {}, { method: 'HEAD' });
    expect([status, headers['content-length'], body]).toEqual([200, '16', '']);
  });

  it('have for HEAD all headers of GET', async () => {
    const { get } = await openServer();
    const headers = { accept: openmetricsAccept, 'accept-encoding': 'gzip' };
    const { date: _, ...ofGet } = (await get('/metrics', headers)).headers;
    const { date: __, ...ofHead } = (await get('/metrics', headers, { method: 'HEAD' })).headers;
    expect(ofHead).toEqual(ofGet);
  });

  it.each([
    ['If-None-Match', { 'if-none-match': '*' }],
    ['If-Modified-Since', { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' }],
    ['Range', { range: 'bytes=0-3' }],
    ['If-Range', { range: 'bytes=0-3', 'if-range': 'Fri, 01 Jan 2100 00:00:00 GMT' }],
  ])('are fresh and whole whatever %s asks, and offer no validator', async (_, headers) => {
    const { get } = await openServer();
    const answer = await get('/metrics', headers);
    expect([answer.status, answer.body]).toEqual([200, 'text plain\ntail\n']);
    expect(answer.headers).not.toHaveProperty('last-modified');
    expect(answer.headers).not.toHaveProperty('accept-ranges');
  });

  it('are there whatever is asked for in a query', async () => {
    const { get } = await openServer();
    const { status, body } = await get('/metrics?name=dbpm_up');
    expect([status, body]).toEqual([200, 'text plain\ntail\n']);
  });

  it.each(['/metrics/', '/Metrics', '//metrics', '/%6detrics'])(
    'are not at %s: there is one spelling of each path',
    async path => {
      const { get } = await openServer();
      expect((await get(path)).status).toBe(404);
    },
  );

  it('move to the telemetry path that is configured', async () => {
    const { get } = await openServer({ telemetryPath: '/probe/v1.metrics' });
    expect((await get('/probe/v1.metrics')).body).toBe('text plain\ntail\n');
    expect((await get('/metrics')).status).toBe(404);
    expect((await get('/probe/v1xmetrics')).status).toBe(404);
  });

  it('tell when their bytes are needed no more, for HEAD and a client that left as well', async () => {
    const done = vi.fn();
    const page = Buffer.alloc(16_000_000);
    const { get, server } = await openServer({
      renderMetrics: async () => ({ pieces: [page], bytes: page.length, done }),
    });
    await get('/metrics');
    await vi.waitFor(() => expect(done).toHaveBeenCalledTimes(1), 10_000);
    await get('/metrics', {}, { method: 'HEAD' });
    await vi.waitFor(() => expect(done).toHaveBeenCalledTimes(2), 10_000);
    const leaving = await fetch(`${server.url}/metrics`);
    expect(done).toHaveBeenCalledTimes(2);
    await leaving.body?.cancel();
    await vi.waitFor(() => expect(done).toHaveBeenCalledTimes(3), 10_000);
  });

  it('that cannot be rendered are a 500 in one sentence, without a stack trace, and are reported', async () => {
    const { get, errors } = await openServer({
      renderMetrics: () => Promise.reject(new Error('secret detail')),
      renderLandingPage: () => {
        throw new Error('secret detail');
      },
    });
    for (const path of ['/metrics', '/']) {
      const { status, headers, body } = await get(path);
      expect([status, body]).toEqual([500, 'The answer could not be made; the log says why.\n']);
      expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    }
    expect(errors).toEqual([new Error('secret detail'), new Error('secret detail')]);
  });
});

describe('every path', () => {
  it.each(['/metrics', '/', '/-/healthy', '/-/ready'])('%s answers GET and HEAD only', async path => {
    const { get } = await openServer();
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      const { status, headers } = await get(path, {}, { method });
      expect([method, status, headers.allow]).toEqual([method, 405, 'GET, HEAD']);
    }
    expect((await get(path, {}, { method: 'HEAD' })).status).toBe(200);
  });

  it.each(['/metrics', '/', '/-/ready', '/nothing'])('%s tells nothing about the server', async path => {
    const { get } = await openServer();
    const { headers } = await get(path);
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('etag');
    expect(headers).not.toHaveProperty('server');
  });

  it.each(['/nothing', '/metrics/more', '/-/', '/%ff', '/..%2f..%2fetc', '/%'])(
    '%s that is not there is a 404',
    async path => {
      const { get, errors } = await openServer();
      const { status, body } = await get(path);
      expect([status, body]).toEqual([404, 'Nothing is here; / says what there is.\n']);
      expect(errors).toEqual([]);
    },
  );

  it('of the landing page is HTML that may load nothing and run nothing', async () => {
    const { get } = await openServer();
    const { headers, body } = await get('/');
    expect(body).toBe('<!doctype html><title>home</title>');
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toBe(plainPagePolicy);
  });

  it('of the landing page has the style that its policy lets in, and nothing that is unsafe', async () => {
    const page = { version: '1', telemetryPath: '/metrics', accounts: [], now: 0 };
    const { get } = await openServer({ renderLandingPage: () => renderLandingPage(page) });
    const { headers, body } = await get('/');
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(body) ?? [];
    const digest = createHash('sha256').update(style).digest('base64');
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(headers['x-content-type-options']).toBe('nosniff');
  });
});

describe('where there is no page', () => {
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
  const gone = { status: 503, headers: { 'Retry-After': '5' }, line: 'Pages <cannot> be made now.' };

  it.each([
    ['GET', '/nothing', 404, 'There is no such page', 'Nothing is here; / says what there is.'],
    ['POST', '/-/ready', 405, 'This cannot be asked for', 'Only GET and HEAD are answered here.'],
    ['GET', '/', 500, 'The answer could not be made', 'The answer could not be made; the log says why.'],
  ])(
    'a browser that asks by %s for %s gets a page with %i that leads back',
    async (method, path, ...said) => {
      const renderLandingPage = () => {
        throw new Error('broken');
      };
      const { get } = await openServer({ renderLandingPage });
      const { status, headers, body } = await get(path, { accept }, { method });
      const [expected, title, line] = said;
      expect(status).toBe(expected);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['content-security-policy']).toBe(plainPagePolicy);
      expect(body).toContain(`<h1>${title}</h1>\n<p>${line}</p>\n<p><a href="/">To the first page</a></p>`);
      const plain = await get(path, { accept: '*/*' }, { method });
      expect([plain.status, plain.headers['content-type']]).toEqual([expected, 'text/plain; charset=utf-8']);
      expect(plain.body).toBe(`${line}\n`);
    },
  );

  it('the console is told when whoever asked has gone, and not when it was answered', async () => {
    const signals: AbortSignal[] = [];
    const held = Promise.withResolvers<void>();
    const answerPage = async (_request: unknown, signal: AbortSignal) => {
      signals.push(signal);
      if (signals.length === 2) await held.promise;
      return gone;
    };
    const { get, server } = await openServer({ answerPage });
    await get('/projects');
    const reader = await connectRaw(server.url);
    reader.write('GET /projects HTTP/1.1\r\nHost: raw\r\n\r\n');
    await vi.waitFor(() => expect(signals).toHaveLength(2), 30_000);
    reader.socket.destroy();
    await vi.waitFor(() => expect(signals[1]?.aborted).toBe(true), 30_000);
    held.resolve();
    expect(signals[0]?.aborted).toBe(false);
  });

  it('the console says why as a page to browsers, and as a line of text to others', async () => {
    const { get } = await openServer({ answerPage: async () => gone });
    const page = await get('/projects', { accept });
    expect([page.status, page.headers['retry-after']]).toEqual([503, '5']);
    expect(page.headers['content-security-policy']).toBe(plainPagePolicy);
    expect(page.body).toContain('<p>Pages &lt;cannot&gt; be made now.</p>\n<p><a href="/">To the first page');
    const line = await get('/projects');
    expect([line.status, line.headers['retry-after'], line.body]).toEqual([
      ...[503, '5', 'Pages <cannot> be made now.\n'],
    ]);
  });
});

describe('health and readiness', () => {
  it('are 200 while there is data', async () => {
    const { get } = await openServer();
    expect((await get('/-/healthy')).body).toBe('dbpm-exporter is healthy.\n');
    expect((await get('/-/ready')).body).toBe('dbpm-exporter is ready.\n');
  });

  it('differ when polling has stalled: what is known is still served', async () => {
    const { get } = await openServer({ findStall: () => 'dbpm-exporter has stalled.' });
    const healthy = await get('/-/healthy');
    expect([healthy.status, healthy.body]).toEqual([503, 'dbpm-exporter has stalled.\n']);
    expect((await get('/-/ready')).status).toBe(200);
  });

  it('differ before there is data', async () => {
    const { get } = await openServer({ isReady: () => false });
    const ready = await get('/-/ready');
    expect([ready.status, ready.body]).toEqual([
      503,
      'dbpm-exporter has nothing to serve yet: no reading succeeded so far.\n',
    ]);
    expect((await get('/-/healthy')).status).toBe(200);
  });

  it('differ while draining, when scrapes are still answered and connections close', async () => {
    const { server, get } = await openServer();
    server.drain();
    const ready = await get('/-/ready', { connection: 'keep-alive' });
    expect([ready.status, ready.body]).toEqual([503, 'dbpm-exporter is stopping.\n']);
    expect(ready.headers.connection).toBe('close');
    expect((await get('/-/healthy')).status).toBe(200);
    expect((await get('/metrics')).body).toBe('text plain\ntail\n');
    expect((await get('/')).status).toBe(200);
  });
});

describe('where it listens', () => {
  it('is told as an address to open', async () => {
    const { server } = await openServer();
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it('refuses an address that is taken, with the error of the system', async () => {
    const { server } = await openServer();
    const options = {
      telemetryPath: '/metrics',
      renderMetrics: async () => ({ pieces: [], bytes: 0 }),
      renderLandingPage: () => '',
      isReady: () => true,
      onError: () => {},
    };
    const listen = [{ host: '127.0.0.1', port: Number(new URL(server.url).port) }];
    await expect(HttpServer.start({ ...options, listen })).rejects.toMatchObject({
      code: 'EADDRINUSE',
      syscall: 'listen',
    });
  });
});
