import { onTestFinished } from 'vitest';
import { ApiClient } from '../../src/api/client.ts';
import type { ApiAttempt, ClientOptions } from '../../src/api/client-options.ts';
import { type Script, startScriptedService } from './scripted-service.ts';

export const testKey = 'canary-5f2d9a71c3e84b06';

/** A client on an instant clock, without jitter, in front of a service that follows `script`; both close with the test. */
export async function startClient(script: Script, options: Partial<ClientOptions> = {}) {
  const service = await startScriptedService(script);
  const clock = instantClock();
  const attempts: ApiAttempt[] = [];
  const client = new ApiClient({
    base_url: service.base_url,
    readApiKey: () => testKey,
    requestsPerMinute: 600,
    userAgent: 'dbpm-exporter/test',
    onAttempt: attempt => attempts.push(attempt),
    random: () => 1,
    now: clock.now,
    sleep: clock.sleep,
    ...options,
  });
  onTestFinished(async () => {
    await client.close();
    await service.close();
  });
  const outcomes = () => attempts.map(({ outcome }) => outcome);
  const get = (route = '/projects', params: Record<string, string> = {}) =>
    client.get({ route, params, priority: 'list', signal: new AbortController().signal });
  return { client, service, clock, attempts, outcomes, get };
}

/** What a promise is rejected with; fails the test when it is not. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('expected a rejection');
}

/** A clock on which every sleep is over at once, having moved the time; `sleeps` keeps how long each was, in milliseconds. */
function instantClock(startAt = Date.UTC(2026, 0, 1)) {
  let time = startAt;
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => time,
    advance(ms: number): void {
      time += ms;
    },
    async sleep(ms: number, signal: AbortSignal): Promise<void> {
      signal.throwIfAborted();
      sleeps.push(ms);
      time += ms;
    },
  };
}
