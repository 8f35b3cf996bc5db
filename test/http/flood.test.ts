import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { heldPages, openServer } from './open-server.ts';
import { connectRaw, type RawClient } from './raw-client.ts';

const ask = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: raw\r\n${more}\r\n`;

/** A server whose clock stands still until told, and who was turned away from it. */
async function openCounted(options: Parameters<typeof openServer>[0] = {}) {
  const clock = { now: 0 };
  const turnedAway: string[] = [];
  const opened = await openServer({
    now: () => clock.now,
    onTurnedAway: reason => turnedAway.push(reason),
    ...options,
  });
  return { ...opened, clock, turnedAway, connect: () => connectRaw(opened.server.url) };
}

const large = Buffer.alloc(16_000_000, 'x');

describe('more connections than there may be', () => {
  it('take the places of those that have been idle for longest', async () => {
    const { connect, get, turnedAway } = await openCounted({ mostConnections: 3 });
    const silent = await connect();
    const halfAsked = await connect();
    halfAsked.write('GET /metrics HTTP/1.1\r\nHost: h');
    const scraper = await connect();
    scraper.write(ask('/metrics'));
    await scraper.untilAnswered(1);
    expect((await get('/metrics')).status).toBe(200);
    await silent.untilClosed();
    expect([halfAsked.isOpen(), scraper.isOpen()]).toEqual([true, true]);
    const others = [await connect(), await connect()];
    await halfAsked.untilClosed();
    scraper.write(ask('/metrics'));
    await scraper.untilAnswered(2);
    expect(others.every(({ isOpen }) => isOpen())).toBe(true);
    expect(new Set(turnedAway)).toEqual(new Set(['connection_replaced']));
  });

  it('are not taken while all others are being answered, unless one takes long', async () => {
    const { renderMetrics, release } = heldPages();
    const { connect, clock, turnedAway } = await openCounted({ mostConnections: 2, renderMetrics });
    const readers = [await connect(), await connect()];
    for (const reader of readers) reader.write(ask('/metrics'));
    await vi.waitFor(() => expect(renderMetrics).toHaveBeenCalledTimes(2), 10_000);
    const late = await connect();
    await late.untilClosed();
    expect(turnedAway).toEqual(['connection_refused']);
    clock.now = 2001;
    const later = await connect();
    await readers[0]?.untilClosed();
    expect([readers[1]?.isOpen(), later.isOpen()]).toEqual([true, true]);
    release();
    await readers[1]?.untilAnswered(1);
    expect(turnedAway).toEqual(['connection_refused', 'connection_replaced']);
  });
});

describe('more readers of the metrics than there may be', () => {
  it('are asked to come back, while health is still told', async () => {
    const { renderMetrics, release } = heldPages();
    const { connect, get, clock, turnedAway } = await openCounted({ renderMetrics });
    const readers: RawClient[] = [];
    for (let index = 0; index < 40; index += 1) readers.push(await connect());
    for (const reader of readers) reader.write(ask('/metrics'));
    await vi.waitFor(() => expect(renderMetrics).toHaveBeenCalledTimes(40), 10_000);
    const refused = await get('/metrics');
    expect([refused.status, refused.headers['retry-after'], refused.body]).toEqual([
      503,
      '1',
      'Too many readers take the metrics at the same time.\n',
    ]);
    expect((await get('/-/healthy')).status).toBe(200);
    expect((await get('/-/ready')).status).toBe(200);
    clock.now = 2001;
    const fresh = get('/metrics');
    await readers[0]?.untilClosed();
    release();
    expect((await fresh).status).toBe(200);
    expect(turnedAway).toEqual(['too_many_answers', 'too_slow']);
    expect((await get('/metrics')).status).toBe(200);
  });

  it('that come over one connection leave their places when it is gone', async () => {
    const { renderMetrics, release } = heldPages();
    const { connect, get, turnedAway } = await openCounted({ renderMetrics });
    const pipelining = await connect();
    pipelining.write(ask('/metrics').repeat(100));
    await vi.waitFor(() => expect(turnedAway).toHaveLength(60), 10_000);
    expect(renderMetrics).toHaveBeenCalledTimes(40);
    expect((await get('/metrics')).status).toBe(503);
    pipelining.socket.destroy();
    await vi.waitFor(async () => {
      release();
      expect((await get('/metrics')).status).toBe(200);
    }, 10_000);
  });

  it('of ever newer pages hold a few of them at most', async () => {
    const done = vi.fn();
    const { connect, turnedAway } = await openCounted({
      renderMetrics: async () => ({
        ...{ pieces: [large], bytes: large.length, memory: new ArrayBuffer(large.length), done },
      }),
    });
    const readers: RawClient[] = [];
    for (let index = 0; index < 5; index += 1) {
      const reader = await connect();
      reader.socket.pause();
      reader.write(ask('/metrics'));
      readers.push(reader);
    }
    await vi.waitFor(() => expect(done).toHaveBeenCalledTimes(3), 10_000);
    expect(turnedAway).toEqual(['too_slow', 'too_slow', 'too_slow']);
  });
});

describe('a reader who is too slow', () => {
  const renderMetrics = async () => ({ pieces: [large], bytes: large.length });

  it('loses the answer after a deadline, however steadily it takes of it', async () => {
    const { connect, turnedAway } = await openCounted({ renderMetrics, deadlineMs: 300 });
    const reader = await connect();
    reader.write(ask('/metrics'));
    reader.socket.on('data', () => {
      reader.socket.pause();
      setTimeout(() => reader.socket.resume(), 10);
    });
    await vi.waitFor(() => expect(turnedAway).toEqual(['too_slow']), 10_000);
    reader.socket.removeAllListeners('data').resume();
    await reader.untilClosed();
  });

  it('has the time that a Prometheus says it waits, two minutes at most', async () => {
    const { connect, turnedAway } = await openCounted({ renderMetrics, deadlineMs: 50 });
    const patient = await connect();
    patient.socket.pause();
    patient.write(ask('/metrics', 'X-Prometheus-Scrape-Timeout-Seconds: 1e9\r\n'));
    const hasty = await connect();
    hasty.socket.pause();
    hasty.write(ask('/metrics', 'X-Prometheus-Scrape-Timeout-Seconds: soon\r\n'));
    await vi.waitFor(() => expect(turnedAway).toEqual(['too_slow']), 10_000);
    await sleep(100);
    patient.socket.resume();
    await vi.waitFor(() => expect(patient.text().length).toBeGreaterThan(large.length), 10_000);
    expect(turnedAway).toEqual(['too_slow']);
  });
});

describe('a request that', () => {
  it('has a header without an end is refused', async () => {
    const { connect, get } = await openCounted();
    const client = await connect();
    client.write(`GET /metrics HTTP/1.1\r\nHost: raw\r\nX-Long: ${'x'.repeat(20_000)}`);
    await client.untilClosed();
    expect(client.statuses()).toEqual([431]);
    expect((await get('/metrics')).status).toBe(200);
  });

  it('never sends its body is answered all the same', async () => {
    const { connect } = await openCounted({ reload: async () => [] });
    const client = await connect();
    client.write('POST /-/reload HTTP/1.1\r\nHost: raw\r\nContent-Length: 1000000\r\n\r\nx');
    await client.untilAnswered(1);
    expect(client.statuses()).toEqual([200]);
  });
});
