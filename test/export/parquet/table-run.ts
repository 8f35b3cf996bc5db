import { runCommandLine } from '../../../src/cli/command-line.ts';
import { exportCommand } from '../../../src/cli/export.ts';
import { makeFakeIo } from '../../cli/fake-io.ts';

/** Exports histories as tables. */
export async function exportTo(
  out: string,
  configFile: string,
  files: readonly string[],
  ...flags: readonly string[]
) {
  const { io, printed } = makeFakeIo();
  const histories = files.flatMap(file => ['--history.file', file]);
  const argv = ['export', '--format', 'parquet', '--out', out, '--config.file', configFile, ...histories];
  const exitCode = await runCommandLine(io, [...argv, ...flags], [exportCommand(io)]);
  return { exitCode, ...printed };
}
