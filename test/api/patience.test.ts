import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { completeOptions } from '../../src/api/client-options.ts';
import { rejection, startClient } from '../support/api-client.ts';
import { answerJson } from '../support/scripted-service.ts';

afterEach(() => void vi.useRealTimers());

function drip(response: ServerResponse, write: () => void): void {
  const timer = setInterval(write, 5);
  response.on('close', () => clearInterval(timer));
}

/** Ways to never come to an end. */
const endless: readonly (readonly [string, (response: ServerResponse) => void])[] = [
  ['before its headers', () => {}],
  ['within its headers', response => response.socket?.write('HTTP/1.1 200 OK\r\nContent-')],
  [
    'within headers that drip',
    response => {
      response.socket?.write('HTTP/1.1 200 OK\r\nX-Pad: ');
      drip(response, () => response.socket?.write('x'));
    },
  ],
  ['within its body', response => response.writeHead(200).write('{"projects":[')],
  [
    'within a body that drips',
    response => {
      response.writeHead(200);
      drip(response, () => response.write(' '));
    },
  ],
];

describe('a service that never ends an answer', () => {
  test.each(endless)('%s has failed when the patience is over, retries included', async (_, answer) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const beganAt = Date.now();
    const spentMs: number[] = [];
    const { get, clock, outcomes } = await startClient(
      async (_request, response) => {
        answer(response);
        // By then the client has what there is of an answer, and waits for nothing but its own timer.
        await setImmediate();
        await setImmediate();
        vi.advanceTimersToNextTimer();
        spentMs.push(Date.now() - beganAt);
      },
      {
        longestReadMs: 1000,
        timeouts: { connectTimeoutMs: 0, headersTimeoutMs: 0, bodyTimeoutMs: 0, totalTimeoutMs: 300 },
        now: Date.now,
        async sleep(ms, signal) {
          await clock.sleep(ms, signal);
          vi.setSystemTime(Date.now() + ms);
        },
      },
    );
    expect(await rejection(get())).toMatchObject({ reason: 'timeout' });
    // The first attempt takes as long as one may, the second what is left after the wait.
    expect(clock.sleeps).toEqual([500]);
    expect(spentMs).toEqual([300, 1000]);
    expect(outcomes()).toEqual(['timeout', 'timeout']);
  });

  test.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [429, 'rate_limited'],
  ])('of status %d is judged by its status before its body', async (status, reason) => {
    const left = Promise.withResolvers<void>();
    const never = 600_000;
    const { get, service } = await startClient(
      (_request, response) => {
        response.writeHead(status, { 'retry-after': '3600' }).on('close', () => left.resolve());
        drip(response, () => response.write('x'));
      },
      {
        longestErrorBodyMs: 30,
        longestReadMs: never,
        timeouts: { headersTimeoutMs: never, bodyTimeoutMs: never, totalTimeoutMs: never },
      },
    );
    expect(await rejection(get())).toMatchObject({ reason, status });
    await left.promise;
    expect(service.requests).toHaveLength(1);
  });
});

test('a wait the service asks for is not waited for when it leaves no time to ask', async () => {
  const { get, clock, service } = await startClient((_request, response) =>
    answerJson(response, 503, {}, { 'retry-after': '20' }),
  );
  expect(await rejection(get())).toMatchObject({ reason: 'unavailable' });
  expect(service.requests).toHaveLength(2);
  expect(clock.sleeps).toEqual([20_000]);
});

test('a reading takes thirty seconds at most', () => {
  const options = { base_url: '', readApiKey: () => '', requestsPerMinute: 1, userAgent: '' };
  const { longestReadMs, longestErrorBodyMs, timeouts } = completeOptions(options);
  expect([longestReadMs, longestErrorBodyMs]).toEqual([30_000, 2000]);
  for (const timeoutMs of Object.values(timeouts)) expect(timeoutMs).toBeLessThanOrEqual(30_000);
});
