import { type Command, Option } from 'commander';
import type { Config } from '../config/config.ts';
import type { ExportRequest } from '../export/backfill/range-export.ts';
import type { TableRequest } from '../export/parquet/table-export.ts';
import { Failure } from '../resources/failure.ts';
import type { Io } from './io.ts';
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

/** Flags that are for series alone. */
const seriesFlags = [
  ['step', '--step'],
  ['label', '--label'],
  ['metric', '--metric'],
  ['blocks', '--blocks'],
  ['remoteWrite', '--remote-write'],
  ['bearerTokenFile', '--bearer-token-file'],
  ['basicAuthFile', '--basic-auth-file'],
  ['headerFile', '--header-file'],
  ['caFile', '--ca-file'],
  ['resume', '--resume'],
  ['patience', '--patience'],
  ['force', '--force'],
] as const;

function readTableRequest(flags: ExportFlags): TableRequest {
  const { out, from, to, account, personal = false } = flags;
  const misplaced = seriesFlags.find(([name]) => flags[name] !== undefined && flags[name] !== false);
  if (misplaced !== undefined) throw new Failure(`${misplaced[1]} is not for --format parquet`, 'usage');
  if (out === undefined)
    throw new Failure('--format parquet needs a folder for its files: name it with --out', 'usage');
  return {
    out,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(account !== undefined && { account }),
    isPersonal: personal,
  };
}

const exportFormats = ['openmetrics', 'parquet'] as const;

/** The flags of `export`: the fields of an `ExportRequest`, and the flags of tables. */
export interface ExportFlags extends ExportRequest {
  readonly format?: (typeof exportFormats)[number];
  readonly follow?: boolean;
  readonly account?: string;
  readonly personal?: boolean;
}

/** Adds the flags of `export` that are for tables. */
export function addTableOptions(command: Command): Command {
  const option = (flags: string, description: string) =>
    new Option(flags, description).helpGroup('Options of --format parquet:');
  return command
    .addOption(
      new Option(
        '--format <format>',
        'openmetrics for a time-series database (default), or parquet for tables of settled days in the folder --out',
      ).choices(exportFormats),
    )
    .addOption(option('--follow', 'go on, and add each day as it settles'))
    .addOption(option('--account <name>', 'this account alone'))
    .addOption(
      option('--personal', 'with the addresses and people of API keys, and the people that own projects'),
    );
}

/** @throws Failure when flags of tables are given without their format. */
export function withoutTableFlags({ format: _format, ...flags }: ExportFlags): ExportRequest {
  const { follow, account, personal, ...request } = flags;
  const given = { follow, account, personal };
  const misplaced = (['follow', 'account', 'personal'] as const).find(name => given[name] !== undefined);
  if (misplaced !== undefined) throw new Failure(`--${misplaced} is for --format parquet alone`, 'usage');
  return request;
}
