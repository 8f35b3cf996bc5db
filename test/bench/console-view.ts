import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OverviewAnswer } from '../../src/console/page/overview/overview-answer.ts';
import { ConsoleBrowser } from '../e2e/console/console-browser.ts';
import { findPeer } from '../support/peer.ts';
import type { BenchRun } from './bench-run.ts';
import type { Row } from './benchmark.ts';
import { median } from './percentile.ts';

const longestFirstViewMs = 180_000;
const askPauseMs = 200;
/** How many people look at the same time. */
export const visitors = 20;

export interface Answer {
  readonly status: number;
  readonly ms: number;
  readonly bytes: number;
}

/** One page over a connection that stays, compressed. */
export function ask(url: string, agent: Agent): Promise<Answer> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': 'gzip' };
    const outgoing = get(
      url,
      { agent, headers, timeout: longestFirstViewMs },
      (response: IncomingMessage) => {
        let bytes = 0;
        response.on('data', (piece: Buffer) => {
          bytes += piece.byteLength;
        });
        response.on('end', () => {
          resolve({ ms: performance.now() - startedAt, bytes, status: response.statusCode ?? 0 });
        });
      },
    );
    outgoing.once('error', reject);
  });
}

/** How long it takes until a page is there, though it says at first that it is still being worked out. */
export async function untilMade(url: string, agent: Agent): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const { status } = await ask(url, agent);
    if (status === 200) return performance.now() - startedAt;
    if (performance.now() - startedAt > longestFirstViewMs)
      throw new Error(`${url} answered ${status} for long`);
    await sleep(askPauseMs);
  }
}

/** How long it takes until the overview lacks no report. */
export async function untilComplete(url: string): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const response = await fetch(`${url}/api/v1/overview`);
    const { pending } = (await response.json()) as OverviewAnswer;
    if (pending.length === 0) return performance.now() - startedAt;
    if (performance.now() - startedAt > longestFirstViewMs)
      throw new Error(`the overview lacked ${pending.join(', ')} for long`);
    await sleep(askPauseMs);
  }
}

/** People who look at one page after another, a second apart as if they were reading. */
export async function click(url: string, pages: readonly string[], turnMs: number): Promise<void> {
  const endsAt = performance.now() + turnMs;
  await Promise.all(
    Array.from({ length: visitors }, async (_, visitor) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      await sleep((visitor * 1000) / visitors);
      for (let view = visitor; performance.now() < endsAt; view += 1) {
        await ask(url + (pages[view % pages.length] ?? '/'), agent);
        await sleep(1000);
      }
      agent.destroy();
    }),
  );
}

/** The overview in a browser that has nothing of it yet. @param what names it. */
export async function measureFirstView(url: string, run: BenchRun, what: string): Promise<readonly Row[]> {
  const chromium = findPeer('chromium');
  if (chromium === undefined) {
    run.remark('skipped: the first view needs chromium');
    return [];
  }
  const browser = await ConsoleBrowser.open(chromium);
  run.onEnd(() => browser[Symbol.asyncDispose]());
  const ofLine: number[] = [];
  const ofOverview: number[] = [];
  let bytes = 0;
  const view = async (path: string) => {
    const page = await browser.visit(url);
    bytes = 0;
    page.on('response', async response => {
      const sizes = await response.request().sizes();
      bytes += sizes.responseBodySize + sizes.responseHeadersSize;
    });
    await page.goto(path, { waitUntil: 'networkidle' });
    const paint = Number(await page.evaluate(largestPaint));
    await page.context().close();
    return paint;
  };
  for (let round = 0; round < 5; round += 1) {
    ofLine.push(await view('/-/healthy'));
    ofOverview.push(await view('/'));
  }
  return [
    { what: `one line of text beside the ${what}, largest paint`, value: median(ofLine), unit: 'ms' },
    {
      what: `${what} in a browser, largest paint`,
      value: median(ofOverview),
      unit: 'ms',
      goal: { of: 'value', atMost: 300 },
    },
    {
      what: `${what} in a browser, transferred`,
      value: bytes / 1000,
      unit: 'kB',
      goal: { of: 'value', atMost: 60 },
    },
  ];
}

const largestPaint = `new Promise(resolve => new PerformanceObserver(list =>
  resolve(list.getEntries().at(-1).startTime)).observe({ type: 'largest-contentful-paint', buffered: true }))`;
