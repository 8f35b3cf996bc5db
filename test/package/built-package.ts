import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export const run = promisify(execFile);
const root = new URL('../..', import.meta.url).pathname;
/** 2026-01-02 03:04:05. */
export const sourceDate = 1_767_323_045;

/** A checkout of what is here now, in a folder of its own; nothing but the packages is shared with this one. */
export async function checkOut(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-checkout-'));
  const { stdout } = await run('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: root });
  for (const path of new Set(stdout.split('\0').filter(Boolean))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Makes packages in a checkout, as `npm run package` does. @returns the folder they are in. */
export async function makePackages(
  checkout: string,
  { only = '', umask = '022' }: { readonly only?: string; readonly umask?: string } = {},
): Promise<string> {
  const script = `umask ${umask} && exec "$0" deploy/package/run.ts ${only}`;
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(sourceDate) };
  await run('/bin/sh', ['-c', script, process.execPath], { cwd: checkout, env });
  return join(checkout, 'dist');
}

export function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
