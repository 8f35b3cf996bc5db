import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { patience } from '../support/patience.ts';
import { type ErrorBody, openService } from './open-service.ts';

test('a fault answers matching calls with its status, headers and body as they are', async () => {
  const { call, control } = await openService();
  const headers = { 'Retry-After': '3', 'content-type': 'text/plain' };
  const fault = { match: 'GET /projects/*/operations', status: 429, headers, body: '{"torn":' };
  const added = await control('POST', '/faults', fault);
  expect([added.status, added.body]).toEqual([
    201,
    { ...fault, id: 1, headers: { 'retry-after': '3', 'content-type': 'text/plain' } },
  ]);
  const faulty = await call('GET', '/projects/any/operations?limit=5');
  expect([faulty.status, faulty.headers.get('retry-after'), faulty.body]).toEqual([429, '3', '{"torn":']);
  expect((await call('GET', '/projects')).status).toBe(200);
});

test('a fault answers so many times, the first one added first, then the service is itself again', async () => {
  const { call, control } = await openService();
  await control('POST', '/faults', { match: 'GET /projects', status: 503, times: 2 });
  await control('POST', '/faults', { match: '* /projects', status: 524, times: 1 });
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 4; attempt += 1) {
    statuses.push((await call('GET', '/projects')).status);
  }
  expect(statuses).toEqual([503, 503, 524, 200]);
  expect((await control('GET', '/faults')).body).toEqual({ faults: [] });
});

test('a fault without times stays until it is cleared, and answers before the key is checked', async () => {
  const { call, control } = await openService();
  const wrong = { authorization: 'Bearer wrong' };
  await control('POST', '/faults', { match: 'GET /*', status: 500 });
  for (let attempt = 0; attempt < 5; attempt += 1) {
    expect((await call('GET', '/api_keys', undefined, wrong)).status).toBe(500);
  }
  await control('DELETE', '/faults');
  expect((await call('GET', '/api_keys', undefined, wrong)).status).toBe(401);
});

test('a faulty HTML page keeps its content type, and 204 has no body', async () => {
  const { call, control } = await openService();
  const html = {
    match: 'GET /projects',
    status: 524,
    headers: { 'content-type': 'text/html' },
    body: '<h1>',
    times: 1,
  };
  await control('POST', '/faults', html);
  const gateway = await call('GET', '/projects');
  expect([gateway.status, gateway.headers.get('content-type'), gateway.body]).toEqual([
    524,
    'text/html',
    '<h1>',
  ]);
  await control('POST', '/faults', { match: 'DELETE *', status: 204, body: 'unseen' });
  const gone = await call('DELETE', '/projects/p/endpoints/e');
  expect([gone.status, gone.body]).toEqual([204, '']);
});

test('a fault with a body alone answers 200', async () => {
  const { call, control } = await openService({ projects: 2 });
  await control('POST', '/faults', { match: 'GET /projects', body: '{"projects":[]}' });
  const { status, body } = await call('GET', '/projects');
  expect([status, body]).toEqual([200, { projects: [] }]);
});

test('close cuts the connection without an answer', async () => {
  const { call, control } = await openService();
  await control('POST', '/faults', { match: 'GET /projects', close: true, times: 1 });
  await expect(call('GET', '/projects')).rejects.toThrow('fetch failed');
  expect((await call('GET', '/projects')).status).toBe(200);
});

test('close with a body cuts the connection after half of it: a torn page', async () => {
  const { control, simulator } = await openService();
  await control('POST', '/faults', { match: 'GET /projects', close: true, body: '{"projects":[]}' });
  const received = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(simulator.base_url).port), '127.0.0.1');
    let text = '';
    socket.on('data', chunk => {
      text += chunk;
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
    socket.write('GET /api/v2/projects HTTP/1.1\r\nhost: localhost\r\n\r\n');
  });
  expect(received).toContain('content-length: 15');
  expect(received.split('\r\n\r\n')[1]).toBe('{"projec');
});

test('delay_ms alone delays the real answer', async () => {
  const { call, control } = await openService({ projects: 2 });
  await control('POST', '/faults', { match: 'GET /projects', delay_ms: 60 });
  const before = performance.now();
  const { status, body } = await call<{ projects: object[] }>('GET', '/projects');
  expect([status, body.projects.length]).toEqual([200, 2]);
  expect(performance.now() - before).toBeGreaterThanOrEqual(59);
});

test('headers alone are added to the real answer and win over its own', async () => {
  const { call, control } = await openService({ projects: 2 });
  const headers = { 'x-fault': 'yes', 'content-type': 'text/plain' };
  await control('POST', '/faults', { match: 'GET /projects', headers, times: 2 });
  const { status, body, ...real } = await call<string>('GET', '/projects');
  expect([status, real.headers.get('x-fault'), real.headers.get('content-type')]).toEqual([
    200,
    'yes',
    'text/plain',
  ]);
  expect(JSON.parse(body)).toMatchObject({ projects: [{}, {}] });
  const refused = await call('GET', '/projects', undefined, { authorization: 'Bearer wrong' });
  expect([refused.status, refused.headers.get('x-fault')]).toEqual([401, 'yes']);
});

test('a fault with a status alone answers with an empty body, even if close is false', async () => {
  const { call, control } = await openService({ projects: 2 });
  await control('POST', '/faults', { match: 'GET /projects', status: 503, close: false, times: 1 });
  const { status, body } = await call('GET', '/projects');
  expect([status, body]).toEqual([503, '']);
});

test('closing the simulator with a grace cuts answers that take longer', async () => {
  const { call, control, simulator } = await openService();
  await control('POST', '/faults', { match: 'GET /projects', delay_ms: 600_000, times: 1 });
  const answer = call('GET', '/projects').catch(() => 'cut');
  const isWaiting = async () => !(await control<{ faults: object[] }>('GET', '/faults')).body.faults.length;
  await vi.waitUntil(isWaiting, patience);
  await simulator.close(50);
  expect(await answer).toBe('cut');
});

test('closing the simulator does not wait for delayed answers', async () => {
  const { call, control, simulator } = await openService();
  await control('POST', '/faults', { match: 'GET /projects', delay_ms: 600_000, times: 1 });
  const answer = call('GET', '/projects').catch(() => 'cut');
  const isWaiting = async () => !(await control<{ faults: object[] }>('GET', '/faults')).body.faults.length;
  await vi.waitUntil(isWaiting, patience);
  await simulator.close();
  expect(await answer).toBe('cut');
});

test.each([
  [{}, 'match is required'],
  [{ match: 'projects' }, 'match must be like "GET /projects/*/operations", not "projects"'],
  [{ match: 'GET /', status: 99 }, 'status must be a whole number from 200 to 599, not 99'],
  [{ match: 'GET /', body: {} }, 'body must be a string, which is sent as it is'],
  [{ match: 'GET /', headers: 'x' }, 'headers must be an object, not "x"'],
  [{ match: 'GET /', headers: { 'retry-after': 3 } }, 'headers.retry-after must be a string, not 3'],
  [
    { match: 'GET /', headers: { 'Content-Length': '3' } },
    'headers must not have content-length: for an answer that is cut off use close with a body',
  ],
  [
    { match: 'GET /', headers: { 'transfer-encoding': 'chunked' } },
    'headers must not have transfer-encoding: for an answer that is cut off use close with a body',
  ],
  [{ match: 'GET /', times: 0 }, 'times must be a whole number from 1, not 0'],
  [{ match: 'GET /', close: 1 }, 'close must be true or false, not 1'],
  [
    { match: 'GET /', delay: 1 },
    'there is no field delay: did you mean delay_ms? All fields: match, status, headers, body, delay_ms, close, times',
  ],
])('the fault %o is refused', async (fault, message) => {
  const { control } = await openService();
  const { status, body } = await control<ErrorBody>('POST', '/faults', fault);
  expect([status, body.message]).toEqual([400, message]);
});

test('special characters of a match mean themselves', async () => {
  const { call, control } = await openService();
  await control('POST', '/faults', { match: 'GET /project.', status: 500 });
  expect((await call('GET', '/projects')).status).toBe(200);
});
