import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { reportCommand } from '../../src/cli/report.ts';
import { makeFakeIo } from '../cli/fake-io.ts';

interface ReportRun {
  /** The history, or several. */
  readonly file: string | readonly string[];
  /** The instant at which it is made, epoch milliseconds. */
  readonly now: number;
  /** The text of its configuration, which is written beside the history. */
  readonly config?: string;
  /** In its place a file that is there. */
  readonly configFile?: string;
  readonly terminal?: boolean;
}

/** Runs `report` with words such as `cost --by group`, which may be given one by one. */
export async function runReport(
  line: string | readonly string[],
  { file, now, config, configFile, terminal = false }: ReportRun,
) {
  const files = [file].flat();
  const path = configFile ?? join(dirname(files[0] ?? ''), 'dbpm.yaml');
  if (config !== undefined) writeFileSync(path, config);
  const isConfigured = config !== undefined || configFile !== undefined;
  const flags = [
    ...(isConfigured ? ['--config.file', path] : []),
    ...files.flatMap(each => ['--history.file', each]),
  ];
  const { io, printed } = makeFakeIo({ terminal });
  const words = typeof line === 'string' ? line.split(' ') : line;
  const argv = ['report', ...flags, ...words];
  const exitCode = await runCommandLine(io, argv, [reportCommand(io, { now: () => now })]);
  return { exitCode, ...printed };
}

/** What `report` prints over histories, or its complaint where it prints nothing. */
export async function reportOn(configFile: string, file: readonly string[], line: string, now: number) {
  const { stdout, stderr } = await runReport(line, { file, now, configFile });
  return stdout === '' ? stderr : stdout;
}

/** A shard for each project. */
export function shardOf(project_id: string, shards: number): number {
  return [...project_id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % shards;
}
