import { describe, it, vi } from 'vitest';
import { HistoryClient } from '../../src/daemon/history-client.ts';
import { sampleValue } from '../support/exposition-reader.ts';
import { accountOf, eventually, openDaemon, openService, openWatched } from './open-daemon.ts';

/** A machine that does much else holds up a poll for a while, too. */
const stallPatienceMs = 5000;
const stalled = 'dbpm_exporter_polling_stalled';

/** Health at one look after another, for longer than anything may be silent. */
async function watchHealth(url: string): Promise<ReadonlySet<number>> {
  const statuses = new Set<number>();
  for (const startedAt = performance.now(); performance.now() - startedAt < 2 * stallPatienceMs; ) {
    statuses.add((await fetch(`${url}/-/healthy`)).status);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  return statuses;
}

describe('a daemon', () => {
  it('is healthy while the service fails, asks for a pause or is out of reach', async ({
    expect,
    onTestFinished,
  }) => {
    const { service, daemon } = await openWatched(onTestFinished, { daemon: { stallPatienceMs } });
    const faults = [
      { status: 503, headers: { 'retry-after': '3600' } },
      { status: 500 },
      { close: true },
    ] as const;
    for (const fault of faults) {
      await service.clearFaults();
      await service.fault({ match: '*', ...fault });
      expect(await watchHealth(daemon.url)).toEqual(new Set([200]));
    }
    await service.simulator.close();
    expect(await watchHealth(daemon.url)).toEqual(new Set([200]));
    expect(sampleValue(await daemon.scrape(), stalled, { account: 'main' })).toBe(0);
  });

  it('is not healthy while the history answers nothing any more, says so, and is when it does again', async ({
    expect,
    onTestFinished,
  }) => {
    const record = vi.spyOn(HistoryClient.prototype, 'commit');
    onTestFinished(() => record.mockRestore());
    const { daemon } = await openWatched(onTestFinished, { daemon: { stallPatienceMs } });
    const hung = Promise.withResolvers<never[]>();
    record.mockReturnValue(hung.promise);
    await eventually(async () => {
      expect(await daemon.read('/-/healthy')).toBe(
        'dbpm-exporter has stalled: polling the list of projects and the list of API keys of one account gave no sign of life for minutes.\n',
      );
    });
    expect((await fetch(`${daemon.url}/-/healthy`)).status).toBe(503);
    expect(sampleValue(await daemon.scrape(), stalled, { account: 'main' })).toBe(1);
    expect(await daemon.read('/-/ready')).toBe('dbpm-exporter is ready.\n');
    await eventually(async () =>
      expect(daemon.lines.join('')).toMatch(
        /level=error .*msg="polling has stalled" account=main what="the list of projects"/,
      ),
    );
    record.mockRestore();
    hung.resolve([]);
    await eventually(async () => expect(await daemon.read('/-/healthy')).toBe('dbpm-exporter is healthy.\n'));
    await eventually(async () => expect(daemon.lines.join('')).toMatch(/level=info .*msg="polling goes on"/));
  });

  it('is not healthy when nothing begins a poll any more', async ({ expect, onTestFinished }) => {
    const service = await openService(onTestFinished);
    const daemon = await openDaemon(onTestFinished, [accountOf(service)], {
      stallPatienceMs,
      startSchedule: (_expression, run, { onError }) => {
        const running = run().catch(onError);
        return { underWaySince: () => undefined, nextAt: Date.now, stop: () => running };
      },
    });
    expect((await fetch(`${daemon.url}/-/healthy`)).status).toBe(200);
    await eventually(async () => expect((await fetch(`${daemon.url}/-/healthy`)).status).toBe(503));
  });
});
