import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { completeOptions } from '../../src/api/client-options.ts';
import { rejection, startClient } from '../support/api-client.ts';
import { answerJson } from '../support/scripted-service.ts';

const patienceMs = 400;
/** What a busy machine may add; without patience it would be twice as long and more. */
const slackMs = 4000;

function drip(response: ServerResponse, text: string): void {
  const timer = setInterval(() => response.write(text), 20);
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
      const timer = setInterval(() => response.socket?.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    },
  ],
  ['within its body', response => response.writeHead(200).write('{"projects":[')],
  ['within a body that drips', response => drip(response.writeHead(200), ' ')],
];

describe('a service that never ends an answer', () => {
  test.each(endless)('%s has failed when the patience is over, retries included', async (_, answer) => {
    const { get, outcomes } = await startClient((_request, response) => answer(response), {
      longestReadMs: patienceMs,
      timeouts: { headersTimeoutMs: 150, bodyTimeoutMs: 150, totalTimeoutMs: 10_000 },
      now: Date.now,
    });
    const startedAt = performance.now();
    expect(await rejection(get())).toMatchObject({ reason: 'timeout' });
    expect(performance.now() - startedAt).toBeLessThan(patienceMs + slackMs);
    expect(outcomes()).toContain('timeout');
  });

  test.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [429, 'rate_limited'],
  ])('of status %d is judged by its status before its body', async (status, reason) => {
    const { get, service } = await startClient(
      (_request, response) => drip(response.writeHead(status, { 'retry-after': '3600' }), 'x'),
      { longestErrorBodyMs: 100 },
    );
    const startedAt = performance.now();
    expect(await rejection(get())).toMatchObject({ reason, status });
    expect(performance.now() - startedAt).toBeLessThan(100 + slackMs);
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
  const { longestReadMs, timeouts } = completeOptions(options);
  expect(longestReadMs).toBe(30_000);
  for (const timeoutMs of Object.values(timeouts)) expect(timeoutMs).toBeLessThanOrEqual(30_000);
});
