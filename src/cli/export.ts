import { Command } from 'commander';
import { loadCheckedConfig } from '../check/config/loaded-config.ts';
import type { ExportHost } from '../export/backfill/range-export.ts';
import { type RetryTiming, usualTiming } from '../export/backfill/remote/retry-timing.ts';
import { Failure } from '../resources/failure.ts';
import { addExportOptions, addRemoteOptions } from './export-option.ts';
import type { Io } from './io.ts';
import { withProgress } from './progress.ts';
import { addSettingOptions, historySettings, readSettingFlags } from './setting-option.ts';
import { writeTables } from './table-export.ts';
import { addTableOptions, type ExportFlags, withoutTableFlags } from './table-option.ts';
import { version } from './version.ts';

/** `export`: the history as Prometheus would have scraped it, as blocks or as text with timestamps. */
export function exportCommand(
  io: Io,
  now: () => number = Date.now,
  timing: RetryTiming = usualTiming,
): Command {
  const command = new Command('export').description(
    'write the past as blocks or as OpenMetrics text with timestamps, or send it, for Prometheus to be filled with it; or settled days as Parquet tables',
  );
  return addSettingOptions(addTableOptions(addRemoteOptions(addExportOptions(command))), historySettings)
    .addHelpText('after', `\n${exportHelp}`)
    .action(async (flags: ExportFlags) => {
      const settingFlags = readSettingFlags(command);
      const { config } = await loadCheckedConfig({ flags: settingFlags, env: io.env, isOffline: true });
      if (flags.format === 'parquet') return writeTables(io, config, flags);
      const request = withoutTableFlags(flags);
      // Loaded here alone: SQLite costs `--help` a noticeable time.
      const { exportRange } = await import('../export/backfill/range-export.ts');
      const host = { ...makeHost(io), timing, now: now() };
      await withProgress(
        io,
        'exporting',
        onProgress => exportRange(config, request, { ...host, onProgress }),
        {
          // The text itself goes to the terminal.
          isHidden: (request.out ?? request.remoteWrite) === undefined && io.stdoutIsTerminal,
        },
      );
    });
}

function makeHost(io: Io): Omit<ExportHost, 'onProgress' | 'timing' | 'now'> {
  // A terminal may show there how far it is.
  const clearLine = () => io.stderrIsTerminal && io.stderr('\r\u001b[K');
  return {
    write: text => writeToReader(io, text),
    env: io.env,
    userAgent: `dbpm-exporter/${version}`,
    note(sentence) {
      clearLine();
      io.stderr(`note: ${sentence}\n`);
    },
    say(sentence) {
      clearLine();
      io.stdout(`${sentence}\n`);
    },
    onSecrets: io.onSecrets,
    signal: io.stopped,
  };
}

/** Writes to stdout, no faster than it is read. */
async function writeToReader(io: Io, text: string): Promise<void> {
  io.stdout(text);
  if (!(await io.stdoutTaken())) throw new Failure('the export was not read to its end');
}

const exportHelp = `To fill a Prometheus with the time before it began to scrape, at 10:00:

  dbpm-exporter export --to 2026-11-21T10:00:00Z --label instance=host:10062 --blocks /its/data/folder

Its --storage.tsdb.retention.time must reach as far back. The series must carry the job and the instance under which it
scrapes the daemon. Where the daemon ran for a while before it was scraped, end the past collect.idle_refresh earlier:
what a page says of an idle project may be that old, and a counter that falls is taken for one that began anew.

--blocks needs promtool, which comes with Prometheus; the blocks get into the folder when all are made. Without it text is
written, for promtool tsdb create-blocks-from openmetrics: a line for every series and step, some 170 bytes. In the last
two days samples are a minute apart, so that boards show rates of hours, and before that four.

--remote-write sends the same samples to a receiver of Prometheus remote write 1.0 (VictoriaMetrics, Mimir, Thanos, a
Prometheus with --web.enable-remote-write-receiver), the oldest first. It waits as the receiver says and is broken off by
what is never taken. Run again, it goes on where it was; what is sent twice is the same. A series that ends is said to
have ended. A proxy comes from https_proxy and no_proxy.

Written is what can be put together again at each step: what was used, states and how long they lasted, starts and
suspends, operations ended and in progress, uses of API keys; and as they were known last, names and sizes. An operation
that has ended by now is shown as running before. Cost, billing periods, groups, budgets, forecasts and findings are as
they would have been known at the time, at the prices and with the budgets of the configuration; they are worked out every
5 to 60 minutes, as the fleet is large. Nobody knows, and so it is left out:
  - whether readings succeeded, how old they were, and all that the daemon says of itself;
  - cpu_used_sec as it was reported before the first reading, and use before the last reset that nobody saw;
  - when something was last updated, pending states, when an endpoint was last active, whether it was disabled and
    whether a project was locked;
  - when a key was used before its first use that was seen;
  - projects, endpoints and keys that were gone before the daemon first looked.

Several histories (--history.file given several times, or a pattern) have their own series, as they are scraped. {shard} in a
label is the number of the shard that a history is of, and {file} the name of its file without the ending:

  dbpm-exporter export --history.file 'shards/*.sqlite' --label 'instance=shard-{shard}:10062' --blocks /its/data/folder

Exit code 3 says that the range begins before what is known, or that the history of a shard is not there.

With --format parquet the folder --out gets tables for DuckDB, ClickHouse, Trino and the like: settled days alone, a file for
each table, account and day, each written once and whole, and a manifest.json that lists them. Several histories are one.
--follow goes on, beside a running daemon, as days settle. docs/scale.md
has the tables and example queries.`;
