import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { listenForAbort } from '../../src/api/transport/exchange.ts';

it('tells all who listen when the signal aborts, and none who stopped listening', () => {
  const stopped = new AbortController();
  const told: string[] = [];
  listenForAbort(stopped.signal, () => told.push('first'));
  const stop = listenForAbort(stopped.signal, () => told.push('second'));
  listenForAbort(stopped.signal, () => told.push('third'));
  stop();
  stopped.abort();
  expect(told).toEqual(['first', 'third']);
});

it('shares one listener of the signal, and takes it away with the last who listens', () => {
  const { signal } = new AbortController();
  const stops = [listenForAbort(signal, () => {}), listenForAbort(signal, () => {})];
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  for (const stop of stops) stop();
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('listens again after the last one stopped', () => {
  const stopped = new AbortController();
  listenForAbort(stopped.signal, () => {})();
  let told = 0;
  listenForAbort(stopped.signal, () => {
    told += 1;
  });
  stopped.abort();
  expect(told).toBe(1);
});
