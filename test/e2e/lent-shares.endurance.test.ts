import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { readExposition, type Sample, sampleValue } from '../support/exposition-reader.ts';
import { fleetKey, startLimitedFleet } from './limited-fleet.ts';

vi.setConfig({ testTimeout: 300_000 });

const requestsPerMinute = 600;
const share = requestsPerMinute / 3;
const minuteMs = 60_000;
const patience = { timeout: 90_000, interval: 500 };

const countRequests = (samples: readonly Sample[], outcome: string): number =>
  samples
    .filter(({ name, labels }) => name === 'dbpm_exporter_api_requests_total' && labels.outcome === outcome)
    .reduce((sum, { value }) => sum + value, 0);

test('a shard with much to do borrows of idle ones, and all together stay within the limit, also when one is killed', async () => {
  const fleet = await startLimitedFleet({
    projects: 300,
    busyProjects: 60,
    pageSize: 100,
    requestsPerMinute,
  });
  onTestFinished(() => fleet.close());
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-lending-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const lending = join(folder, 'lending');
  mkdirSync(lending);
  const start = (index: number, collectors: string) => {
    const shard = startDaemonProcess({
      base_url: fleet.base_url,
      apiKey: fleetKey,
      historyFile: join(folder, `shard-${index}.sqlite`),
      env: {
        DBPM_SHARD: `${index}/3`,
        DBPM_REQUESTS_PER_MINUTE: `${requestsPerMinute}`,
        DBPM_COLLECT_COLLECTORS: collectors,
        DBPM_COLLECT_SCHEDULE: '*/10 * * * * *',
        DBPM_COLLECT_LENDING_FOLDER: lending,
      },
    });
    onTestFinished(async () => void (await shard.stop('SIGTERM')));
    return shard;
  };
  const all = 'projects, endpoints, operations';
  const shards = [start(0, all), start(1, 'projects'), start(2, 'projects')];
  const scrape = (index: number) =>
    shards[index]
      ?.untilServing()
      .then(async url => readExposition(await (await fetch(`${url}/metrics`)).text())) ?? Promise.resolve([]);
  const loan = async (index: number, kind: 'borrowed' | 'lent') =>
    sampleValue(await scrape(index), `dbpm_exporter_${kind}_requests_per_minute`, { account: 'main' }) ?? 0;
  await vi.waitFor(async () => expect(await loan(0, 'borrowed')).toBeGreaterThan(share), patience);
  const before = countRequests(await scrape(0), 'ok');
  await pause(minuteMs / 2);
  const asked = countRequests(await scrape(0), 'ok') - before;
  expect(asked).toBeGreaterThan((1.8 * share) / 2);

  // Shard 1 needs its share all at once, and knows nothing of what it lent but what it wrote.
  const lent = await loan(1, 'lent');
  expect(lent).toBeGreaterThan(0);
  await shards[1]?.stop('SIGKILL');
  shards[1] = start(1, all);
  await vi.waitFor(async () => expect(await loan(1, 'lent')).toBe(lent), patience);
  await vi.waitFor(async () => expect(await loan(1, 'lent')).toBe(0), patience);
  await pause(minuteMs / 3);
  const pages = await Promise.all([0, 1, 2].map(scrape));
  expect(countRequests(pages.flat(), 'rate_limited')).toBe(0);
});
