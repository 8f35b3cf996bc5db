import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { BenchRun } from '../bench/bench-run.ts';
import { type Child, startChild } from '../bench/process/child.ts';
import type { ExporterTasks } from '../bench/program/exporter-server.ts';
import { type DaemonProcess, startDaemonProcess, startProgram } from '../support/daemon-process.ts';
import { readSamples, sampleValue } from '../support/exposition-reader.ts';
import { startWorld, worldKey } from './simulated-world.ts';
import { type SlowReader, startSlowReader } from './slow-reader.ts';

const mebibyte = 2 ** 20;
vi.setConfig({ testTimeout: 120_000 });

function closeWithTest(): SlowReader[] {
  const readers: SlowReader[] = [];
  onTestFinished(() => {
    for (const { socket } of readers) socket.destroy();
  });
  return readers;
}

describe('a page of ten thousand projects that changes every second', () => {
  const run = new BenchRun();
  let exporter: Child<ExporterTasks>;
  let url: string;

  beforeAll(async () => {
    exporter = startChild<ExporterTasks>(run, 'exporter-server');
    url = await exporter.ask('start', { projects: 10_000, changedShare: 0.05 });
    await exporter.ask('change');
  });
  afterAll(() => run.end());

  const scrape = async (encoding = 'gzip') => {
    const startedAt = performance.now();
    const answer = await fetch(url, { headers: { 'accept-encoding': encoding } });
    const series = (await answer.text()).split('\n').length;
    return { status: answer.status, series, ms: performance.now() - startedAt };
  };

  it('takes little more memory however many readers take it slowly, and is scraped as before', async () => {
    for (let warm = 0; warm < 10; warm += 1) await scrape('identity');
    const [before, held] = [await exporter.ask('residentBytes'), await exporter.ask('heldBytes')];
    const readers = closeWithTest();
    const durations: number[] = [];
    let peak = before;
    for (let started = 0; started < 120; started += 1) {
      readers.push(await startSlowReader(url));
      if (started % 10 === 9) {
        const answer = await scrape();
        durations.push(answer.ms);
        expect(answer.status).toBe(200);
        expect(answer.series).toBeGreaterThan(200_000);
      }
      await sleep(100);
      peak = Math.max(peak, await exporter.ask('residentBytes'));
    }
    // Garbage comes on top of what is held, by the size of the heap.
    expect(peak - before).toBeLessThan(200 * mebibyte);
    expect((await exporter.ask('heldBytes')) - held).toBeLessThan(100 * mebibyte);
    expect(Math.max(...durations)).toBeLessThan(5000);
  });

  it('is still served after ten thousand connections that do nothing, in as much memory', async () => {
    const held = await exporter.ask('heldBytes');
    const readers = closeWithTest();
    const isKept: boolean[] = [];
    for (let round = 0; round < 20; round += 1) {
      const batch = Array.from({ length: 500 }, () => startSlowReader(url, ''));
      readers.push(...(await Promise.all(batch)));
      isKept.push((await scrape()).status === 200);
    }
    expect(isKept).toEqual(Array(20).fill(true));
    await vi.waitFor(
      () => expect(readers.filter(({ isOpen }) => isOpen()).length).toBeLessThanOrEqual(512),
      30_000,
    );
    expect((await exporter.ask('heldBytes')) - held).toBeLessThan(30 * mebibyte);
  });
});

describe('a daemon that may open few files', () => {
  const startLimited = async (descriptors: number) => {
    const world = await startWorld({ projects: 12, historyDays: 1 });
    onTestFinished(() => world.close());
    const daemon = startDaemonProcess({
      ...{
        base_url: world.simulator.base_url,
        apiKey: worldKey,
        historyFile: `${world.folder}/limited.sqlite`,
      },
      limits: { descriptors },
    });
    onTestFinished(async () => void (await daemon.stop('SIGTERM')));
    return daemon;
  };
  const openFiles = ({ pid }: DaemonProcess) => readdirSync(`/proc/${pid}/fd`).length;

  test.each([56, 64])(
    '%d of them: is scraped, and reads on, while idle connections come without end',
    async few => {
      const daemon = await startLimited(few);
      const url = await daemon.untilServing();
      const readers = closeWithTest();
      const counts: number[] = [];
      for (let started = 0; started < 300; started += 1) {
        readers.push(await startSlowReader(url, ''));
        if (started % 20 === 19) {
          expect((await fetch(`${url}/metrics`)).status).toBe(200);
          counts.push(openFiles(daemon));
        }
        await sleep(20);
      }
      expect(Math.max(...counts)).toBeLessThan(few);
      const collectors = ['projects', 'endpoints', 'operations', 'api_keys'];
      const samples = await vi.waitFor(async () => {
        const found = await readSamples(url);
        expect(
          collectors.map(collector => sampleValue(found, 'dbpm_collector_success', { collector })),
        ).toEqual([1, 1, 1, 1]);
        return found;
      }, 30_000);
      expect(
        sampleValue(samples, 'dbpm_exporter_http_turned_away_total', { reason: 'connection_replaced' }),
      ).toBeGreaterThan(200);
      expect(daemon.stderr()).not.toMatch(/EMFILE|level=(warn|error)/);
    },
  );

  test('says in one sentence that they are too few', async () => {
    const daemon = startProgram(
      ['serve', '--web.listen-address', '127.0.0.1:0'],
      { DBPM_BASE_URL: 'http://127.0.0.1:9/api/v2/', DBPM_API_KEY: worldKey },
      { descriptors: 32 },
    );
    expect(await daemon.exited).toMatchObject({ code: 1 });
    expect(daemon.stderr()).toBe(
      'dbpm-exporter: this process may have 32 files and connections open, and needs 56 at least: raise the limit ' +
        '(ulimit -n in a shell, LimitNOFILE in a unit of systemd, --ulimit nofile in a container)\n',
    );
  });
});
