import { join } from 'node:path';
import { describe, it } from 'vitest';
import { damageTable } from '../support/damaged-history.ts';
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
    const samples = await second.until(shown => expect(sampleValue(shown, damaged)).toBe(1));
    expect(sampleValue(samples, 'dbpm_up')).toBe(1);
    expect(second.lines.filter(line => line.includes('the history is damaged'))).toHaveLength(1);
  });
});
