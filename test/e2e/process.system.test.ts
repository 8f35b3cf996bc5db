import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { collectors } from '../../src/resources/collector.ts';
import { startProgram } from '../support/daemon-process.ts';
import { readExposition, readSamples, sampleValue } from '../support/exposition-reader.ts';
import { patience } from '../support/patience.ts';
import { startWorld } from './simulated-world.ts';

/** So long waits Docker before it kills. */
const longestStopMs = 10_000;

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

/** Waits until every collector has read all of its part. */
const untilRead = (url: string) =>
  vi.waitFor(async () => {
    const samples = await readSamples(url);
    for (const collector of collectors)
      expect(sampleValue(samples, 'dbpm_collector_success', { collector }), collector).toBe(1);
  }, patience);

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends the daemon within ten seconds though the service has stopped answering, and leaves no write-ahead log',
  async signal => {
    const world = await openWorld(3);
    const daemon = world.startDaemon();
    const url = await daemon.untilServing();
    await untilRead(url);
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
  expect((await fetch(`${url}/-/healthy`)).status).toBe(200);
  expect(await daemon.stop('SIGQUIT')).toEqual({ code: 0, signal: null });
  expect(daemon.stderr()).toContain('msg=stopping');
  expect(daemon.stderr()).not.toMatch(/Debugger listening|Starting inspector/);
});

/** What stays in a temporary folder; Node keeps there what it compiled for the next start. */
function listLeft(folder: string): readonly string[] {
  return readdirSync(folder).filter(name => !name.startsWith('dbpm-exporter-compiled-'));
}

test('the demo starts with nothing set up, has data and leaves nothing behind', async () => {
  const temporary = makeFolder();
  const demo = startProgram(['demo', '--web.listen-address', '127.0.0.1:0'], { TMPDIR: temporary });
  onTestFinished(async () => void (await demo.stop('SIGKILL')));
  const page = await demo.untilWritten('stdout', /Open the console: (http:\S+)/);
  const metrics = await demo.untilWritten('stdout', /metrics +(http:\S+)/);
  await vi.waitFor(async () => {
    const samples = readExposition(await (await fetch(metrics)).text());
    expect(samples.filter(({ name }) => name === 'dbpm_project_info')).toHaveLength(30);
    expect(samples.some(({ name, value }) => name === 'dbpm_operations_total' && value > 0)).toBe(true);
  }, patience);
  expect(await (await fetch(page)).text()).toContain('dbpm-exporter');
  // No person in it is real.
  expect(await (await fetch(new URL('/api/v1/keys', page))).text()).toContain('"shows_personal_data":true');
  const service = await demo.untilWritten('stdout', /simulated service +(http:\S+)/);
  expect((await fetch(new URL('projects', service))).status).toBe(401);
  expect(listLeft(temporary)).toHaveLength(1);
  expect(await demo.stop('SIGINT')).toEqual({ code: 0, signal: null });
  expect(listLeft(temporary)).toEqual([]);
});

test('nor does a demo that an error ends which nobody expected', async () => {
  const temporary = makeFolder();
  const fatal = `
    import { isMainThread } from 'node:worker_threads';
    if (isMainThread) process.on('SIGPWR', () => { throw new Error('nobody expected it'); });`;
  const demo = startProgram(['demo', '--web.listen-address', '127.0.0.1:0', '--projects', '3'], {
    TMPDIR: temporary,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fatal)}`,
  });
  onTestFinished(async () => void (await demo.stop('SIGKILL')));
  await demo.untilWritten('stdout', /Open the console/);
  expect(listLeft(temporary)).toHaveLength(1);
  demo.signal('SIGPWR');
  expect(await demo.exited).toEqual({ code: 1, signal: null });
  expect(listLeft(temporary)).toEqual([]);
});
