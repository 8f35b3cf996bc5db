import { chmodSync, copyFileSync, mkdirSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ProgramFile } from './program-file.ts';

/** Copies files into a folder, readable for all and dated, whatever the umask and the checkout say. */
export function stageFiles(files: readonly ProgramFile[], folder: string, date: number): void {
  for (const { path, source, isExecutable } of files)
    stageFile(join(folder, path), source, isExecutable, date);
}

function stageFile(target: string, source: string, isExecutable: boolean, date: number): void {
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(source, target);
  chmodSync(target, isExecutable ? 0o755 : 0o644);
  utimesSync(target, date, date);
}
