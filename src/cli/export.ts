import { Command, InvalidArgumentError, Option } from 'commander';
import { parseDuration } from '../config/duration.ts';
import type { ExportHost } from '../export/backfill/range-export.ts';
import { type RetryTiming, usualTiming } from '../export/backfill/remote/verdict.ts';
import { Failure } from '../resources/failure.ts';
import { loadHistoryConfig } from './history-command.ts';
import type { Io } from './io.ts';
import { addSettingOptions, historySettings } from './setting-option.ts';
import { addTableOptions, type ExportFlags, refuseFlagsOfOthers, writeTables } from './table-export.ts';
import { withProgress } from './terminal.ts';
import { version } from './version.ts';

/** `export`: the history as Prometheus would have scraped it, as blocks or as text with timestamps. */
export function exportCommand(
  io: Io,
  now: () => number = Date.now,
  timing: RetryTiming = usualTiming,
): Command {
  const command = new Command('export').description(
    'give Prometheus the time before it as blocks, OpenMetrics text or remote write, or write settled days as Parquet tables',
  );
  return addSettingOptions(addTableOptions(addRemoteOptions(addExportOptions(command))), historySettings)
    .addHelpText('after', `\n${exportHelp}`)
    .action(async (flags: ExportFlags) => {
      const config = await loadHistoryConfig(command, io);
      refuseFlagsOfOthers(command, flags);
      if (flags.format === 'parquet') return writeTables(io, config, flags);
      // Loaded here alone: SQLite costs `--help` a noticeable time.
      const { exportRange } = await import('../export/backfill/range-export.ts');
      const host = { ...makeHost(io), timing, now: now() };
      await withProgress(io, 'exporting', onProgress => exportRange(config, flags, { ...host, onProgress }), {
        // The text itself goes to the terminal.
        isHidden: (flags.out ?? flags.remoteWrite) === undefined && io.stdoutIsTerminal,
      });
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

Its --storage.tsdb.retention.time must reach as far back. Give the job and the instance under which it scrapes the daemon.
Where the daemon ran for a while before it was scraped, end the past collect.idle_refresh earlier: what a page says of an
idle project may be that old, and a counter that falls is taken for one that began anew.

--blocks needs promtool, which comes with Prometheus; the blocks get into the folder when all are made. Without it text is
written for promtool tsdb create-blocks-from openmetrics: a line for every series and step, some 170 bytes.

--remote-write sends the same samples to a receiver of Prometheus remote write 1.0 (VictoriaMetrics, Mimir, Thanos, a
Prometheus with --web.enable-remote-write-receiver), the oldest first. It waits as the receiver says, and ends when a sample
is refused. Run it again to go on; what is sent twice is the same. A proxy comes from https_proxy and no_proxy.

Each step has what can be put together again: use, states and how long they lasted, starts and suspends, operations that
ended or were running, uses of API keys, and the last known names and sizes. Cost, budgets, forecasts and findings are as they
would have been known at the time, by the prices and budgets of the configuration, every 5 to 60 minutes. Left out is what
is not known:
  - whether readings succeeded, how old they were, and all that the daemon says of itself;
  - cpu_used_sec as it was reported before the first reading, and use before the last reset that was not seen;
  - when something was last updated, pending states, when an endpoint was last active, whether it was disabled and
    whether a project was locked;
  - when a key was used before its first use that was seen;
  - projects, endpoints and keys that were gone before the daemon first looked.

Several histories (--history.file given several times, or a pattern) have their own series, as they are scraped. {shard} in a
label is the number of the shard that a history is of, and {file} the name of its file without the ending:

  dbpm-exporter export --history.file 'shards/*.sqlite' --label 'instance=shard-{shard}:10062' --blocks /its/data/folder

Exit code 3: the range begins before what is known, or the history of a shard is not there.

--format parquet writes tables for DuckDB, ClickHouse, Trino and the like into the folder --out: a file for each table,
account and settled day, written once, and a manifest.json that lists them. Several histories are one. --follow goes on as
days settle. docs/scale.md has the tables and example queries.`;

const shortestStepMs = 1000;
/** Prometheus takes a sample for the value of the next five minutes. */
const longestStepMs = 300_000;

/** Adds the flags of `export`, whose values are the fields of an `ExportRequest`. */
function addExportOptions(command: Command): Command {
  return command
    .option('--from <date>', 'where it begins (default: where the history does)', readInstant)
    .option('--to <date>', 'where it ends (default: now)', readInstant)
    .option(
      '--step <duration>',
      'time from one sample to the next (default: 1m in the last two days, and 4m before)',
      readStep,
    )
    .option('--out <path>', 'the file to write to (default: stdout)')
    .option(
      '--blocks <folder>',
      'write blocks for the data folder of a Prometheus instead of text, with promtool',
    )
    .option('--remote-write <url>', 'send it to this receiver of Prometheus remote write instead')
    .option('--force', 'replace the file at --out if there is one', false)
    .option(
      '--label <name=value>',
      'a label of every series, may be repeated; {shard} and {file} tell histories apart (default: those a scrape adds, job=<rules.job> and instance=localhost:10062)',
      readLabel,
    )
    .option(
      '--metric <glob>',
      'metrics to write, may be repeated, * stands for anything (default: all)',
      (glob: string, before: readonly string[] = []) => [...before, glob],
    );
}

/** Adds the flags of `export` that are for a receiver. */
function addRemoteOptions(command: Command): Command {
  const option = (flags: string, description: string) =>
    new Option(flags, description).helpGroup('Options of --remote-write:');
  return command
    .addOption(option('--bearer-token-file <path>', 'a file that holds a bearer token'))
    .addOption(option('--basic-auth-file <path>', 'a file that holds user:password'))
    .addOption(option('--header-file <path>', 'a file with headers, one a line, such as X-Scope-OrgID: team'))
    .addOption(option('--ca-file <path>', 'a PEM file with certificates of authorities to trust as well'))
    .addOption(
      option('--resume <path>', 'the file that keeps how far it has come (default: one beside the history)'),
    )
    .addOption(
      option(
        '--patience <duration>',
        'how long the receiver may take nothing before it is given up (default: 10m)',
      ).argParser(readPatience),
    );
}

function readPatience(text: string): number {
  const patienceMs = parseDuration(text);
  if (patienceMs !== undefined && patienceMs > 0) return patienceMs;
  throw new InvalidArgumentError('write a duration such as 30s, 10m or 2h');
}

function readStep(text: string): number {
  const stepMs = parseDuration(text);
  if (stepMs !== undefined && stepMs >= shortestStepMs && stepMs <= longestStepMs) return stepMs;
  throw new InvalidArgumentError('write a duration from 1s to 5m, as Prometheus looks back no further');
}

function readLabel(text: string, before: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const [, name, value] = /^((?!__)[a-zA-Z_][a-zA-Z0-9_]*)=(.*)$/s.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return { ...before, [name]: value };
  throw new InvalidArgumentError('write a label such as instance=host:10062');
}

/** An instant in epoch milliseconds from a date, whose beginning in UTC it is, or from a date with a time of day. */
function readInstant(text: string): number {
  const [, date, time, zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? [];
  const midnight = Date.parse(`${date}T00:00Z`);
  const at = Date.parse(`${date}T${time ?? '00:00'}${zone}`);
  // Days that a month does not have would be taken for some of the next.
  const isDate = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(String(date));
  if (isDate && !Number.isNaN(at)) return at;
  throw new InvalidArgumentError(
    'write a date such as 2026-10-01 or an instant such as 2026-10-01T12:00:00Z',
  );
}
