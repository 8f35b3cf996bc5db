import { type Command, Option } from 'commander';
import type { ExportRequest } from '../export/backfill/range-export.ts';
import { Failure } from '../resources/failure.ts';

const exportFormats = ['openmetrics', 'parquet'] as const;

/** The flags of `export`: the fields of an `ExportRequest`, and those of tables. */
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
