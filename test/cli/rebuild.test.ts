import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { rebuildCommand } from '../../src/cli/rebuild.ts';
import { LivedHistory } from '../support/lived-history.ts';
import { makeFakeIo } from './fake-io.ts';

const tables = ['usage_hour', 'usage_day', 'compute_day'];

function readRollUps(file: string): readonly unknown[] {
  const database = new Database(file, { readonly: true });
  try {
    return tables.map(table => database.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).raw().all());
  } finally {
    database.close();
  }
}

async function rebuild(file: string) {
  const { io, printed } = makeFakeIo();
  const command = rebuildCommand(io);
  const exitCode = await runCommandLine(io, ['rebuild', '--history.file', file], [command]);
  return { exitCode, ...printed };
}

test('what is rebuilt is what the daemon wrote, also where rows were wrong', async () => {
  using life = new LivedHistory({ now: Date.UTC(2026, 9, 1) / 1000, seed: 4, projects: 3, historyDays: 2 });
  life.watch(3 * 86_400, { listEverySeconds: 900, projectsEvery: 1 });
  while (life.history.upkeep(life.now));
  const { file } = life.folder;
  life.folder.close(life.history);
  const before = readRollUps(file);
  const database = new Database(file);
  database.exec('UPDATE usage_hour SET total = total + 1; DELETE FROM usage_day');
  database.close();
  expect(readRollUps(file)).not.toEqual(before);

  const { exitCode, stdout, stderr } = await rebuild(file);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatch(/: use of 3 projects worked out anew, now in \d+ hours and \d+ days\n$/);
  expect(readRollUps(file)).toEqual(before);
});

test('a history in use by a daemon is left alone, and one that is not there is not made', async () => {
  using life = new LivedHistory({ now: Date.UTC(2026, 9, 1) / 1000, projects: 1 });
  const { file } = life.folder;
  expect(await rebuild(file)).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `dbpm-exporter: ${file} is in use by another dbpm-exporter: stop that one, or give this one a history file of its own\n`,
  });
  const nowhere = `${file}-not-there`;
  expect(await rebuild(nowhere)).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `dbpm-exporter: there is no history file at ${nowhere}: name it with --history.file\n`,
  });
});
