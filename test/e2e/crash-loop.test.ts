import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { answerJson, type ReceivedRequest, startScriptedService } from '../support/scripted-service.ts';

const requestsPerMinute = 400;
/** What such a budget allows at once. */
const burst = 20;
const starts = 6;
const lifeMs = 1000;

const projects = Array.from({ length: 500 }, (_, index) => ({ id: `p${index}`, name: `project ${index}` }));

/** More projects than the budget could read in the time of the test. */
function answer({ url }: ReceivedRequest, response: ServerResponse): void {
  if (url.pathname.endsWith('/projects')) answerJson(response, 200, { projects });
  else if (url.pathname.endsWith('/endpoints')) answerJson(response, 200, { endpoints: [] });
  else if (url.pathname.endsWith('/operations')) answerJson(response, 200, { operations: [] });
  else answerJson(response, 200, []);
}

test('a daemon that is killed again and again asks no more than its budget, with one burst in all', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-crash-'));
  const service = await startScriptedService(answer);
  onTestFinished(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const startedAt = Date.now();
  const asked: number[] = [];
  for (let start = 0; start < starts; start += 1) {
    const before = service.requests.length;
    const daemon = startDaemonProcess({
      base_url: service.base_url,
      apiKey: 'crash-loop-key',
      historyFile: join(folder, 'history.sqlite'),
      env: { DBPM_REQUESTS_PER_MINUTE: String(requestsPerMinute) },
    });
    await daemon.untilServing();
    await sleep(lifeMs);
    await vi.waitFor(() => expect(service.requests.length).toBeGreaterThan(before), 30_000);
    expect(await daemon.stop('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
    asked.push(service.requests.length - before);
  }
  const minutes = (Date.now() - startedAt) / 60_000;
  expect(service.requests.length).toBeLessThanOrEqual(burst + requestsPerMinute * minutes);
  expect(
    asked.every(count => count > 0),
    `requests of each life: ${asked}`,
  ).toBe(true);
  expect(service.requests.length).toBeGreaterThan(burst);
}, 180_000);
