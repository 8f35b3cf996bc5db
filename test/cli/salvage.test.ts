import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { salvageCommand } from '../../src/cli/salvage.ts';
import { damageTable, overwrite } from '../support/damaged-history.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { wireProject } from '../support/reading-builder.ts';
import { makeFakeIo } from './fake-io.ts';

async function run(folder: HistoryFolder, ...words: readonly string[]) {
  const { io, printed } = makeFakeIo();
  const exitCode = await runCommandLine(io, ['salvage', ...words], [salvageCommand(io)]);
  const hide = (text: string) => text.replaceAll(folder.path, 'DIR');
  return { exitCode, stdout: hide(printed.stdout), stderr: hide(printed.stderr) };
}

function writeHistory(folder: HistoryFolder): string {
  folder.close(folder.openListed([wireProject('p', { cpu_used_sec: 70 })]));
  return join(folder.path, 'new.sqlite');
}

test('all of a history without a header is saved, which is 0', async () => {
  using folder = new HistoryFolder();
  const to = writeHistory(folder);
  overwrite(folder.file, 0, 100);
  expect(await run(folder, folder.file, '--to', to)).toEqual({
    exitCode: 0,
    stdout: `DIR/dbpm.sqlite: saved whole to DIR/new.sqlite
  table            saved  lost
  account              1
  collector            1
  source_salt          1
  project              1
  cpu_count_start      1
  cpu_sample           1
`,
    stderr: '',
  });
  expect(await run(folder, '--history.file', folder.file, '--to', to)).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'dbpm-exporter: DIR/new.sqlite exists: name another file\n',
  });
});

test('a part is saved, which is 3, with what is lost and what begins anew', async () => {
  using folder = new HistoryFolder();
  const to = writeHistory(folder);
  for (const table of ['project', 'collector_error']) damageTable(folder.file, table);
  const { exitCode, stdout, stderr } = await run(folder, '--history.file', folder.file, '--to', to);
  expect(exitCode).toBe(3);
  expect(stdout).toMatch(/^DIR\/dbpm.sqlite: saved in part to DIR\/new.sqlite$/m);
  expect(stdout).toMatch(/^ {2}project {14}0 {2}of 1 all but the name$/m);
  expect(stdout).toMatch(/^ {2}begin anew: dbpm_collector_errors_total, .* of main$/m);
  expect(stdout).toMatch(/^ {2}begin anew: .*dbpm_project_cpu_used_resets_total.* of main\/p$/m);
  expect(stderr).toBe(
    'dbpm-exporter: not all of DIR/dbpm.sqlite could be saved: see what is lost, and keep the file\n',
  );
});

test('a program reads it as JSON', async () => {
  using folder = new HistoryFolder();
  const to = writeHistory(folder);
  damageTable(folder.file, 'collector_error');
  const { exitCode, stdout } = await run(folder, folder.file, '--to', to, '--format', 'json');
  expect(exitCode).toBe(3);
  const told = JSON.parse(stdout);
  expect(told).toMatchObject({
    is_whole: false,
    is_log_lost: false,
    begin_anew: [{ metrics: ['dbpm_collector_errors_total'], of: ['main'] }],
  });
  const project = { table: 'project', saved_rows: 1, rebuilt_rows: 0, dropped_rows: 0, lost_pages: 0 };
  expect(told.tables).toContainEqual({ ...project, lost_rows_about: 0, is_left_out: false });
});

test('nothing is saved, which is 1', async () => {
  using folder = new HistoryFolder();
  const to = writeHistory(folder);
  writeFileSync(folder.file, Buffer.alloc(50_000, 1));
  expect(await run(folder, folder.file, '--to', to)).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'dbpm-exporter: nothing of DIR/dbpm.sqlite could be saved: restore the last backup\n',
  });
  expect(existsSync(to)).toBe(false);
  const { exitCode, stderr } = await run(folder, join(folder.path, 'nowhere'), '--to', to);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: 'dbpm-exporter: there is no history file at DIR/nowhere: name another\n',
  });
});
