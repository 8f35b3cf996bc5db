import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { heldPages, largePage, openServer } from './open-server.ts';
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
    const { page, renderMetrics } = largePage();
    const done = vi.fn();
    const { connect, turnedAway } = await openCounted({
      renderMetrics: async () => ({
        ...{ ...(await renderMetrics()), memory: new ArrayBuffer(page.length), done },
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
  const deadlineMs = 300;
  const longestDeadlineMs = 120_000;
  // Time passes only where a test says so.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('loses the answer after a deadline, however steadily it takes of it', async () => {
    const { page, renderMetrics } = largePage();
    const { connect, turnedAway } = await openCounted({ renderMetrics, deadlineMs });
    const reader = await connect();
    reader.write(ask('/metrics'));
    for (let passedMs = 0; passedMs < deadlineMs; passedMs += 100) {
      await reader.takeSome();
      expect(turnedAway).toEqual([]);
      vi.advanceTimersByTime(100);
    }
    expect(turnedAway).toEqual(['too_slow']);
    reader.socket.resume();
    await reader.untilClosed();
    expect(reader.text().length).toBeLessThan(page.length);
  });

  it('has the time that a Prometheus says it waits, two minutes at most', async () => {
    const { page, renderMetrics } = largePage();
    const { connect, turnedAway } = await openCounted({ renderMetrics, deadlineMs });
    const begin = async (seconds: string) => {
      const reader = await connect();
      reader.write(ask('/metrics', `X-Prometheus-Scrape-Timeout-Seconds: ${seconds}\r\n`));
      await reader.takeSome();
      return reader;
    };
    const patient = await begin('1e9');
    for (const seconds of ['soon', '0.5', '1e9']) await begin(seconds);
    const cutAfter = (ms: number) => {
      vi.advanceTimersByTime(ms);
      return turnedAway.length;
    };
    expect([cutAfter(deadlineMs - 1), cutAfter(1)]).toEqual([0, 1]);
    // A second more than half of one.
    expect([cutAfter(1500 - deadlineMs - 1), cutAfter(1)]).toEqual([1, 2]);
    patient.socket.resume();
    await patient.untilTaken(page.length);
    patient.write(ask('/-/healthy'));
    await patient.untilAnswered(2);
    expect([cutAfter(longestDeadlineMs - 1500 - 1), cutAfter(1)]).toEqual([2, 3]);
    expect(new Set(turnedAway)).toEqual(new Set(['too_slow']));
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
