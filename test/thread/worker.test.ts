import { MessageChannel } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Link, transfer } from '../../src/thread/link.ts';
import { startWorker } from '../../src/thread/worker.ts';
import { patience } from '../support/patience.ts';
import type { SampleApi, SampleListeners } from './sample-thread.ts';

function start(greeting = 'good morning') {
  const noted: string[] = [];
  const failed: Error[] = [];
  const listeners: SampleListeners = {
    noted: word => noted.push(word),
    failed: error => failed.push(error),
  };
  const thread = startWorker<SampleApi>(new URL('./sample-thread.ts', import.meta.url), {
    data: greeting,
    listeners,
    ended: 'the sample thread ended',
  });
  onTestFinished(() => thread.close());
  return { thread, noted, failed };
}

test('a method of another thread is called with arguments, and answers at once or later', async () => {
  const { thread } = start();
  const late = thread.ask.greetLate('late');
  expect(await thread.ask.greet('world')).toBe('good morning, world');
  expect(await late).toBe('good morning, late');
});

test('what a thread tells comes before the answer that it gives after it, and in order', async () => {
  const { thread, noted } = start();
  thread.tell.say(['first', 'second']);
  expect(await thread.ask.say(['third'])).toBe('said');
  expect(noted).toEqual(['first', 'second', 'third']);
});

test('an error arrives with its name, message, code, kind and cause', async () => {
  const { thread } = start();
  await expect(thread.ask.refuse()).rejects.toMatchObject({
    name: 'RangeError',
    message: 'nothing can be written',
    kind: 'run',
    stack: expect.stringContaining('sample-thread.ts'),
    cause: { name: 'Error', message: 'no space left', code: 'ENOSPC' },
  });
  expect(await thread.ask.greet('again')).toBe('good morning, again');
});

test('an error that is told arrives as one that is thrown does', async () => {
  const { thread, failed } = start();
  await thread.ask.complain();
  expect(failed).toMatchObject([
    {
      name: 'TypeError',
      message: 'nothing can be said',
      cause: { message: 'no space left', code: 'ENOSPC' },
    },
  ]);
});

test('an answer that cannot be copied rejects the call alone', async () => {
  const { thread } = start();
  await expect(thread.ask.nothingToCopy()).rejects.toMatchObject({ name: 'DataCloneError' });
  expect(await thread.ask.greet('again')).toBe('good morning, again');
});

test('memory moves to the other thread and back without being copied', async () => {
  const { thread } = start();
  const numbers = new Float64Array([1, 2.5]);
  const doubled = thread.ask.double(transfer(numbers, [numbers.buffer]));
  expect(numbers.buffer.detached).toBe(true);
  expect(await doubled).toEqual(new Float64Array([2, 5]));
});

test('a function that is handed over is called before the answer', async () => {
  const { thread } = start();
  const counts: number[] = [];
  expect(await thread.ask.count(3, count => counts.push(count))).toBe(3);
  expect(counts).toEqual([1, 2, 3]);
});

test('a call that is aborted rejects at once with the reason, and the method hears of it', async () => {
  const { thread, noted } = start();
  const abort = new AbortController();
  const waiting = thread.ask.waitFor(abort.signal);
  expect(await thread.ask.greet('meanwhile')).toBe('good morning, meanwhile');
  abort.abort(new Error('the reader has gone'));
  await expect(waiting).rejects.toThrow('the reader has gone');
  await vi.waitFor(() => expect(noted).toEqual(['aborted']), patience);
  await expect(thread.ask.waitFor(abort.signal)).rejects.toThrow('the reader has gone');
});

test('a thread calls methods of a third one over a channel, until that is closed', async () => {
  const { thread } = start();
  const { port1, port2 } = new MessageChannel();
  thread.tell.listen(transfer(port2, [port2]));
  const direct = new Link<SampleApi>(port1);
  expect(await direct.ask.greet('neighbour')).toBe('good morning, neighbour');
  await thread.close();
  await expect(direct.ask.greet('neighbour')).rejects.toThrow('the other thread ended');
});

test('a thread that dies rejects all that waits and all that is asked, with the cause', async () => {
  const { thread } = start();
  const waiting = thread.ask.waitFor(new AbortController().signal);
  thread.tell.fall();
  const ended = { message: 'the sample thread ended', cause: { message: 'it fell', code: 'EFELL' } };
  await expect(waiting).rejects.toMatchObject(ended);
  await expect(thread.ask.greet('nobody')).rejects.toMatchObject(ended);
  expect(await thread.ended).toMatchObject(ended);
});

test('a thread that cannot begin rejects all that is asked with the reason, and ends', async () => {
  const { thread } = start('');
  const reason = { message: 'there is no greeting', code: 'ENOGREETING' };
  await expect(thread.ask.greet('nobody')).rejects.toMatchObject(reason);
  expect(await thread.ended).toMatchObject({ message: 'the sample thread ended', cause: reason });
  await expect(thread.ask.greet('nobody')).rejects.toMatchObject(reason);
});

test('a thread that hangs can be closed, which rejects what waits and is no end by itself', async () => {
  const { thread } = start();
  const ended = vi.fn();
  void thread.ended.then(ended);
  const waiting = expect(thread.ask.hang()).rejects.toThrow('the sample thread ended');
  await thread.close();
  await waiting;
  expect(ended).not.toHaveBeenCalled();
});

test('a failure that its owner finds rejects what waits, and what is asked later', async () => {
  const { thread } = start();
  const waiting = expect(thread.ask.waitFor(new AbortController().signal)).rejects.toThrow('lost');
  thread.fail(new Error('lost'));
  await waiting;
  await expect(thread.ask.greet('nobody')).rejects.toThrow('lost');
});
