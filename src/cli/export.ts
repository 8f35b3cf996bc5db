import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { configFileSetting, settings } from '../config/setting.ts';
import { addExportOptions, type ExportFlags } from './export-option.ts';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import { loadCheckedConfig } from './loaded-config.ts';
import { addSettingOptions, readSettingFlags } from './setting-option.ts';

/** `export`: what the history knows of the past as a Prometheus would have scraped it. */
export function exportCommand(io: Io, now: () => number = Date.now): Command {
  const command = new Command('export').description(
    'write the past as OpenMetrics text with timestamps, for Prometheus to be filled with it',
  );
  return addSettingOptions(addExportOptions(command), [configFileSetting, settings.history.file])
    .addHelpText('after', `\n${exportHelp}`)
    .action(async (flags: ExportFlags) => {
      const request = { flags: readSettingFlags(command), env: io.env, mayLackAccounts: true };
      const { config } = await loadCheckedConfig(request);
      if (!existsSync(config.history.file))
        throw new Failure(`there is no history at ${config.history.file}: name it with --history.file`);
      // Only here, as SQLite costs `--help` a noticeable time.
      const { exportRange } = await import('./exported-range.ts');
      await exportRange(io, config, flags, now());
    });
}

const exportHelp = `To fill a Prometheus:

  dbpm-exporter export --to 2026-11-21T10:00:00Z --label instance=host:10062 --out past.om
  promtool tsdb create-blocks-from openmetrics past.om /path/of/its/data

--to is when Prometheus began to scrape, so that the past ends where its own samples begin; series must carry the same
job and instance. If the daemon ran before that for a while, end the past collect.idle_refresh earlier: what a page says
of an idle project may be that old, and a counter that seems to fall would be taken for one that began again.
Times of Prometheus are promised to be blocks of two hours; promtool reads the file once for each of them, and
--max-block-duration=24h (before "openmetrics") makes that fewer.

Written are counters as they were at each step, states of endpoints, operations in progress, uses of API keys, and, as
they are known last, the names and sizes of projects and endpoints. Nobody knows of the past, and so these are left out:
whether a reading succeeded, when a project was last read or updated, whether one was locked, pending states, whether an
endpoint was disabled and when it was last active, and all that the daemon says of itself. Of an operation that has ended
it is not known what it did before: it is shown as running. Projects and keys that were gone before the daemon first
looked are not there.

Exit code 3 says that the range begins before all of it is known.`;
