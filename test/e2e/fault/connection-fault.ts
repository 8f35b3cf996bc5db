import type { ApiFault } from './api-fault.ts';
import { sending } from './misbehavior.ts';

const jsonHead = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

const unknownTrouble =
  'the connection failed or broke; check base_url and that the service can be reached from here';
export const broken = (cause: string, advice = unknownTrouble) =>
  `GET /projects failed: ${advice} (${cause})`;
const late = (cause: string) =>
  `GET /projects failed: the service did not answer in time; check base_url, the network and any proxy in between (${cause})`;

/** What networks do. */
export const connectionFaults: readonly ApiFault[] = [
  {
    fault: 'the connection is refused',
    group: 'connection',
    inflict: ({ gateway }) => gateway.refuse(),
    heal: ({ gateway }) => gateway.accept(),
    reason: 'network',
    log: broken(
      'ECONNREFUSED: connect ECONNREFUSED HOST:PORT',
      'nothing listens there; check base_url, and the proxy where there is one',
    ),
  },
  {
    fault: 'the connection is reset as soon as it is there',
    group: 'connection',
    inflict: ({ gateway }) => gateway.disconnect(socket => void socket.resetAndDestroy()),
    heal: ({ gateway }) => gateway.disconnect(),
    reason: 'network',
    log: broken('ECONNRESET'),
  },
  {
    fault: 'the connection is reset after the request',
    group: 'connection',
    inflict: ({ gateway }) => gateway.misbehave(({ socket }) => void socket.resetAndDestroy()),
    reason: 'network',
    log: broken('ECONNRESET'),
  },
  {
    fault: 'the connection is closed after the request, without an answer',
    group: 'connection',
    inflict: ({ gateway }) => gateway.misbehave(({ socket }) => void socket.end()),
    reason: 'network',
    log: broken('UND_ERR_SOCKET: other side closed'),
  },
  {
    fault: 'the service takes the request and never answers',
    group: 'connection',
    inflict: ({ gateway }) => gateway.misbehave(() => {}),
    reason: 'timeout',
    log: late('TOTAL_TIMEOUT: not finished after N ms'),
  },
  {
    fault: 'the answer stops in the middle of its headers',
    group: 'connection',
    inflict: ({ gateway }) => gateway.misbehave(sending([`${jsonHead}date: Sun`])),
    reason: 'timeout',
    log: late('TOTAL_TIMEOUT: not finished after N ms'),
  },
  {
    fault: 'the answer stops in the middle of its body',
    group: 'connection',
    inflict: ({ gateway }) =>
      gateway.misbehave(sending([`${jsonHead}content-length: 900\r\n\r\n{"projects":[`])),
    reason: 'timeout',
    log: late('TOTAL_TIMEOUT: not finished after N ms'),
  },
  {
    fault: 'the body of the answer drips, a byte a second',
    group: 'connection',
    inflict: ({ gateway }) =>
      gateway.misbehave(
        sending([`${jsonHead}content-length: 900\r\n\r\n{`, ...Array.from({ length: 800 }, () => ' ')], {
          everyMs: 1000,
        }),
      ),
    fails: ['projects', 'endpoints', 'api_keys'],
    reason: 'timeout',
    log: late('TOTAL_TIMEOUT: not finished after N ms'),
  },
  {
    fault: 'the connection ends in the middle of the body',
    group: 'connection',
    inflict: ({ gateway }) =>
      gateway.misbehave(sending([`${jsonHead}content-length: 900\r\n\r\n{"projects":[`], { end: true })),
    reason: 'network',
    log: broken('UND_ERR_SOCKET: other side closed'),
  },
  {
    fault: 'what answers speaks no HTTP',
    group: 'connection',
    inflict: ({ gateway }) => gateway.misbehave(sending(['SSH-2.0-OpenSSH_9.2p1\r\n'], { end: true })),
    reason: 'network',
    log: broken('no HTTP/1.1: Response does not match the HTTP/1.1 protocol (Expected HTTP/, RTSP/ or ICE/)'),
  },
  {
    fault: 'the headers of the answer are larger than any client reads',
    group: 'connection',
    inflict: ({ gateway }) =>
      gateway.misbehave(sending([`${jsonHead}x-large: ${'x'.repeat(300_000)}\r\n\r\n{}`], { end: true })),
    reason: 'too_large',
    log: 'GET /projects failed: the service sends larger headers than any client reads; check that base_url is that of the API (UND_ERR_HEADERS_OVERFLOW: Headers Overflow Error)',
  },
  {
    fault: 'the name of the service cannot be resolved',
    group: 'connection',
    by: 'name',
    inflict: ({ gateway, forgetName }) => {
      forgetName(true);
      // A connection that is there needs no name.
      gateway.disconnect(socket => void socket.destroy());
    },
    heal: ({ gateway, forgetName }) => {
      gateway.disconnect();
      forgetName(false);
    },
    reason: 'network',
    log: broken(
      'ENOTFOUND: getaddrinfo ENOTFOUND HOST',
      'its name is not known; check the host in base_url and the name service of this host',
    ),
  },
];
