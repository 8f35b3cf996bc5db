import { runCommandLine } from '../../src/cli/command-line.ts';
import { reportCommand } from '../../src/cli/report.ts';
import { makeFakeIo } from '../cli/fake-io.ts';

/** A shard for each project. */
export function shardOf(project_id: string, shards: number): number {
  return [...project_id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % shards;
}

/** The output of `report` over histories, or its complaint where it prints nothing. */
export async function reportOn(
  configFile: string,
  files: readonly string[],
  line: string,
  now: number,
): Promise<string> {
  const { io, printed } = makeFakeIo();
  const flags = ['--config.file', configFile, ...files.flatMap(file => ['--history.file', file])];
  await runCommandLine(io, ['report', ...line.split(' '), ...flags], [reportCommand(io, { now: () => now })]);
  return printed.stdout === '' ? printed.stderr : printed.stdout;
}
