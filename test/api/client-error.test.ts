import { describe, expect, test } from 'vitest';
import { rejection, startClient, testKey } from '../support/api-client.ts';
import { answerJson } from '../support/scripted-service.ts';

const endpoints = '/projects/{project_id}/endpoints';
const seconds = 1000;

describe('errors and limits', () => {
  test.each([
    [
      401,
      'unauthorized',
      '401 from GET /projects: the API key is missing, mistyped or revoked; create another one at the service and write it where api_key_file points: it is used with the next request',
    ],
    [
      403,
      'forbidden',
      '403 from GET /projects: the API key may not read this; use a key of an account that may',
    ],
    [
      404,
      'not_found',
      '404 from GET /projects: there is nothing at this address; check base_url, which ends in the version segment, such as /api/v2/',
    ],
    [
      400,
      'bad_request',
      '400 from GET /projects: the service does not accept this request; check that base_url is that of an API of version 2',
    ],
    [
      406,
      'bad_request',
      '406 from GET /projects: the service does not answer for what was asked, such as a time that is too long ago; compare its clock with the one of this host',
    ],
    [
      418,
      'malformed',
      '418 from GET /projects: the service does not accept this request; check that base_url is that of an API of version 2',
    ],
  ])('%i is %s and is not asked again', async (status, reason, message) => {
    const { get, service, outcomes } = await startClient((_, response) => answerJson(response, status, {}));
    expect(await rejection(get())).toMatchObject({
      name: 'ApiError',
      reason,
      message,
      status,
      route: '/projects',
    });
    expect(service.requests).toHaveLength(1);
    expect(outcomes()).toEqual([reason]);
  });

  test('401 for one project does not call the key of the account revoked', async () => {
    const { get } = await startClient((_, response) => answerJson(response, 401, {}));
    expect(await rejection(get(endpoints, { project_id: 'p1' }))).toMatchObject({
      reason: 'unauthorized',
      message:
        '401 from GET /projects/{project_id}/endpoints: the API key may not read this project; if the lists are answered 401 too, it is missing, mistyped or revoked',
    });
  });

  test('404 for a project that was in the list a second ago says that it has been deleted', async () => {
    const { get } = await startClient((_, response) => answerJson(response, 404, {}));
    expect(await rejection(get(endpoints, { project_id: 'p1' }))).toMatchObject({
      reason: 'not_found',
      message:
        '404 from GET /projects/{project_id}/endpoints: there is no such object, most likely because it has just been deleted',
    });
  });

  test.each([
    [423, 'locked'],
    [429, 'rate_limited'],
    [500, 'unavailable'],
    [503, 'unavailable'],
    [524, 'unavailable'],
  ])('%i is %s, asked three times in all, and every attempt is told', async (status, reason) => {
    const { get, service, outcomes } = await startClient((_, response) => answerJson(response, status, {}));
    expect(await rejection(get())).toMatchObject({ reason, status });
    expect(service.requests).toHaveLength(3);
    expect(outcomes()).toEqual([reason, reason, reason]);
  });

  test('a failure that passes is not seen by the caller', async () => {
    const { get, outcomes, clock } = await startClient((_, response, count) =>
      answerJson(response, count === 3 ? 200 : 503, { count }),
    );
    expect(await get()).toMatchObject({ body: { count: 3 } });
    expect(outcomes()).toEqual(['unavailable', 'unavailable', 'ok']);
    expect(clock.sleeps).toEqual([500, 1000]);
  });

  test('a gateway page of HTML is never repeated in the message', async () => {
    const { get } = await startClient((_, response) => {
      response.writeHead(524, { 'content-type': 'text/html' }).end('<html>error 524</html>');
    });
    expect(await rejection(get())).toMatchObject({
      reason: 'unavailable',
      message:
        '524 from GET /projects: the service or a gateway before it has trouble; it is asked again later',
    });
  });

  test('what the service says about an error is passed on, in one bounded line', async () => {
    const message = `line one\nline\u0000 two \u202e${'x'.repeat(500)}`;
    const body = { request_id: 'r-17', code: '', message };
    const { get } = await startClient((_, response) => answerJson(response, 401, body));
    expect(await rejection(get())).toMatchObject({
      message: `401 from GET /projects: the API key is missing, mistyped or revoked; create another one at the service and write it where api_key_file points: it is used with the next request (the service says: line one line two ${'x'.repeat(181)}…, request_id r-17)`,
    });
  });

  test('a long error body does not hide its status', async () => {
    const { get } = await startClient((_, response) =>
      answerJson(response, 403, { message: 'x'.repeat(200_000) }),
    );
    expect(await rejection(get())).toMatchObject({ reason: 'forbidden', status: 403 });
  });

  test('a revoked key shows with the next request', async () => {
    const { get } = await startClient((_, response, count) =>
      answerJson(response, count === 1 ? 200 : 401, {}),
    );
    await get();
    expect(await rejection(get())).toMatchObject({ reason: 'unauthorized' });
  });
});

describe('Retry-After', () => {
  test.each([423, 429, 503])('in seconds is waited for after %i', async status => {
    const { get, clock } = await startClient((_, response, count) =>
      count === 1 ? answerJson(response, status, {}, { 'retry-after': '7' }) : answerJson(response, 200, {}),
    );
    const startedAt = clock.now();
    await get();
    expect(clock.now() - startedAt).toBe(7 * seconds);
  });

  test('as a date is measured on the clock of the service', async () => {
    const headers = { date: 'Sun, 06 Nov 1994 08:49:37 GMT', 'retry-after': 'Sun, 06 Nov 1994 08:49:46 GMT' };
    const { get, clock } = await startClient((_, response, count) =>
      count === 1 ? answerJson(response, 503, {}, headers) : answerJson(response, 200, {}),
    );
    await get();
    expect(clock.sleeps).toEqual([9 * seconds]);
  });

  test('that is too far away fails at once and says when', async () => {
    const { get, service, clock } = await startClient((_, response) =>
      answerJson(response, 503, {}, { 'retry-after': '31' }),
    );
    const retryAt = clock.now() + 31 * seconds;
    expect(await rejection(get())).toMatchObject({ reason: 'unavailable', status: 503, retryAt });
    expect(service.requests).toHaveLength(1);
    expect(clock.sleeps).toEqual([]);
  });

  test('after 429 is told, and respected by a later run that is told of it', async () => {
    const first = await startClient((_, response) =>
      answerJson(response, 429, {}, { 'retry-after': '3600' }),
    );
    await rejection(first.get());
    const until = first.clock.now() + 3600 * seconds;
    const budget = first.client.budget();
    expect(budget).toEqual({ perMinute: 300, settledAt: first.clock.now(), pausedUntil: until });
    const later = await startClient((_, response) => answerJson(response, 200, {}), {
      ...(budget && { budget }),
    });
    expect(await rejection(later.get())).toMatchObject({ reason: 'rate_limited', retryAt: until });
    expect(later.service.requests).toEqual([]);
    later.clock.advance(3600 * seconds);
    await later.get();
  });

  test('after 429 holds the whole account, unsent, until it is over', async () => {
    const { client, get, service, outcomes, clock } = await startClient((_, response, count) =>
      count === 1 ? answerJson(response, 429, {}, { 'retry-after': '3600' }) : answerJson(response, 200, {}),
    );
    const retryAt = clock.now() + 3600 * seconds;
    await rejection(get());
    expect(client.budgetPerMinute()).toBe(0);
    expect(await rejection(get('/api_keys'))).toMatchObject({
      reason: 'rate_limited',
      status: 429,
      route: '/api_keys',
      retryAt,
      message:
        'GET /api_keys was not sent: the service asked to wait until 2026-01-01T01:00:00.000Z; it is asked again then',
    });
    expect(service.requests).toHaveLength(1);
    expect(outcomes()).toEqual(['rate_limited']);
    clock.advance(3600 * seconds);
    expect(await get('/api_keys')).toMatchObject({ body: {} });
    expect(client.budgetPerMinute()).toBe(300);
  });

  test('after another status holds that path only', async () => {
    const { get, service, outcomes, clock } = await startClient(({ url }, response) =>
      url.pathname.includes('/p1/')
        ? answerJson(response, 423, {}, { 'retry-after': '60' })
        : answerJson(response, 200, {}),
    );
    const retryAt = clock.now() + 60 * seconds;
    await rejection(get(endpoints, { project_id: 'p1' }));
    expect(await rejection(get(endpoints, { project_id: 'p1' }))).toMatchObject({
      reason: 'locked',
      retryAt,
    });
    expect(await get(endpoints, { project_id: 'p2' })).toMatchObject({ body: {} });
    expect(service.requests.map(({ target }) => target)).toEqual([
      '/api/v2/projects/p1/endpoints',
      '/api/v2/projects/p2/endpoints',
    ]);
    expect(outcomes()).toEqual(['locked', 'ok']);
  });

  test('of the last attempt is waited for by the next request', async () => {
    const { get, clock } = await startClient(
      (_, response, count) =>
        count === 1 ? answerJson(response, 503, {}, { 'retry-after': '20' }) : answerJson(response, 200, {}),
      { maxAttempts: 1 },
    );
    await rejection(get());
    clock.advance(5 * seconds);
    await get();
    expect(clock.sleeps).toEqual([15 * seconds]);
  });

  test.each([401, 403, 404, 301, 500])('after %i is no wish of the service', async status => {
    const { get, clock } = await startClient(
      (_, response) => answerJson(response, status, {}, { 'retry-after': '86400' }),
      { maxAttempts: 1 },
    );
    expect(await rejection(get())).toMatchObject({ status });
    expect(await rejection(get())).toMatchObject({ status });
    expect(clock.sleeps).toEqual([]);
  });

  test('counts as the longest pause where it is longer', async () => {
    const { get, clock } = await startClient((_, response) =>
      answerJson(response, 429, {}, { 'retry-after': '86400' }),
    );
    expect(await rejection(get())).toMatchObject({ retryAt: clock.now() + 3600 * seconds });
  });

  test('is heard though the body of the answer never ends', async () => {
    const { get, clock } = await startClient(
      (_, response) => {
        response.writeHead(429, { 'retry-after': '120', 'content-type': 'application/json' });
        response.write('{');
        const drip = setInterval(() => response.write(' '), 5);
        response.on('close', () => clearInterval(drip));
      },
      { longestErrorBodyMs: 30 },
    );
    const retryAt = clock.now() + 120 * seconds;
    expect(await rejection(get())).toMatchObject({ reason: 'rate_limited', status: 429, retryAt });
  });

  test('sent twice does no harm', async () => {
    const { get, clock } = await startClient((_, response, count) => {
      if (count === 1) response.setHeader('retry-after', ['2', '3']).writeHead(503).end();
      else answerJson(response, 200, {});
    });
    await get();
    expect(clock.sleeps).toEqual([2 * seconds]);
  });

  test('missing after 429 halves the pace and waits a little', async () => {
    const { client, get, clock } = await startClient((_, response, count) =>
      answerJson(response, count === 1 ? 429 : 200, {}),
    );
    await get();
    expect(clock.sleeps).toEqual([500]);
    expect(client.budgetPerMinute()).toBe(300);
  });
});

test('a rush beyond the budget is spread over time', async () => {
  const { client, clock, service } = await startClient((_, response) => answerJson(response, 200, {}), {
    requestsPerMinute: 60,
  });
  const startedAt = clock.now();
  const { signal } = new AbortController();
  const requests = Array.from({ length: 10 }, () =>
    client.get({ route: '/projects', priority: 'list', signal }),
  );
  await Promise.all(requests);
  expect(service.requests).toHaveLength(10);
  const elapsedMs = clock.now() - startedAt;
  expect(elapsedMs).toBeGreaterThanOrEqual(7000);
  expect(elapsedMs).toBeLessThan(8000);
  expect(service.requests[0]?.headers.authorization).toBe(`Bearer ${testKey}`);
});
