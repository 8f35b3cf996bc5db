import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { DaemonProcess } from '../../support/daemon-process.ts';
import { type SimulatedWorld, startWorld } from '../simulated-world.ts';
import { inboundFaults } from './inbound-fault.ts';

const longestScrapeMs = 10_000;
const mostMegabytes = 512;
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

let world: SimulatedWorld;
let daemon: DaemonProcess;
let url: string;

beforeAll(async () => {
  world = await startWorld({ projects: 20, historyDays: 1 });
  daemon = world.startDaemon();
  url = await daemon.untilServing();
  await vi.waitFor(
    async () => expect(await (await fetch(`${url}/metrics`)).text()).toContain('dbpm_endpoint_info{'),
    {
      timeout: 30_000,
    },
  );
});

afterAll(() => world.close());

async function scrape(): Promise<void> {
  const answer = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(longestScrapeMs) });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('dbpm_endpoint_info{');
}

test.each(inboundFaults)('$fault', async ({ inflict, outcome }) => {
  const logged = daemon.stderr().length;
  expect(await inflict(url, scrape)).toBe(outcome);
  await scrape();
  const lines = daemon.stderr().slice(logged).split('\n');
  expect(lines.filter(line => / level=(warn|error) /.test(line))).toEqual([]);
});

test(`memory stays below ${mostMegabytes} MB and polling goes on`, async () => {
  const status = readFileSync(`/proc/${daemon.pid}/status`, 'utf8');
  expect(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024).toBeLessThan(mostMegabytes);
  expect((await fetch(`${url}/-/healthy`)).status).toBe(200);
});
