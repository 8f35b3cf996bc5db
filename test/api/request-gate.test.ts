import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Priority, RequestGate } from '../../src/api/pacing/request-gate.ts';
import { rejection } from '../support/api-client.ts';

/** A gate on a clock that stands still until `wake` moves it to the end of the gate's sleep. */
function heldGate(requestsPerMinute = 20) {
  let time = 0;
  let asleep: { ms: number; resolve: () => void } | undefined;
  const gate = new RequestGate({
    requestsPerMinute,
    longestWaitMs: 30_000,
    now: () => time,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        asleep = { ms, resolve };
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
  });
  const passed: string[] = [];
  const take = (priority: Priority, name: string, signal = new AbortController().signal) =>
    gate.take(priority, signal).then(() => passed.push(name));
  const wake = async () => {
    time += asleep?.ms ?? 0;
    asleep?.resolve();
    await setImmediate();
  };
  return { gate, passed, take, wake, isAsleep: () => asleep !== undefined };
}

describe('the gate', () => {
  test('lets a request pass at once while there are tokens', async () => {
    const { take, passed, isAsleep } = heldGate();
    await take('refresh', 'r1');
    expect([passed, isAsleep()]).toEqual([['r1'], false]);
  });

  test('lets lists go first and keeps the order of arrival within a kind', async () => {
    const { take, passed, wake } = heldGate();
    await take('list', 'first');
    for (const name of ['r1', 'r2']) take('refresh', name);
    for (const name of ['l1', 'l2']) take('list', name);
    for (let step = 0; step < 4; step += 1) await wake();
    expect(passed).toEqual(['first', 'l1', 'l2', 'r1', 'r2']);
  });

  test('lets what is urgent go before the lists, but not without end', async () => {
    const { take, passed, wake } = heldGate();
    await take('list', 'first');
    take('refresh', 'refresh');
    take('list', 'list');
    for (let count = 1; count <= 5; count += 1) take('urgent', `u${count}`);
    for (let step = 0; step < 7; step += 1) await wake();
    expect(passed).toEqual(['first', 'u1', 'u2', 'u3', 'list', 'refresh', 'u4', 'u5']);
  });

  test('starves no refresh, however many lists wait', async () => {
    const { take, passed, wake } = heldGate();
    await take('list', 'first');
    take('refresh', 'refresh');
    for (let count = 1; count <= 9; count += 1) take('list', `l${count}`);
    for (let step = 0; step < 6; step += 1) await wake();
    expect(passed).toEqual(['first', 'l1', 'l2', 'l3', 'l4', 'refresh', 'l5']);
  });

  test('lets a request that gives up leave at once, and the next one take its place', async () => {
    const { take, passed, wake } = heldGate();
    const controller = new AbortController();
    await take('list', 'first');
    const leaving = rejection(take('list', 'gone', controller.signal));
    take('list', 'next');
    controller.abort(new Error('shutting down'));
    expect(await leaving).toEqual(new Error('shutting down'));
    await wake();
    expect(passed).toEqual(['first', 'next']);
  });

  test('refuses a request whose signal is aborted already', async () => {
    const { take, passed } = heldGate();
    expect(await rejection(take('list', 'late', AbortSignal.abort('over')))).toBe('over');
    expect(passed).toEqual([]);
  });

  test('serves again after everyone who waited has left', async () => {
    const { take, passed, wake } = heldGate();
    const controller = new AbortController();
    await take('list', 'first');
    const leaving = rejection(take('list', 'gone', controller.signal));
    controller.abort();
    await leaving;
    take('list', 'later');
    await wake();
    expect(passed).toEqual(['first', 'later']);
  });

  test('tells those who wait, and those who come, of a pause too long to wait for', async () => {
    const { gate } = heldGate();
    const { signal } = new AbortController();
    await gate.take('list', signal);
    const waiting = gate.take('refresh', signal);
    gate.slowDown({ sentAt: 0, retryAt: 30_001 });
    expect(await waiting).toBe(30_001);
    expect(await gate.take('list', signal)).toBe(30_001);
  });

  test('waits for a short pause', async () => {
    const { gate, take, passed, wake } = heldGate(600);
    gate.slowDown({ sentAt: 0, retryAt: 30_000 });
    take('list', 'after');
    await setImmediate();
    expect(passed).toEqual([]);
    await wake();
    expect(passed).toEqual(['after']);
  });

  test('hands a failing clock on to those who wait', async () => {
    const broken = new Error('no timers left');
    const gate = new RequestGate({
      requestsPerMinute: 1,
      longestWaitMs: 30_000,
      now: () => 0,
      sleep: () => Promise.reject(broken),
    });
    const { signal } = new AbortController();
    await gate.take('list', signal);
    expect(await rejection(gate.take('list', signal))).toBe(broken);
  });

  test('fails everyone with the error it is closed with', async () => {
    const { gate } = heldGate();
    const { signal } = new AbortController();
    await gate.take('list', signal);
    const waiting = rejection(gate.take('list', signal));
    gate.close(new Error('closed'));
    expect(await waiting).toEqual(new Error('closed'));
    expect(await rejection(gate.take('list', signal))).toEqual(new Error('closed'));
  });
});
