import { readFileSync } from 'node:fs';

function readVersion(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  return version;
}

/** The version of this program, as in package.json: `0.1.0`. */
export const version = readVersion();

/** The line that `--version` prints, in the form of the Prometheus exporters. */
export const versionLine = `dbpm-exporter, version ${version} (node ${process.version})`;
