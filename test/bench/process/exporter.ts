import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The file that Node runs as the exporter. */
export const exporterFile = new URL('../../../bin/dbpm-exporter.cjs', import.meta.url).pathname;

/** Runs a command of the exporter to its end. @returns what it wrote. */
export async function runExporter(argv: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [exporterFile, ...argv], {
    maxBuffer: 2 ** 28,
  });
  return stdout;
}
