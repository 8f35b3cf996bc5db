import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BackupModule, backupCommand } from '../../src/cli/backup.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import type { Io } from '../../src/cli/io.ts';
import { makeFakeIo } from './fake-io.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dbpm-backup-'));
  writeFileSync(join(folder, 'from'), 'history');
});
afterEach(() => rmSync(folder, { recursive: true }));

const copyInTwoSteps: BackupModule['backupHistory'] = async ({ from, to, onProgress }) => {
  onProgress({ totalPages: 2, remainingPages: 1 });
  writeFileSync(to, readFileSync(from));
  onProgress({ totalPages: 2, remainingPages: 0 });
  return 7;
};

async function run(
  argv: readonly string[],
  {
    terminal = false,
    stopped = false,
    copy = copyInTwoSteps,
    env = { DBPM_HISTORY_FILE: join(folder, 'from') },
  }: { terminal?: boolean; stopped?: boolean; copy?: BackupModule['backupHistory']; env?: Io['env'] } = {},
) {
  const { io, printed, stop } = makeFakeIo({ terminal, env });
  if (stopped) stop();
  const command = backupCommand(io, { loadBackup: async () => ({ backupHistory: copy }) });
  const exitCode = await runCommandLine(io, ['backup', ...argv], [command]);
  const hide = (text: string) => text.replaceAll(folder, 'DIR');
  return { exitCode, stdout: hide(printed.stdout), stderr: hide(printed.stderr) };
}

test('a backup says where it is and how large, and nothing else when piped', async () => {
  expect(await run(['--to', join(folder, 'to')])).toEqual({
    exitCode: 0,
    stdout: 'DIR/to: 7 bytes, a copy of DIR/from\n',
    stderr: '',
  });
  expect(readFileSync(join(folder, 'to'), 'utf8')).toBe('history');
  expect(readdirSync(folder)).toEqual(['from', 'to']);
});

test.each([
  [999, '999 bytes'],
  [1000, '1.0 kB'],
  [999_940, '999.9 kB'],
  [999_960, '1.0 MB'],
  [3_400_000, '3.4 MB'],
])('a copy of %d bytes is said to have %s', async (bytes, size) => {
  const copy: BackupModule['backupHistory'] = async options => copyInTwoSteps(options).then(() => bytes);
  const { stdout } = await run(['--to', join(folder, 'to')], { copy });
  expect(stdout).toBe(`DIR/to: ${size}, a copy of DIR/from\n`);
});

test('a backup shows its progress on a terminal', async () => {
  const { stderr } = await run(['--to', join(folder, 'to')], { terminal: true });
  expect(stderr).toBe('\rcopying: 50%\rcopying: 100%\r\u001b[K');
});

test('a file that exists is replaced only when forced', async () => {
  const to = join(folder, 'to');
  writeFileSync(to, 'older');
  expect(await run(['--to', to])).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'dbpm-exporter: DIR/to exists: name another file, or replace it with --force\n',
  });
  expect(readFileSync(to, 'utf8')).toBe('older');
  expect((await run(['--to', to, '--force'])).exitCode).toBe(0);
  expect(readFileSync(to, 'utf8')).toBe('history');
});

test('a backup that fails is one sentence, and the older one stays', async () => {
  const to = join(folder, 'to');
  writeFileSync(to, 'older');
  const copy: BackupModule['backupHistory'] = async options => {
    writeFileSync(options.to, 'half');
    throw new Error('disk full');
  };
  expect(await run(['--to', to, '--force'], { copy })).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'dbpm-exporter: the backup failed: disk full\n',
  });
  expect(readFileSync(to, 'utf8')).toBe('older');
  expect(readdirSync(folder)).toEqual(['from', 'to']);
});

test('a signal ends a backup and removes what was copied', async () => {
  const { exitCode, stderr } = await run(['--to', join(folder, 'to')], { stopped: true });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: 'dbpm-exporter: the backup failed: it was told to stop\n',
  });
  expect(existsSync(join(folder, 'to'))).toBe(false);
});

test('the history itself is never the target, and a history that is not there is said', async () => {
  const from = join(folder, 'from');
  expect(await run(['--to', from, '--force'])).toMatchObject({
    exitCode: 2,
    stderr: 'dbpm-exporter: --to is the history file itself: name another file\n',
  });
  expect(await run(['--to', join(folder, 'to'), '--history.file', join(folder, 'gone')])).toMatchObject({
    exitCode: 1,
    stderr: 'dbpm-exporter: there is no history file at DIR/gone: name it with --history.file\n',
  });
});

test('the configuration names the history, unless the environment or a flag does', async () => {
  const configFile = join(folder, 'dbpm.yaml');
  // The configuration is refused where it names what is no history.
  writeFileSync(join(folder, 'from'), 'SQLite format 3\0'.padEnd(100, '\0'));
  writeFileSync(configFile, `history: {file: ${join(folder, 'from')}}`);
  const argv = ['--config.file', configFile, '--to', join(folder, 'to'), '--force'];
  const env = { DBPM_HISTORY_FILE: join(folder, 'gone') };
  expect((await run(argv, { env: {} })).stdout).toBe('DIR/to: 7 bytes, a copy of DIR/from\n');
  expect((await run(argv, { env })).stderr).toContain('there is no history file at DIR/gone');
  const flag = ['--history.file', join(folder, 'from')];
  expect((await run([...argv, ...flag], { env })).stdout).toBe('DIR/to: 7 bytes, a copy of DIR/from\n');
  writeFileSync(configFile, 'histroy: {}');
  expect((await run(argv, { env: {} })).stderr).toContain('DIR/dbpm.yaml:1: histroy');
});
