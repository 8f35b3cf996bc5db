import { type Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OverviewAnswer } from '../../src/console/page/overview/overview-answer.ts';

const longestFirstViewMs = 180_000;
const askPauseMs = 200;

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
