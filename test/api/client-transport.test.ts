import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { getEventListeners, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ApiClient } from '../../src/api/client.ts';
import type { ApiError } from '../../src/api/message/api-error.ts';
import type { Timeouts } from '../../src/api/transport/exchange.ts';
import { rejection, startClient, testKey } from '../support/api-client.ts';
import { findFreePort } from '../support/free-port.ts';
import { answerJson, type Script, startScriptedService } from '../support/scripted-service.ts';

describe('a request', () => {
  test('carries the key and says what it wants', async () => {
    const { get, service } = await startClient((_, response) => answerJson(response, 200, {}));
    await get();
    expect(service.requests[0]?.target).toBe('/api/v2/projects');
    expect(service.requests[0]?.headers).toMatchObject({
      accept: 'application/json',
      'accept-encoding': 'gzip, deflate, br',
      authorization: `Bearer ${testKey}`,
      'user-agent': 'dbpm-exporter/test',
    });
  });

  test('reads the key anew each time', async () => {
    const keys = ['first', 'second'];
    const { get, service } = await startClient((_, response) => answerJson(response, 200, {}), {
      readApiKey: () => keys.shift() ?? '',
    });
    await get();
    await get();
    const sent = service.requests.map(({ headers }) => headers.authorization);
    expect(sent).toEqual(['Bearer first', 'Bearer second']);
  });

  test('uses the connection of the one before', async () => {
    const { get, service } = await startClient((_, response, count) =>
      answerJson(response, count === 2 ? 404 : 200, {}),
    );
    await get();
    await setImmediate();
    await rejection(get());
    await setImmediate();
    await get();
    expect(new Set(service.requests.map(({ remotePort }) => remotePort)).size).toBe(1);
  });

  test('keeps the path of the base address, with or without its last slash', async () => {
    const service = await startScriptedService((_, response) => answerJson(response, 200, {}));
    for (const base_url of [service.base_url, service.base_url.slice(0, -1), new URL(service.base_url)]) {
      const options = { base_url, readApiKey: () => testKey, requestsPerMinute: 60, userAgent: 'test' };
      const client = new ApiClient(options);
      await client.get({ route: '/projects', priority: 'list', signal: new AbortController().signal });
      await client.close();
    }
    await service.close();
    expect(service.requests.map(({ target }) => target)).toEqual(Array(3).fill('/api/v2/projects'));
  });

  test('is dated by the clock of the service', async () => {
    const date = 'Sun, 06 Nov 1994 08:49:37 GMT';
    const { get } = await startClient((_, response) => answerJson(response, 200, {}, { date }));
    expect(await get()).toEqual({ body: {}, servedAt: Date.UTC(1994, 10, 6, 8, 49, 37) });
  });

  test('is dated by our clock where the service does not tell', async () => {
    const { get, clock } = await startClient((_, response) =>
      answerJson(response, 200, {}, { date: 'today' }),
    );
    expect(await get()).toEqual({ body: {}, servedAt: clock.now() });
  });
});

describe('a body', () => {
  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('in %s is read', async (encoding, compress) => {
    const { get } = await startClient((_, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(compress('{"projects":["é"]}'));
    });
    expect(await get()).toMatchObject({ body: { projects: ['é'] } });
  });

  test('in a coding that was not asked for is refused', async () => {
    const { get, service } = await startClient((_, response) => {
      response.writeHead(200, { 'content-encoding': 'zstd' }).end('x');
    });
    expect(await rejection(get())).toMatchObject({
      reason: 'malformed',
      message:
        'GET /projects answers in a content coding that was not asked for; look for a proxy that adds it',
    });
    expect(service.requests).toHaveLength(1);
  });

  test.each(['gzip', 'deflate', 'br'])('in damaged %s is malformed', async encoding => {
    const { get } = await startClient((_, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end('this is not compressed at all');
    });
    expect(await rejection(get())).toMatchObject({ reason: 'malformed' });
  });

  test.each([
    ['that is announced larger than allowed', 'too_large', { 'content-length': '1001' }],
    ['in an unknown coding', 'malformed', { 'content-encoding': 'zstd' }],
  ])('%s is not read, and its connection is given up', async (_name, reason, headers) => {
    const closed = Promise.withResolvers<void>();
    const { get, service } = await startClient(
      (_, response) => {
        response.on('close', () => closed.resolve());
        response.writeHead(200, headers).write('x');
      },
      { maxBodyBytes: 1000 },
    );
    expect(await rejection(get())).toMatchObject({ reason });
    await closed.promise;
    expect(service.requests).toHaveLength(1);
  });

  test('larger than allowed is an error that says how large that is', async () => {
    const { get } = await startClient((_, response) => answerJson(response, 200, 'x'.repeat(99)), {
      maxBodyBytes: 100,
    });
    expect(await rejection(get())).toMatchObject({
      message: 'GET /projects answers with more than 100 bytes, which are not read',
    });
  });

  test('that grows larger than allowed is given up while it comes', async () => {
    const { get } = await startClient(
      (_, response) => {
        const timer = setInterval(() => response.write('x'.repeat(400)), 1);
        response.on('close', () => clearInterval(timer));
      },
      { maxBodyBytes: 1000 },
    );
    expect(await rejection(get())).toMatchObject({ reason: 'too_large' });
  });

  test('of exactly the size allowed is read', async () => {
    const { get } = await startClient((_, response) => response.end(`"${'x'.repeat(98)}"`), {
      maxBodyBytes: 100,
    });
    expect(await get()).toMatchObject({ body: 'x'.repeat(98) });
  });

  test('of a few kilobytes that unpacks into megabytes does not get through', async () => {
    const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024, ' '));
    const { get } = await startClient(
      (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
      { maxBodyBytes: 1024 * 1024 },
    );
    expect(await rejection(get())).toMatchObject({ reason: 'too_large' });
  });

  test.each([
    ['with a length', { 'content-length': '100' }],
    ['in chunks', {}],
  ])('torn %s is a network error and is asked again', async (_name, headers) => {
    const { get, outcomes } = await startClient((_, response, count) => {
      if (count === 3) return answerJson(response, 200, { whole: true });
      response.writeHead(200, headers).write('{"projects":[', () => response.destroy());
    });
    expect(await get()).toMatchObject({ body: { whole: true } });
    expect(outcomes()).toEqual(['network', 'network', 'ok']);
  });

  test('of torn gzip is a network error', async () => {
    const { get } = await startClient((_, response) => {
      response
        .writeHead(200, { 'content-encoding': 'gzip' })
        .end(gzipSync('{"projects":[]}').subarray(0, 20));
    });
    expect(await rejection(get())).toMatchObject({ reason: 'network' });
  });

  test.each([
    [200, '<html>sign in</html>', 'text/html'],
    [200, '{"projects":', 'application/json'],
    [204, '', 'none'],
  ])('of a %i that is not JSON is malformed', async (status, body, contentType) => {
    const { get, service } = await startClient((_, response) => {
      response.writeHead(status, contentType === 'none' ? {} : { 'content-type': contentType }).end(body);
    });
    expect(await rejection(get())).toMatchObject({
      reason: 'malformed',
      status,
      message: `${status} from GET /projects is not JSON (content type: ${contentType}): check that base_url is that of the API and not of a web page`,
    });
    expect(service.requests).toHaveLength(1);
  });
});

describe('a redirect', () => {
  test.each([301, 302, 303, 304, 307, 308])('%i is not followed, and the key stays here', async status => {
    const other = await startScriptedService((_, response) => answerJson(response, 200, {}));
    const { get, service } = await startClient((_, response) => {
      response.writeHead(status, { location: `${other.base_url}projects` }).end();
    });
    expect(await rejection(get())).toMatchObject({
      reason: 'malformed',
      status,
      message: `${status} from GET /projects: the service answers with a redirect; set base_url to the address the service really has`,
    });
    await other.close();
    expect(service.requests).toHaveLength(1);
    expect(other.requests).toEqual([]);
  });
});

describe('a service that hangs', () => {
  const never = 60_000;
  const timeouts = { headersTimeoutMs: never, bodyTimeoutMs: never, totalTimeoutMs: never };

  test('is given up wherever it hangs, while the status of an error is heard', async () => {
    const hang = async (script: Script, limits: Partial<Timeouts>, maxAttempts = 1) => {
      const { get, outcomes } = await startClient(script, {
        timeouts: { ...timeouts, ...limits },
        maxAttempts,
      });
      const { reason, message } = (await rejection(get())) as ApiError;
      if (reason === 'timeout') expect(message).toContain('the service did not answer in time');
      return [reason, outcomes()];
    };
    const tearsBody = (status: number) => (_: unknown, response: ServerResponse) =>
      void response.writeHead(status).write('{');
    // The client looks for these once a second: all are waited for at the same time.
    expect(
      await Promise.all([
        hang(() => {}, { headersTimeoutMs: 30 }),
        hang(() => {}, { totalTimeoutMs: 30 }, 3),
        hang(tearsBody(200), { bodyTimeoutMs: 30 }),
        hang(tearsBody(401), { bodyTimeoutMs: 30 }),
      ]),
    ).toEqual([
      ['timeout', ['timeout']],
      ['timeout', ['timeout', 'timeout', 'timeout']],
      ['timeout', ['timeout']],
      ['unauthorized', ['unauthorized']],
    ]);
  });

  test('by sending a byte now and then is given up', async () => {
    const { get } = await startClient(
      (_, response) => {
        const timer = setInterval(() => response.write(' '), 5);
        response.on('close', () => clearInterval(timer));
      },
      { timeouts: { ...timeouts, bodyTimeoutMs: 1000, totalTimeoutMs: 40 }, maxAttempts: 1 },
    );
    expect(await rejection(get())).toMatchObject({ reason: 'timeout' });
  });
});

describe('a connection', () => {
  test('that is refused is a network error that names the cause', async () => {
    const base_url = `http://127.0.0.1:${await findFreePort()}/api/v2/`;
    const { get, outcomes } = await startClient(() => {}, { base_url });
    expect(await rejection(get())).toMatchObject({
      reason: 'network',
      message: expect.stringMatching(
        /^GET \/projects failed: nothing listens there; check base_url, and the proxy where there is one \(ECONNREFUSED: .*\)$/,
      ),
    });
    expect(outcomes()).toEqual(['network', 'network', 'network']);
  });

  test('that breaks before an answer is a network error', async () => {
    const { get } = await startClient((_, response) => response.destroy());
    expect(await rejection(get())).toMatchObject({ reason: 'network' });
  });

  test('to something that does not speak HTTP is a network error', async () => {
    const { get } = await startClient((_, response) => response.socket?.end('SSH-2.0-OpenSSH\r\n'));
    expect(await rejection(get())).toMatchObject({ reason: 'network' });
  });
});

describe('giving up', () => {
  const reason = new Error('shutting down');

  const start = (client: ApiClient, { signal } = new AbortController()) =>
    rejection(client.get({ route: '/projects', priority: 'list', signal }));

  test('ends a request under way at once with the reason given', async () => {
    const asked = Promise.withResolvers<void>();
    const { client, attempts } = await startClient(() => asked.resolve());
    const controller = new AbortController();
    const pending = start(client, controller);
    await asked.promise;
    controller.abort(reason);
    expect(await pending).toBe(reason);
    expect(attempts).toEqual([]);
  });

  test('ends a body under way at once', async () => {
    const { client } = await startClient((_, response) => response.writeHead(200).write('{'));
    const controller = new AbortController();
    const answered = Promise.withResolvers<void>();
    const note = () => answered.resolve();
    subscribe('undici:request:headers', note);
    onTestFinished(() => void unsubscribe('undici:request:headers', note));
    const pending = start(client, controller);
    await answered.promise;
    // By then it reads the body.
    await setImmediate();
    controller.abort(reason);
    expect(await pending).toBe(reason);
  });

  test('ends a request that still waits for a free connection', async () => {
    const asked = Promise.withResolvers<void>();
    const { client } = await startClient(() => asked.resolve(), { connections: 1 });
    const controller = new AbortController();
    const first = start(client);
    await asked.promise;
    const second = start(client, controller);
    await setImmediate();
    controller.abort(reason);
    expect(await second).toBe(reason);
    await client.close();
    expect(await first).toEqual(new Error('the API client is closed'));
  });

  test('ends the wait before another attempt', async () => {
    const controller = new AbortController();
    const service = await startScriptedService((_, response) => answerJson(response, 503, {}));
    const client = new ApiClient({
      base_url: service.base_url,
      readApiKey: () => testKey,
      requestsPerMinute: 60,
      userAgent: 'test',
      random: () => 1,
      // By then it waits.
      onAttempt: () => void setImmediate().then(() => controller.abort(reason)),
    });
    const { signal } = controller;
    expect(await rejection(client.get({ route: '/projects', priority: 'list', signal }))).toBe(reason);
    await client.close();
    await service.close();
    expect(service.requests).toHaveLength(1);
  });

  test('leaves nothing on a signal that outlives its requests', async () => {
    const { client } = await startClient((_, response, count) =>
      answerJson(response, count === 1 ? 503 : 200, {}),
    );
    const { signal } = new AbortController();
    await client.get({ route: '/projects', priority: 'list', signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('leaves no warning behind when many requests share one signal', async () => {
    const { client } = await startClient((_, response) => answerJson(response, 200, {}), {
      requestsPerMinute: 2000,
    });
    const warnings: Error[] = [];
    const listen = (warning: Error) => warnings.push(warning);
    process.on('warning', listen);
    const { signal } = new AbortController();
    await Promise.all(
      Array.from({ length: 50 }, () => client.get({ route: '/projects', priority: 'refresh', signal })),
    );
    await setImmediate();
    process.off('warning', listen);
    expect(warnings).toEqual([]);
  });
});

test('a closed client closes its connections and answers no more', async () => {
  const closed = Promise.withResolvers<void>();
  const { client, get } = await startClient((_, response) => {
    once(response.socket ?? response, 'close').then(() => closed.resolve());
    answerJson(response, 200, {});
  });
  await get();
  await client.close();
  await closed.promise;
  expect(await rejection(get())).toEqual(new Error('the API client is closed'));
});

test('a base address that is not allowed is refused before anything is sent', () => {
  const options = { readApiKey: () => testKey, requestsPerMinute: 60, userAgent: 'test' };
  expect(() => new ApiClient({ ...options, base_url: 'http://api.example.com/' })).toThrow(
    'base_url must start with https://, because over http:// the API key travels readable; http:// is for loopback addresses only',
  );
});
