import { PassThrough } from 'node:stream';
import { setImmediate as settled } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Mutex, readResponseBody } from '../../src/api/transport/response-body.ts';

const mebibyte = 1024 * 1024;

function openBody(bounds: Parameters<typeof readResponseBody>[1]) {
  const stream = new PassThrough();
  const text = readResponseBody({ stream, contentEncoding: undefined, contentLength: undefined }, bounds);
  let isRead = false;
  void text.then(
    () => {
      isRead = true;
    },
    () => {},
  );
  /** Sends megabytes, as far as they are taken. */
  const send = async (count: number) => {
    for (let index = 0; index < count; index += 1) {
      stream.write(Buffer.alloc(mebibyte, 'x'));
      for (let turn = 0; turn < 5; turn += 1) await settled();
    }
  };
  return { stream, text, send, isRead: () => isRead };
}

test('of several large bodies one at a time is read, and a small one waits for none', async () => {
  const bounds = { maxBodyBytes: 64 * mebibyte, largeBodies: new Mutex() };
  const [first, second, third] = [openBody(bounds), openBody(bounds), openBody(bounds)];
  await first.send(10);
  await second.send(20);
  expect(first.stream.readableLength).toBe(0);
  // The rest stays with the sender.
  expect(second.stream.readableLength + second.stream.writableLength).toBeGreaterThan(10 * mebibyte);
  third.stream.end('small');
  expect(await third.text).toBe('small');
  second.stream.end();
  await settled();
  expect(second.isRead()).toBe(false);
  first.stream.end();
  expect((await first.text).length).toBe(10 * mebibyte);
  expect((await second.text).length).toBe(20 * mebibyte);
});

test('a large body that breaks off, or is too large, lets the next one be read', async () => {
  const bounds = { maxBodyBytes: 8 * mebibyte, largeBodies: new Mutex() };
  const broken = openBody(bounds);
  await broken.send(6);
  const tooLarge = openBody(bounds);
  const last = openBody(bounds);
  await tooLarge.send(9);
  await last.send(5);
  last.stream.end();
  broken.stream.destroy(new Error('cut off'));
  await expect(broken.text).rejects.toThrow('cut off');
  await expect(tooLarge.text).rejects.toThrow();
  expect((await last.text).length).toBe(5 * mebibyte);
});
