import { describe, expect, test } from 'vitest';
import { rejection, startClient } from '../support/api-client.ts';
import { answerJson } from '../support/scripted-service.ts';

/** A service that asks the first key, on every path or one, to wait for an hour. */
async function startPaused(status: number, key: { value: string }) {
  const started = await startClient(
    ({ headers }, response) => {
      const isFirst = headers.authorization === 'Bearer first-key';
      answerJson(response, isFirst ? status : 200, {}, isFirst ? { 'retry-after': '3600' } : {});
    },
    { readApiKey: () => key.value },
  );
  await rejection(started.get());
  return started;
}

describe('a pause', () => {
  test.each([429, 503])('after %d is told with the instant it ends', async status => {
    const { client, clock } = await startPaused(status, { value: 'first-key' });
    expect(client.pausedUntil('/projects')).toBe(clock.now() + 3_600_000);
    clock.advance(3_600_000);
    expect(client.pausedUntil('/projects')).toBeUndefined();
  });

  test('of one path is none of another', async () => {
    const { client } = await startPaused(503, { value: 'first-key' });
    expect(client.pausedUntil('/api_keys')).toBeUndefined();
  });

  test.each([429, 503])('after %d ends when the key is exchanged', async status => {
    const key = { value: 'first-key' };
    const { client, get, service } = await startPaused(status, key);
    await rejection(get());
    const sent = service.requests.length;
    key.value = 'second-key';
    await get();
    expect(service.requests).toHaveLength(sent + 1);
    expect(client.pausedUntil('/projects')).toBeUndefined();
  });

  test('that an earlier run left stays, whatever the key', async () => {
    const now = Date.UTC(2026, 0, 1);
    const budget = { perMinute: 60, settledAt: now, pausedUntil: now + 3_600_000 };
    const { client, get, service } = await startClient((_, response) => answerJson(response, 200, {}), {
      budget,
    });
    expect(await rejection(get())).toMatchObject({ reason: 'rate_limited' });
    expect(client.pausedUntil('/projects')).toBe(now + 3_600_000);
    expect(service.requests).toEqual([]);
  });
});
