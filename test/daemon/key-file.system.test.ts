import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadCheckedConfig } from '../../src/check/config/loaded-config.ts';
import { sampleValue } from '../support/exposition-reader.ts';
import { canaryKey, openDaemon, openFolder, openService } from './open-daemon.ts';

test('a key file that is lost is said once, shown until it is mended, and the key in use stays', async ({
  onTestFinished,
}) => {
  const service = await openService(onTestFinished);
  const folder = openFolder(onTestFinished);
  const file = join(folder, 'dbpm.key');
  const write = (text: string) => writeFileSync(file, text, { mode: 0o600 });
  write(canaryKey);
  const env = { DBPM_BASE_URL: service.simulator.base_url, DBPM_API_KEY_FILE: file };
  const history = { DBPM_HISTORY_FILE: join(folder, 'dbpm.sqlite') };
  const { config } = await loadCheckedConfig({ flags: {}, env: { ...env, ...history } });
  const daemon = await openDaemon(onTestFinished, config.accounts, { folder });
  const untilShown = (value: number) =>
    daemon.until(samples => {
      const shown = ['dbpm_up', 'dbpm_exporter_config_last_reload_successful'] as const;
      expect(shown.map(name => sampleValue(samples, name))).toEqual([1, value]);
    });
  const said = (words: string) => daemon.lines.filter(line => line.includes(words));
  await untilShown(1);
  rmSync(file);
  await untilShown(0);
  expect(said('the key file cannot be used')).toEqual([
    expect.stringMatching(
      /^time=\S+ level=warn msg="the key file cannot be used: the key in use stays, and a restart would not come up" account=main .*dbpm\.key.*which does not exist/,
    ),
  ]);
  write(canaryKey);
  await untilShown(1);
  expect(said('the key file can be used again')).toHaveLength(1);
  expect(daemon.lines.join('')).not.toContain(canaryKey);
});
