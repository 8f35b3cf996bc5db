import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listProgramFiles } from './program-file.ts';
import { stageFiles } from './staging.ts';

/**
 * Writes the program with the packages it needs as a `.tar.gz`, for machines that have Node: the same bytes from the
 * same commit, wherever it is made.
 */
export function makeTarball(root: string, target: string, name: string, date: number): void {
  const staging = mkdtempSync(join(tmpdir(), 'dbpm-tarball-'));
  try {
    stageFiles(listProgramFiles(root), join(staging, name), date);
    const asRoot = ['--owner=0', '--group=0', '--numeric-owner'];
    const sameModes = ['--mode=u=rwX,go=rX', '--format=ustar', '--sort=name', `--mtime=@${date}`];
    const compress = '--use-compress-program=gzip --best --no-name';
    const env = { ...process.env, LC_ALL: 'C' };
    execFileSync('tar', [compress, ...asRoot, ...sameModes, '-C', staging, '-cf', target, name], { env });
  } finally {
    rmSync(staging, { recursive: true });
  }
}
