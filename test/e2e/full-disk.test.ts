import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { collectors } from '../../src/resources/collector.ts';
import { readExposition, sampleValue } from '../support/exposition-reader.ts';
import { mayMount, withMount } from '../support/mount-namespace.ts';
import { differences } from '../support/truth.ts';
import { startWorld } from './simulated-world.ts';

const patience = { timeout: 60_000, interval: 200 };
vi.setConfig({ testTimeout: 120_000 });

test.skipIf(!mayMount())(
  'a disk that is full shows, and when it has room again nothing is lost or counted twice',
  async () => {
    const world = await startWorld({ projects: 20, historyDays: 1 });
    onTestFinished(() => world.close());
    // Seen by the daemon alone.
    const daemon = world.startDaemon({}, withMount(`mount -t tmpfs -o size=4m none '${world.folder}'`));
    const url = await daemon.untilServing();
    const scrape = async () => readExposition(await (await fetch(`${url}/metrics`)).text());
    const untilTrue = () =>
      vi.waitFor(
        async () => expect(differences(await world.truth(), await scrape(), 5)).toEqual([]),
        patience,
      );
    const outcomes = (samples: Awaited<ReturnType<typeof scrape>>) => [
      sampleValue(samples, 'dbpm_up'),
      ...collectors.map(collector => sampleValue(samples, 'dbpm_collector_success', { collector })),
    ];
    await untilTrue();
    const disk = `/proc/${daemon.pid}/root${world.folder}`;
    const filler = join(disk, 'filler');
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(filler, Buffer.alloc(bavail * bsize));
    for (let seconds = 0; seconds < 5; seconds += 1) await world.call('POST', '/advance', { seconds: 600 });
    await vi.waitFor(async () => {
      await world.call('POST', '/advance', { seconds: 600 });
      const samples = await scrape();
      expect(sampleValue(samples, 'dbpm_exporter_history_write_failures_total')).toBeGreaterThan(0);
      expect(outcomes(samples)).toEqual([0, 0, 0, 0, 0]);
    }, patience);
    const failedAt = sampleValue(await scrape(), 'dbpm_collector_last_success_timestamp_seconds', {
      collector: 'projects',
    });
    expect(failedAt).toBeGreaterThan(0);
    rmSync(filler);
    await untilTrue();
    await vi.waitFor(async () => expect(outcomes(await scrape())).toEqual([1, 1, 1, 1, 1]), patience);
    expect(await daemon.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  },
);
