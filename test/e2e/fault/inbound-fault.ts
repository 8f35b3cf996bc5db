import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { openConnection, sendRaw } from './raw-request.ts';

/** A row of the table of faults about what clients do to the place where the daemon serves. */
interface InboundFault {
  readonly fault: string;
  /** Does it, scrapes meanwhile, and says what became of it. */
  inflict(url: string, scrape: () => Promise<void>): Promise<string>;
  /** What becomes of it. */
  readonly outcome: string;
  /** Whether it is done where only those are served who log in; the scrapes do. */
  readonly login?: boolean;
}

const get = (path: string, headers = 'Host: x\r\n') => `GET ${path} HTTP/1.1\r\n${headers}\r\n`;

/** Sends these bytes while it scrapes. */
function sending(fault: string, bytes: string | Buffer, outcome: string): InboundFault {
  return {
    fault,
    async inflict(url, scrape) {
      const [answer] = await Promise.all([sendRaw(url, bytes, outcome), scrape()]);
      return answer;
    },
    outcome,
  };
}

/** Opens a number of connections, does something on each, scrapes, and closes all that are left. */
function connecting(fault: string, count: number, bytes: string, outcome: string): InboundFault {
  return {
    fault,
    async inflict(url, scrape) {
      const sockets: Socket[] = [];
      while (sockets.length < count) {
        const next = await Promise.all(Array.from({ length: 20 }, () => openConnection(url)));
        for (const socket of next) {
          socket.pause();
          if (bytes !== '') socket.write(bytes);
        }
        sockets.push(...next);
        if (bytes !== '') await pause(200);
      }
      for (let scrapes = 0; scrapes < 5; scrapes += 1) {
        await scrape();
        await pause(500);
      }
      for (const socket of sockets) socket.destroy();
      return outcome;
    },
    outcome,
  };
}

/** Logs in so often at the same time while it scrapes, and says how that is answered. */
function loggingIn(fault: string, nameLogin: (index: number) => string): InboundFault {
  return {
    fault,
    async inflict(url, scrape) {
      const statuses = new Set<number>();
      const logins = Array.from({ length: 300 }, async (_, index) => {
        const login = Buffer.from(nameLogin(index)).toString('base64');
        const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Basic ${login}` } });
        await answer.bytes();
        statuses.add(answer.status);
      });
      await Promise.all([...logins, scrape()]);
      return [...statuses].toSorted().join(' or ');
    },
    outcome: '401 or 429',
    login: true,
  };
}

const methods = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];
const paths = [
  '/METRICS',
  '/metrics/',
  '//metrics',
  '/./metrics',
  '/x/../metrics',
  '/metrics%00',
  '/%2e%2e/etc/passwd',
  '/metrics;a',
];

/** What clients do, or send. */
export const inboundFaults: readonly InboundFault[] = [
  connecting('ten thousand connections that say nothing', 10_000, '', 'the oldest idle ones give way'),
  connecting('two hundred readers that take nothing of the page', 200, get('/metrics'), 'scrapes go on'),
  {
    fault: 'a request whose headers come a byte a second',
    async inflict(url, scrape) {
      const socket = await openConnection(url);
      const startedAt = Date.now();
      let answer = '';
      socket.on('data', data => {
        answer += data;
      });
      for (const byte of get('/metrics', `Host: ${'x'.repeat(100)}\r\n`)) {
        if (socket.destroyed || answer !== '' || Date.now() - startedAt > 40_000) break;
        socket.write(byte);
        await scrape();
        await pause(1000);
      }
      socket.destroy();
      return answer.slice(9, 12);
    },
    outcome: '408',
  },
  loggingIn('three hundred wrong passwords at once', index => `scraper:wrong ${index}`),
  loggingIn('three hundred users at once that are none', index => `nobody ${index}:open`),
  sending('a header of 20 kB', get('/metrics', `Host: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n`), '431'),
  sending('a path of 20 kB', get(`/${'x'.repeat(20_000)}`), '431'),
  sending('a thousand headers', get('/metrics', `Host: x\r\n${'a: b\r\n'.repeat(1000)}`), '431'),
  sending(
    'a body of ten megabytes where none is expected',
    Buffer.concat([
      Buffer.from(`POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: ${10 * 2 ** 20}\r\n\r\n`),
      Buffer.alloc(10 * 2 ** 20),
    ]),
    '405',
  ),
  ...methods.map(method =>
    sending(
      `the method ${method}`,
      `${method} /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`,
      '405',
    ),
  ),
  sending('a method that is none', 'BREW /metrics HTTP/1.1\r\nHost: x\r\n\r\n', '400'),
  ...paths.map(path => sending(`the path ${path}`, get(path), '404')),
  sending('two hundred requests in one packet', get('/-/healthy').repeat(200), '200 × 200'),
  sending(
    'an Accept header of garbage',
    get(
      '/metrics',
      'Host: x\r\nAccept: ;;q=,application/openmetrics-text;version=9;q=zz,,*/\r\nAccept-Encoding: ;q=2,gzip;q=nan\r\n',
    ),
    '200',
  ),
  sending('no Host', get('/metrics', ''), '400'),
  sending(
    'a length and chunks at the same time',
    get('/metrics', 'Host: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n'),
    '400',
  ),
  sending('what is no HTTP', '\u0000\u0001\u0002 nothing\r\n\r\n', '400'),
  sending('the hello of TLS where none is spoken', Buffer.from('16030100c8010000c40303', 'hex'), '400'),
];
