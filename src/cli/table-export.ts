import { type Command, Option } from 'commander';
import type { Config } from '../config/config.ts';
import type { ExportRequest } from '../export/backfill/range-export.ts';
import type { TableRequest } from '../export/parquet/table-export.ts';
import { Failure } from '../resources/failure.ts';
import { compact } from '../resources/field.ts';
import type { Io } from './io.ts';
import { wordOption } from './option.ts';
import { printNote, withProgress } from './terminal.ts';

/** `export --format parquet`: settled days as tables, once or as they settle. */
export async function writeTables(io: Io, config: Config, flags: ExportFlags): Promise<void> {
  const request = readTableRequest(flags);
  // Loaded here alone: SQLite and the writer cost `--help` a noticeable time.
  const { exportTables, describeExport, followTables } = await import('../export/parquet/table-export.ts');
  if (flags.follow === true) {
    await followTables(config, request, {
      signal: io.stopped,
      onLine: line => io.stdout(`${line}\n`),
      onTrouble: sentence => printNote(io, 'warning', sentence),
    });
    return;
  }
  const result = await withProgress(io, 'exporting', onProgress =>
    exportTables(config, request, { onDay: (_day, done) => onProgress(done), signal: io.stopped }),
  );
  io.stdout(`${describeExport(result, config).join('\n')}\n`);
}

const exportFormats = ['openmetrics', 'parquet'] as const;

/** The flags of `export`: the fields of an `ExportRequest`, and the flags of tables. */
export interface ExportFlags extends ExportRequest {
  readonly format?: (typeof exportFormats)[number];
  readonly follow?: boolean;
  readonly account?: string;
  readonly personal?: boolean;
}

const tableOption = (flags: string, about: string) =>
  new Option(flags, about).helpGroup('Options of --format parquet:');
const formatOption = wordOption(
  '--format <format>',
  'openmetrics for a time-series database (default), or parquet for tables of settled days in the folder --out',
  exportFormats,
);
const tableOptions = [
  tableOption('--follow', 'go on, and add each day as it settles'),
  tableOption('--account <name>', 'this account alone'),
  tableOption('--personal', 'with the addresses and people of API keys, and the people that own projects'),
];
/** The flags of both, besides settings, which have a dot. */
const sharedFlags = new Set(['--format', '--from', '--to', '--out']);

/** Adds the flags of `export` that are for tables. */
export function addTableOptions(command: Command): Command {
  for (const option of [formatOption, ...tableOptions]) command.addOption(option);
  return command;
}

/** @throws Failure when a flag is given that is not for the format that is asked for. */
export function refuseFlagsOfOthers(command: Command, { format }: ExportFlags): void {
  const given = command.options.filter(
    option => command.getOptionValueSource(option.attributeName()) === 'cli',
  );
  const ofTables = given.find(option => tableOptions.includes(option));
  if (format !== 'parquet') {
    if (ofTables === undefined) return;
    throw new Failure(`${ofTables.long} is for --format parquet alone`, 'usage');
  }
  const ofSeries = given.find(
    option =>
      !tableOptions.includes(option) && !/\./.test(option.flags) && !sharedFlags.has(option.long ?? ''),
  );
  if (ofSeries !== undefined) throw new Failure(`${ofSeries.long} is not for --format parquet`, 'usage');
}

function readTableRequest({ out, from, to, account, personal = false }: ExportFlags): TableRequest {
  if (out === undefined)
    throw new Failure('--format parquet needs a folder for its files: name it with --out', 'usage');
  return { out, ...compact({ from, to, account }), isPersonal: personal };
}
