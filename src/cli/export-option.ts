import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseDuration } from '../config/duration.ts';

const shortestStepMs = 1000;
/** Prometheus takes a sample for the value of the next five minutes. */
const longestStepMs = 300_000;

/** Adds the flags of `export`, whose values are the fields of an `ExportRequest`. */
export function addExportOptions(command: Command): Command {
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
export function addRemoteOptions(command: Command): Command {
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
