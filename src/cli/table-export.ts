import type { Config } from '../config/config.ts';
import type { TableRequest } from '../export/lake/table-export.ts';
import { Failure } from '../resources/failure.ts';
import type { Io } from './io.ts';
import { printNote } from './paint.ts';
import { withProgress } from './progress.ts';
import type { ExportFlags } from './table-option.ts';

/** `export --format parquet`: settled days as tables, once or as they settle. */
export async function writeTables(io: Io, config: Config, flags: ExportFlags): Promise<void> {
  const request = readTableRequest(flags);
  // Loaded here alone: SQLite and the writer cost `--help` a noticeable time.
  const { exportTables, describeExport } = await import('../export/lake/table-export.ts');
  if (flags.follow === true) {
    const { followTables } = await import('../export/lake/table-follow.ts');
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
