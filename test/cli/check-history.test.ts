import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkHistoryCommand } from '../../src/cli/check-history.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { damageTable } from '../support/damaged-history.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { wireProject } from '../support/reading-builder.ts';
import { makeFakeIo } from './fake-io.ts';

async function check(...words: readonly string[]) {
  const { io, printed } = makeFakeIo();
  const exitCode = await runCommandLine(io, ['check-history', ...words], [checkHistoryCommand(io)]);
  return { exitCode, ...printed };
}

function writeHistory(folder: HistoryFolder): void {
  folder.close(folder.openListed([wireProject('p')]));
}

test('a sound history is said to be so, with what it holds', async () => {
  using folder = new HistoryFolder();
  writeHistory(folder);
  const { exitCode, stdout, stderr } = await check(folder.file);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout.split('\n')[0]).toBe(`${folder.file}: sound`);
  expect(stdout).toMatch(/^ {2}projects {8}1$/m);
  expect(stdout).toMatch(/^ {2}first reading {3}2026-/m);
  expect(stdout).toMatch(/^ {2}last reading {4}2026-/m);
  expect(stdout).not.toContain('known from');
  expect(await check('--history.file', folder.file)).toEqual({ exitCode, stdout, stderr });
});

test('one that is not is told what is wrong, and what to do; a program reads it as JSON', async () => {
  using folder = new HistoryFolder();
  writeHistory(folder);
  damageTable(folder.file, 'cpu_sample');
  const { exitCode, stdout, stderr } = await check(folder.file, '--format', 'json');
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    is_sound: false,
    problems: [{ table: 'cpu_sample' }],
    accounts: ['main'],
  });
  expect(stderr).toBe(
    `dbpm-exporter: ${folder.file} is not sound: keep it, and put its newest backup in its place\n`,
  );
});

test('a file that is not there is told', async () => {
  using folder = new HistoryFolder();
  const file = join(folder.path, 'nowhere.sqlite');
  expect(await check(file)).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `dbpm-exporter: there is no history file at ${file}: name another\n`,
  });
});
