import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import Database from 'better-sqlite3';
import { describe, it } from 'vitest';
import type { PriceBook } from '../../src/resources/price-book.ts';
import { readExposition, sampleValue } from '../support/exposition-reader.ts';
import { findFreePort } from '../support/free-port.ts';
import { seriesKey } from '../support/openmetrics-rules.ts';
import {
  accountOf,
  eventually,
  openDaemon,
  openFolder,
  openLeftHistory,
  openService,
  openWatched,
  projectIds,
  untilTrue,
} from './open-daemon.ts';

const lastSuccess = 'dbpm_collector_last_success_timestamp_seconds';

const pricing: PriceBook = {
  displayCurrency: 'EUR',
  billingPeriod: { kind: 'month', anchorDay: 1 },
  plans: [
    {
      name: 'all',
      match: { projects: ['*'] },
      currency: 'EUR',
      prices: [{ fromAt: 0, perComputeHour: '0.16', discountPercent: '0' }],
    },
  ],
  exchangeRates: [],
};

/** Files of a folder that this process has open, any of its threads. */
function openFiles(folder: string): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap(descriptor => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      // Closed meanwhile.
      return [];
    }
  });
}

describe.concurrent('a daemon', () => {
  it('restarted while the service is down serves the last view at once, with its true age', async ({
    expect,
    onTestFinished,
  }) => {
    const { service, folder } = await openLeftHistory(onTestFinished);
    const closedAt = Date.now() / 1000;
    await service.simulator.close();
    const second = await openDaemon(onTestFinished, [accountOf(service)], { folder });
    const served = await second.scrape();
    expect(projectIds(served)).toHaveLength(2);
    expect(await second.read('/-/ready')).toBe('dbpm-exporter is ready.\n');
    const down = await second.until(samples => {
      expect(sampleValue(samples, 'dbpm_up')).toBe(0);
    });
    for (const samples of [served, down]) {
      for (const collector of ['projects', 'endpoints', 'operations', 'api_keys']) {
        expect(sampleValue(samples, lastSuccess, { collector })).toBeLessThanOrEqual(closedAt);
      }
    }
    const watched = (samples: typeof served) =>
      samples.filter(({ name }) => /^dbpm_(project|endpoint|operation|api_key)/.test(name));
    const text = (samples: typeof served) => watched(samples).map(each => [seriesKey(each), each.value]);
    expect(text(down)).toEqual(text(served));
  });

  it('restarted goes on counting where it was', async ({ expect, onTestFinished }) => {
    const { service, folder } = await openLeftHistory(onTestFinished);
    await service.control('POST', '/advance', { seconds: 6 * 3600 });
    const second = await openDaemon(onTestFinished, [accountOf(service)], { folder });
    expect(projectIds(await untilTrue(second, service))).toHaveLength(2);
  });

  it('is not ready before its first reading, and says so', async ({ expect, onTestFinished }) => {
    const service = await openService(onTestFinished);
    await service.fault({ match: '*', status: 500 });
    const daemon = await openDaemon(onTestFinished, [accountOf(service)]);
    expect(await daemon.read('/-/ready')).toBe(
      'dbpm-exporter has nothing to serve yet: no reading succeeded so far.\n',
    );
    expect(projectIds(await daemon.scrape())).toEqual([]);
    await service.clearFaults();
    await eventually(async () => expect(await daemon.read('/-/ready')).toBe('dbpm-exporter is ready.\n'));
  });

  it('that stops is not ready from then on, and still answers what was asked', async ({
    expect,
    onTestFinished,
  }) => {
    const { daemon } = await openWatched(onTestFinished);
    const asked = await Promise.all(['/-/ready', '/metrics'].map(path => beginRequest(daemon.url, path)));
    // What is answered on a connection made later says that these were accepted.
    await daemon.read('/-/healthy');
    const closed = daemon.close();
    const [ready, page = ''] = await Promise.all(asked.map(end => end()));
    expect(ready).toBe('dbpm-exporter is stopping.\n');
    expect(projectIds(readExposition(page))).toHaveLength(2);
    await closed;
    await expect(daemon.read('/-/ready')).rejects.toThrow('fetch failed');
  });

  it('answers scrapes while the service hangs, and stops without waiting for its answers', async ({
    expect,
    onTestFinished,
  }) => {
    const { service, daemon } = await openWatched(onTestFinished);
    await service.fault({ match: '*', delay_ms: 600_000, times: 1000 });
    await eventually(async () => {
      const { faults } = await service.control<{ faults: { times: number }[] }>('GET', '/faults');
      expect(faults[0]?.times).toBeLessThan(999);
    });
    expect(projectIds(await daemon.scrape())).toHaveLength(2);
    const startedAt = performance.now();
    await daemon.close();
    // An answer is waited for 30 s.
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    expect(
      daemon.lines.filter(line => /level=(warn|error)/.test(line) && !line.includes('longer than')),
    ).toEqual([]);
    await expect(daemon.scrape()).rejects.toThrow('fetch failed');
  });

  it('leaves its history to the next one when its address is taken', async ({ expect, onTestFinished }) => {
    const service = await openService(onTestFinished);
    const folder = openFolder(onTestFinished);
    const taken = Number(new URL(service.simulator.base_url).port);
    const refused = openDaemon(onTestFinished, [accountOf(service)], { folder, port: taken });
    await expect(refused).rejects.toMatchObject({ code: 'EADDRINUSE' });
    const daemon = await openDaemon(onTestFinished, [accountOf(service)], { folder });
    await untilTrue(daemon, service);
  });

  it('leaves nothing open when its polling cannot start', async ({ expect, onTestFinished }) => {
    const service = await openService(onTestFinished);
    const folder = openFolder(onTestFinished);
    const port = await findFreePort();
    const refused = openDaemon(onTestFinished, [accountOf(service)], {
      folder,
      port,
      startSchedule() {
        throw new RangeError('no such schedule');
      },
    });
    await expect(refused).rejects.toThrow('no such schedule');
    expect(openFiles(folder)).toEqual([]);
    const daemon = await openDaemon(onTestFinished, [accountOf(service)], { folder, port });
    await untilTrue(daemon, service);
  });

  it('is refused a history another one uses, in one sentence', async ({ expect, onTestFinished }) => {
    const service = await openService(onTestFinished);
    const folder = openFolder(onTestFinished);
    await openDaemon(onTestFinished, [accountOf(service)], { folder });
    await expect(openDaemon(onTestFinished, [accountOf(service)], { folder })).rejects.toThrow(
      /dbpm\.sqlite is in use by another dbpm-exporter: stop that one, or give this one a history file of its own$/,
    );
  });

  it('that cannot write its history says so and serves on, and catches up when it can', async ({
    expect,
    onTestFinished,
  }) => {
    const service = await openService(onTestFinished);
    const folder = openFolder(onTestFinished);
    const daemon = await openDaemon(onTestFinished, [accountOf(service)], { folder });
    await untilTrue(daemon, service);
    const intruder = new Database(join(folder, 'dbpm.sqlite'));
    onTestFinished(() => {
      intruder.close();
    });
    // A daemon that finds the file locked for longer than it waits says that, too: no disk is waited for.
    intruder.pragma('synchronous = OFF');
    intruder.exec('ALTER TABLE collector RENAME TO collector_away');
    await daemon.until(samples => {
      expect(sampleValue(samples, 'dbpm_exporter_history_write_failures_total')).toBeGreaterThanOrEqual(2);
      expect(projectIds(samples)).toHaveLength(2);
    });
    expect(daemon.lines.join('')).toMatch(
      /check the disk's space and rights" err\.reason=SQLITE_ERROR err\.causes="no such table: collector"/,
    );
    intruder.exec('ALTER TABLE collector_away RENAME TO collector');
    await service.control('POST', '/advance', { seconds: 3600 });
    await untilTrue(daemon, service);
    // The intruder itself may hold the file for longer than a write waits.
    const told = daemon.lines.filter(
      line => line.includes('written to the history') && !line.includes('SQLITE_BUSY'),
    );
    expect(told.map(line => line.replace(/^time=\S+ | failures=.*| err.*/gs, ''))).toEqual([
      'level=error msg="a reading could not be written to the history"',
      'level=info msg="readings are written to the history again" reason=SQLITE_ERROR',
    ]);
  });

  it('that cannot write what was charged counts that as a failed write, and shows no cost', async ({
    expect,
    onTestFinished,
  }) => {
    const { service, folder } = await openLeftHistory(onTestFinished);
    const intruder = new Database(join(folder, 'dbpm.sqlite'));
    onTestFinished(() => {
      intruder.close();
    });
    intruder.exec(
      "CREATE TRIGGER refusal BEFORE INSERT ON cost_accrual BEGIN SELECT RAISE(ABORT, 'refused'); END",
    );
    const second = await openDaemon(onTestFinished, [accountOf(service)], { folder, pricing });
    const samples = await second.until(scraped => {
      expect(sampleValue(scraped, 'dbpm_exporter_history_write_failures_total')).toBeGreaterThanOrEqual(1);
    });
    expect(samples.filter(({ name }) => name === 'dbpm_account_cost_total')).toEqual([]);
    expect(second.lines.join('')).toContain('what was charged could not be written to the history');
  });
});

/** Sends a request but for its last line. @returns what ends it, and gives the body of its answer. */
async function beginRequest(url: string, path: string): Promise<() => Promise<string>> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  await new Promise(resolve => socket.write(`GET ${path} HTTP/1.1\r\nHost: daemon\r\n`, resolve));
  return async () => {
    socket.write('\r\n');
    const [, body = ''] = (await text(socket)).split('\r\n\r\n');
    return body;
  };
}
