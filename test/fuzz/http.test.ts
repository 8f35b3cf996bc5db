import { once } from 'node:events';
import { connect } from 'node:net';
import { hashSync } from 'bcrypt';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { HttpServer } from '../../src/http/server.ts';
import { openAccess } from '../../src/resources/web-access.ts';
import { fuzz } from './fuzzing.ts';
import { mutateText } from './mutation.ts';

const secret = 'what only alice may read';
const login = Buffer.from('alice:open').toString('base64');
/** What no spelling of it goes without: padding and the last bits mean nothing. */
const loginStem = login.slice(0, 13);
const requests = [
  `GET /metrics HTTP/1.1\r\nHost: a\r\nAccept: application/openmetrics-text;version=1.0.0\r\nAccept-Encoding: gzip\r\nAuthorization: Basic ${login}\r\n\r\n`,
  'GET /-/healthy HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\nHEAD /-/ready?a=b HTTP/1.0\r\n\r\n',
  'POST /-/reload HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhelloGET / HTTP/1.1\r\nHost: a\r\n\r\n',
  'POST /-/reload HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
  'GET /metrics HTTP/1.1\r\nHost: a\r\nAuthorization: Basic YWxpY2U6eA==\r\nX-Prometheus-Scrape-Timeout-Seconds: 10\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n',
];
const words = [
  ...[
    'GET ',
    'HEAD ',
    'PUT ',
    'CONNECT ',
    'TRACE ',
    '/metrics',
    '/-/ready',
    '/%2e%2e/',
    '//',
    '?',
    '#',
    'HTTP/1.1',
  ],
  ...[
    'HTTP/2.0',
    '\r\n',
    '\n',
    '\r',
    '\r\n\r\n',
    ' ',
    ':',
    'Host: b',
    'Content-Length: 0',
    'Content-Length: -1',
  ],
  ...[
    'Transfer-Encoding: chunked',
    'Upgrade: websocket',
    'Connection: upgrade',
    'Range: bytes=0-1',
    'Expect: x',
  ],
  ...[
    'x'.repeat(9000),
    'X: y\r\n'.repeat(300),
    'Accept: ,;q=',
    `Authorization: Basic ${login}`,
    '\x80',
    '\0',
  ],
];

/** What a strict client finds wrong with the answers on a connection; undefined where they are as they should be. */
function findFault(answers: string, mayBeHead: boolean): string | undefined {
  let rest = answers;
  while (rest !== '') {
    const head =
      /^HTTP\/1\.1 (?<status>[1-5]\d\d) [\x20-\x7e]*\r\n(?<headers>(?:[\w-]+: [\x20-\x7e]*\r\n)*)\r\n/.exec(
        rest,
      );
    if (head?.groups === undefined) return `no answer: ${JSON.stringify(rest.slice(0, 200))}`;
    const { status = '', headers = '' } = head.groups;
    if (status.startsWith('5')) return `${status}: ${rest}`;
    rest = rest.slice(head[0].length);
    const length = /^content-length: (\d+)\r$/im.exec(headers)?.[1];
    if (status.startsWith('1') || status === '204' || (length === undefined && rest === '')) continue;
    // Answers of Node itself have no body, in chunks.
    if (
      length === undefined &&
      /^transfer-encoding: chunked\r$/im.test(headers) &&
      rest.startsWith('0\r\n\r\n')
    ) {
      rest = rest.slice(5);
      continue;
    }
    if (length === undefined) return `no length: ${headers}`;
    const after = rest.slice(Number(length));
    const isWhole = rest.length >= Number(length) && (after === '' || after.startsWith('HTTP/1.1 '));
    if (isWhole) rest = after;
    else if (!mayBeHead || (rest !== '' && !rest.startsWith('HTTP/1.1 '))) return `not ${length}: ${rest}`;
  }
  return undefined;
}

describe('requests with mistakes', () => {
  const errors: unknown[] = [];
  let server: HttpServer;
  let port: number;
  beforeAll(async () => {
    const users = new Map([['alice', hashSync('open', 4)]]);
    server = await HttpServer.start({
      listen: [{ host: '127.0.0.1', port: 0 }],
      telemetryPath: '/metrics',
      renderMetrics: async () => ({ pieces: [Buffer.from(secret)], bytes: secret.length }),
      renderLandingPage: () => secret,
      isReady: () => true,
      onError: error => errors.push(error),
      reload: async () => [],
      access: () => ({ ...openAccess, users }),
      healthWithoutLogin: true,
    });
    port = Number(new URL(server.url).port);
  });
  afterAll(() => server?.close());

  const send = async (request: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1')
      .setEncoding('latin1')
      .on('error', () => {});
    let answers = '';
    socket.on('data', text => {
      answers += text;
    });
    const closed = once(socket, 'close');
    socket.end(request, 'latin1');
    await closed;
    return answers;
  };

  fuzz(
    'are answered as a strict client expects, and open no door',
    { quick: 150, long: 12_000 },
    async random => {
      const request = mutateText(random.pick(requests), random, words);
      const answers = await send(request);
      const fault = findFault(answers, request.includes('HEAD'));
      if (fault !== undefined) expect.fail(`${JSON.stringify(request)}\n${fault}`);
      if (answers.includes(secret) && !request.includes(loginStem)) expect.fail(JSON.stringify(request));
      expect(errors).toEqual([]);
    },
  );
});
