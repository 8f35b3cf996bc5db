import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashSync } from 'bcrypt';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { DaemonProcess } from '../../support/daemon-process.ts';
import { type SimulatedWorld, startWorld } from '../simulated-world.ts';
import { inboundFaults } from './inbound-fault.ts';

const longestScrapeMs = 10_000;
const mostMegabytes = 512;
/** The login of a scraper, which does no harm where none is asked for. */
const headers = { authorization: `Basic ${Buffer.from('scraper:open').toString('base64')}` };
vi.setConfig({ testTimeout: 90_000 });

let world: SimulatedWorld;

/** A daemon, and how it is scraped. */
interface Served {
  readonly daemon: DaemonProcess;
  readonly url: string;
  scrape(): Promise<void>;
}
let open: Served;
let guarded: Served;

beforeAll(async () => {
  world = await startWorld({ projects: 20, historyDays: 1 });
  const webFile = join(world.folder, 'web.yml');
  writeFileSync(webFile, JSON.stringify({ basic_auth_users: { scraper: hashSync('open', 10) } }));
  open = await serve({});
  guarded = await serve({
    DBPM_WEB_CONFIG_FILE: webFile,
    DBPM_HISTORY_FILE: join(world.folder, 'guarded.sqlite'),
  });
});

afterAll(() => world.close());

/** Starts a daemon, which then knows all there is. */
async function serve(env: Readonly<Record<string, string>>): Promise<Served> {
  const daemon = world.startDaemon(env);
  const url = await daemon.untilServing();
  const scrape = async () => {
    const signal = AbortSignal.timeout(longestScrapeMs);
    const answer = await fetch(`${url}/metrics`, { signal, headers });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('dbpm_endpoint_info{');
  };
  await vi.waitFor(scrape, { timeout: 30_000 });
  return { daemon, url, scrape };
}

test.each(inboundFaults)('$fault', async ({ inflict, outcome, login = false }) => {
  const { daemon, url, scrape } = login ? guarded : open;
  const logged = daemon.stderr().length;
  expect(await inflict(url, scrape)).toBe(outcome);
  await scrape();
  const lines = daemon.stderr().slice(logged).split('\n');
  const warned = lines.filter(line => / level=(warn|error) /.test(line));
  // That logins fail is told, and again after each that succeeded meanwhile: two scrapes.
  const told = warned.filter(line => login && line.includes('msg="a login failed"'));
  expect(warned.filter(line => !told.includes(line))).toEqual([]);
  expect(told.length).toBeLessThanOrEqual(3);
});

test(`memory stays below ${mostMegabytes} MB and polling goes on`, async () => {
  for (const { daemon, url } of [open, guarded]) {
    const status = readFileSync(`/proc/${daemon.pid}/status`, 'utf8');
    expect(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024).toBeLessThan(mostMegabytes);
    expect((await fetch(`${url}/-/healthy`, { headers })).status).toBe(200);
  }
});
