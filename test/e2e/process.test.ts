import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startDaemonProcess, startProgram } from '../support/daemon-process.ts';
import { readExposition, sampleValue } from '../support/exposition-reader.ts';
import { describeWithPeers } from '../support/peer.ts';
import { differences } from '../support/truth.ts';
import { startWorld, worldKey } from './simulated-world.ts';

const patience = { timeout: 30_000, interval: 100 };
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const longestStopMs = 3000;

async function openWorld(projects: number) {
  const world = await startWorld({ projects, historyDays: 1 });
  onTestFinished(() => world.close());
  return world;
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-e2e-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function scrape(url: string) {
  return readExposition(await (await fetch(`${url}/metrics`)).text());
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends the daemon within three seconds though the service has stopped answering, and leaves no write-ahead log',
  async signal => {
    const world = await openWorld(3);
    const daemon = world.startDaemon();
    const url = await daemon.untilServing();
    await vi.waitFor(async () => {
      expect(sampleValue(await scrape(url), 'dbpm_collector_success', { collector: 'operations' })).toBe(1);
    }, patience);
    await world.call('POST', '/faults', { match: 'GET *', delay_ms: 600_000, times: 1000 });
    await vi.waitFor(async () => {
      const { faults } = (await world.call('GET', '/faults')) as { faults: readonly { times: number }[] };
      expect(faults[0]?.times, 'requests are hanging').toBeLessThan(1000);
    }, patience);
    const toldAt = Date.now();
    expect(await daemon.stop(signal)).toEqual({ code: 0, signal: null });
    expect(Date.now() - toldAt).toBeLessThan(longestStopMs);
    const wal = statSync(join(world.folder, 'history.sqlite-wal'), { throwIfNoEntry: false });
    expect(wal?.size ?? 0).toBe(0);
  },
);

test('signals that mean something to Node or nothing to us neither end the daemon nor open a debugger', async () => {
  const world = await openWorld(1);
  const daemon = world.startDaemon();
  const url = await daemon.untilServing();
  for (const signal of ['SIGUSR1', 'SIGUSR2', 'SIGHUP'] as const) daemon.signal(signal);
  await daemon.untilWritten('stderr', /SIGUSR1 opens no debugger/);
  await daemon.untilWritten('stderr', /SIGUSR2 means nothing/);
  await daemon.untilWritten('stderr', /the configuration was loaded again/);
  await expect(fetch('http://127.0.0.1:9229/json/version')).rejects.toThrow();
  expect((await fetch(`${url}/-/healthy`)).status).toBe(200);
  expect(await daemon.stop('SIGQUIT')).toEqual({ code: 0, signal: null });
  expect(daemon.stderr()).toContain('msg=stopping');
});

test('the demo starts with nothing set up, has data within 15 seconds and leaves nothing behind', async () => {
  const temporary = makeFolder();
  const demo = startProgram(['demo', '--web.listen-address', '127.0.0.1:0'], { TMPDIR: temporary });
  onTestFinished(async () => void (await demo.stop('SIGKILL')));
  const startedAt = Date.now();
  const page = await demo.untilWritten('stdout', /landing page +(http:\S+)/);
  const metrics = await demo.untilWritten('stdout', /metrics +(http:\S+)/);
  await vi.waitFor(async () => {
    const samples = readExposition(await (await fetch(metrics)).text());
    // Twenty, and the seven of the showcase.
    expect(samples.filter(({ name }) => name === 'dbpm_project_info')).toHaveLength(27);
    expect(samples.some(({ name, value }) => name === 'dbpm_operations_total' && value > 0)).toBe(true);
  }, patience);
  expect(Date.now() - startedAt).toBeLessThan(15_000);
  expect(await (await fetch(page)).text()).toContain('dbpm-exporter');
  const service = await demo.untilWritten('stdout', /simulated service +(http:\S+)/);
  expect((await fetch(new URL('projects', service))).status).toBe(401);
  // Node keeps what it compiled for the next start; of the demo itself nothing stays.
  const left = () => readdirSync(temporary).filter(name => !name.startsWith('dbpm-exporter-compiled-'));
  expect(left()).toHaveLength(1);
  expect(await demo.stop('SIGINT')).toEqual({ code: 0, signal: null });
  expect(left()).toEqual([]);
});

test('simulate prints one line of JSON when it is ready and stops when it is told to', async () => {
  const args = ['--projects', '2', '--seed', '3', '--api-key', 'key-of-this-test', '--history-days', '1'];
  const program = startProgram(['simulate', '--listen', '127.0.0.1:0', ...args]);
  onTestFinished(async () => void (await program.stop('SIGKILL')));
  const line = await program.untilWritten('stdout', /^.*\n/);
  const { base_url, api_key } = JSON.parse(line);
  expect([base_url, api_key]).toEqual([
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api\/v2\/$/),
    'key-of-this-test',
  ]);
  const headers = { authorization: `Bearer ${api_key}` };
  const listed = (await (await fetch(`${base_url}projects`, { headers })).json()) as { projects: unknown };
  expect(listed.projects).toHaveLength(2);
  expect(await program.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(program.stdout()).toBe(line);
});

test('a backup of a history that is being written has the counters the daemon shows', async () => {
  const world = await openWorld(6);
  world.freeze();
  const daemon = world.startDaemon();
  const url = await daemon.untilServing();
  await vi.waitFor(async () => {
    expect(differences(await world.truth(), await scrape(url), 0)).toEqual([]);
  }, patience);

  const copy = join(makeFolder(), 'copy.sqlite');
  const source = join(world.folder, 'history.sqlite');
  const backup = startProgram(['backup', '--history.file', source, '--to', copy]);
  expect(await backup.exited).toEqual({ code: 0, signal: null });
  expect(backup.stdout()).toMatch(/copy\.sqlite: [\d.]+ (kB|MB), a copy of .*history\.sqlite\n$/);

  const unreachable = 'http://127.0.0.1:9/api/v2/';
  const restored = startDaemonProcess({ base_url: unreachable, apiKey: worldKey, historyFile: copy });
  onTestFinished(async () => void (await restored.stop('SIGKILL')));
  const samples = await scrape(await restored.untilServing());
  expect(differences(await world.truth(), samples, 0)).toEqual([]);
});

describeWithPeers(['chromium'], 'a real browser', ({ chromium }) => {
  test('shows the landing page with a table of accounts and collectors', async () => {
    const world = await openWorld(2);
    const url = await world.startDaemon().untilServing();
    await vi.waitFor(async () => expect((await fetch(`${url}/-/ready`)).status).toBe(200), patience);
    const quiet = ['--no-first-run', '--disable-background-networking', '--disable-component-update'];
    const profile = `--user-data-dir=${makeFolder()}`;
    const { stdout } = await promisify(execFile)(
      chromium,
      ['--headless', '--no-sandbox', '--disable-gpu', '--disable-sync', ...quiet, profile, '--dump-dom', url],
      { timeout: 45_000 },
    );
    expect(stdout).toContain('<h1>dbpm-exporter');
    const table = /<table>[\s\S]*<\/table>/.exec(stdout)?.[0] ?? '';
    const collectors = [...table.matchAll(/<tr><td>(\w+)<\/td>/g)].map(([, collector]) => collector);
    expect(collectors).toEqual(['projects', 'endpoints', 'operations', 'api_keys']);
    expect(stdout).toContain('href="/metrics"');
  });
});
