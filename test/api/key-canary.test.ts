import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { rejection, startClient, testKey } from '../support/api-client.ts';
import { answerJson, type Script } from '../support/scripted-service.ts';

const everything = (value: unknown) =>
  inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true, maxStringLength: null });

/** Services that send the key back wherever an answer has room for it. */
const echoes: Readonly<Record<string, Script>> = {
  'in the message of an error': (_, response) =>
    answerJson(response, 401, { message: `key ${testKey} is not known`, code: testKey, request_id: testKey }),
  'across the place where a message is cut': (_, response) =>
    answerJson(response, 403, { message: `${'x'.repeat(190)}${testKey}` }),
  'in a gateway page': (_, response) => response.writeHead(502).end(`<html>${testKey}</html>`),
  'as something that is not JSON': (_, response) => response.end(testKey),
  'in its content type': (_, response) =>
    response.writeHead(200, { 'content-type': `text/${testKey}` }).end('<'),
  'in the address of a redirect': (_, response) =>
    response.writeHead(302, { location: `https://x/?${testKey}` }).end(),
  'as something that is not HTTP': (_, response) => response.socket?.end(`${testKey}\r\n\r\n`),
  'in a broken header': (_, response) => response.socket?.end(`HTTP/1.1 200 OK\r\n${testKey}\r\n\r\n`),
  'in a torn body': (_, response) => {
    response.writeHead(200, { 'content-length': '1000' }).write(testKey, () => response.destroy());
  },
  'in damaged gzip': (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(testKey),
  'as a content coding': (_, response) => response.writeHead(200, { 'content-encoding': testKey }).end('{}'),
};

describe('the key is in no error when the service sends it back', () => {
  test.each(Object.entries(echoes))('%s', async (_name, script) => {
    const { get, service } = await startClient(script);
    const error = await rejection(get());
    expect(error).toMatchObject({ name: 'ApiError' });
    expect(service.requests[0]?.headers.authorization).toBe(`Bearer ${testKey}`);
    for (let length = 8; length <= testKey.length; length += 1) {
      expect(everything(error)).not.toContain(testKey.slice(0, length));
    }
  });
});

describe('a key that cannot be sent', () => {
  test.each([
    ['with a line break', `${testKey}\nx`],
    ['with a line break at its end', `${testKey}\r\n`],
    ['with a space', `${testKey} x`],
    ['with a letter no header has', `${testKey}é`],
  ])('%s is an error that does not show it', async (_name, key) => {
    const { get, service, attempts } = await startClient(() => {}, { readApiKey: () => key });
    const error = await rejection(get());
    expect(error).toMatchObject({
      reason: 'unauthorized',
      message:
        'GET /projects was not sent: the API key contains a space, a line break or another character that no key has; copy it again',
    });
    expect(everything(error)).not.toContain(testKey);
    expect([service.requests, attempts]).toEqual([[], []]);
  });

  test('because it is empty says so', async () => {
    const { get } = await startClient(() => {}, { readApiKey: () => '' });
    expect(await rejection(get())).toMatchObject({
      reason: 'unauthorized',
      message: 'GET /projects was not sent: the API key is empty',
    });
  });

  test('because it cannot be read says why', async () => {
    const { get } = await startClient(() => {}, {
      readApiKey: () => {
        throw new Error('ENOENT: no such file, open /run/secrets/dbpm');
      },
    });
    expect(await rejection(get())).toMatchObject({
      reason: 'unauthorized',
      message:
        'GET /projects was not sent: the API key cannot be read: ENOENT: no such file, open /run/secrets/dbpm',
    });
  });
});

test('the client itself does not show the key', async () => {
  const { client, get } = await startClient((_, response) => answerJson(response, 200, {}));
  await get();
  expect(everything(client)).not.toContain(testKey);
});
