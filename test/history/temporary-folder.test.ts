import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HistoryFolder } from '../support/history-folder.ts';
import { mayMount } from '../support/mount-namespace.ts';

/** Takes the right to write away from every folder that is for temporary files, and from the one the process is in. */
const readOnly = `history=$1; shift
mount --bind "$history" /mnt
for folder in /tmp /var/tmp "$PWD"; do mount --bind $folder $folder && mount -o remount,bind,ro $folder; done
cd "$PWD" && exec "$@" /mnt/dbpm.sqlite`;

test.skipIf(!mayMount())('readings are written where the folder of the history alone may be', () => {
  using folder = new HistoryFolder();
  const program = [process.execPath, join(import.meta.dirname, 'record-elsewhere.ts')];
  const words = ['--mount', 'sh', '-ec', readOnly, 'sh', folder.path, ...program];
  const env = { ...process.env, TMPDIR: '/nonexistent', SQLITE_TMPDIR: '' };
  const said = execFileSync('unshare', words, { encoding: 'utf8', env });
  expect(said).toBe('recorded\n');
});
