import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listProgramFiles } from './program-file.ts';

/** Marks the place in Node's executable that says whether it holds a program. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Writes one executable file that holds this Node, the program and the packages it needs. */
export function makeSingleFile(root: string, target: string, revision: string): void {
  const work = mkdtempSync(join(tmpdir(), 'dbpm-single-file-'));
  try {
    const files = listProgramFiles(root, `${process.platform}-${process.arch}`);
    const digest = createHash('sha256');
    for (const { path, source } of files) digest.update(`${path}\0`).update(readFileSync(source));
    const asset = (name: string, text: string) => {
      writeFileSync(join(work, name), text);
      return join(work, name);
    };
    const assets = {
      digest: asset('digest', digest.digest('hex').slice(0, 32)),
      revision: asset('revision', revision),
      ...Object.fromEntries(files.map(({ path, source }) => [`program/${path}`, source])),
    };
    const blob = join(work, 'blob');
    const main = new URL('single-file-main.cjs', import.meta.url).pathname;
    const config = {
      main,
      output: blob,
      disableExperimentalSEAWarning: true,
      execArgv: ['--disable-sigusr1'],
      assets,
    };
    execFileSync(process.execPath, [
      '--experimental-sea-config',
      asset('config.json', JSON.stringify(config)),
    ]);
    copyFileSync(process.execPath, target);
    chmodSync(target, 0o755);
    const postject = createRequire(import.meta.url).resolve('postject/dist/cli.js');
    execFileSync(process.execPath, [postject, target, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse]);
  } finally {
    rmSync(work, { recursive: true });
  }
}
