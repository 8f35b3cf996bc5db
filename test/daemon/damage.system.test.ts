import { join } from 'node:path';
import { describe, it } from 'vitest';
import { damageTable, overwrite } from '../support/damaged-history.ts';
import { sampleValue } from '../support/exposition-reader.ts';
import { accountOf, openDaemon, openFolder, openService, untilTrue } from './open-daemon.ts';

const damaged = 'dbpm_exporter_history_damaged';

describe.concurrent('a history of which a part is damaged', () => {
  it('shows as damaged, in a metric and one line of the log, while polling goes on', async ({
    expect,
    onTestFinished,
  }) => {
    const service = await openService(onTestFinished);
    const folder = openFolder(onTestFinished);
    const first = await openDaemon(onTestFinished, [accountOf(service)], { folder });
    expect(sampleValue(await untilTrue(first, service), damaged)).toBe(0);
    await first.close();
    // Use is worked out from it, and readings are recorded without it.
    damageTable(join(folder, 'dbpm.sqlite'), 'compute_interval');
    const second = await openDaemon(onTestFinished, [accountOf(service)], { folder });
    await second.until(shown => {
      expect(sampleValue(shown, damaged)).toBe(1);
      expect(sampleValue(shown, 'dbpm_up')).toBe(1);
    });
    expect(second.lines.filter(line => line.includes('the history is damaged'))).toHaveLength(1);
  });

  it('so that it cannot be opened is set aside, which shows until long after', async ({
    expect,
    onTestFinished,
  }) => {
    const service = await openService(onTestFinished);
    const folder = openFolder(onTestFinished);
    const name = 'dbpm_exporter_history_set_aside_timestamp_seconds';
    const first = await openDaemon(onTestFinished, [accountOf(service)], { folder });
    const before = await untilTrue(first, service);
    expect(before.filter(sample => sample.name === name)).toEqual([]);
    await first.close();
    overwrite(join(folder, 'dbpm.sqlite'), 0, 100);
    const startedAt = Date.now() / 1000;
    const second = await openDaemon(onTestFinished, [accountOf(service)], { folder });
    const setAsideAt = sampleValue(await untilTrue(second, service), name);
    expect(setAsideAt).toBeGreaterThanOrEqual(startedAt);
    expect(second.lines.filter(line => line.includes('set aside, and all counters began anew'))).toHaveLength(
      1,
    );
    await second.close();
    const third = await openDaemon(onTestFinished, [accountOf(service)], { folder });
    expect(sampleValue(await untilTrue(third, service), name)).toBe(setAsideAt);
  });
});
