import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { dashboardsCommand } from '../../src/cli/dashboards.ts';
import { makeFakeIo } from './fake-io.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dbpm-dashboards-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function run(argv: readonly string[], from?: string) {
  const { io, printed } = makeFakeIo();
  const exitCode = await runCommandLine(io, ['dashboards', ...argv], [dashboardsCommand(io, from)]);
  const hide = (text: string) => text.replaceAll(folder, 'DIR');
  return { exitCode, stdout: hide(printed.stdout), stderr: hide(printed.stderr) };
}

test('the boards are written as they are committed, a line for each file', async () => {
  const out = join(folder, 'new', 'boards');
  expect(await run(['--out', out])).toEqual({
    exitCode: 0,
    stdout: [
      'DIR/new/boards/dbpm-api-keys.json',
      'DIR/new/boards/dbpm-endpoints.json',
      'DIR/new/boards/dbpm-exporter.json',
      'DIR/new/boards/dbpm-fleet.json',
      'DIR/new/boards/dbpm-operations.json',
      'DIR/new/boards/dbpm-project.json',
      'DIR/new/boards/dbpm-usage-cost.json',
      '',
    ].join('\n'),
    stderr: '',
  });
  const committed = new URL('../../dashboards/boards/dbpm-fleet.json', import.meta.url);
  expect(readFileSync(join(out, 'dbpm-fleet.json'), 'utf8')).toBe(readFileSync(committed, 'utf8'));
});

test('the boards link to the console that is named', async () => {
  expect((await run(['--out', folder, '--web.external-url', 'https://dbpm.example.com/'])).exitCode).toBe(0);
  const board = readFileSync(join(folder, 'dbpm-fleet.json'), 'utf8');
  expect(board).toContain('"https://dbpm.example.com/projects"');
  expect(board).not.toContain('localhost:10062');
});

test('boards of an older version are replaced, and nothing else in the folder is touched', async () => {
  writeFileSync(join(folder, 'dbpm-fleet.json'), 'older');
  writeFileSync(join(folder, 'mine.json'), 'mine');
  expect((await run(['--out', folder])).exitCode).toBe(0);
  expect(JSON.parse(readFileSync(join(folder, 'dbpm-fleet.json'), 'utf8')).uid).toBe('dbpm-fleet');
  expect(readFileSync(join(folder, 'mine.json'), 'utf8')).toBe('mine');
});

test('a folder that cannot be written is one sentence that says what to do', async () => {
  const taken = join(folder, 'taken');
  writeFileSync(taken, 'a file');
  const { exitCode, stdout, stderr } = await run(['--out', join(taken, 'boards')]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toMatch(
    /^dbpm-exporter: the boards cannot be written to DIR\/taken\/boards: ENOTDIR.*; name a folder you may write to with --out\n$/,
  );
  expect(readFileSync(taken, 'utf8')).toBe('a file');
});

test.runIf(existsSync('/proc/self'))(
  'a place where nothing can be made is refused, not tried for ever',
  async () => {
    const { exitCode, stderr } = await run(['--out', '/proc/dbpm/boards']);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^dbpm-exporter: the boards cannot be written to \/proc\/dbpm\/boards: ENOENT/);
  },
);

test('without --out the option is named, and nothing is written', async () => {
  expect(await run([])).toEqual({
    exitCode: 2,
    stdout: '',
    stderr:
      'dbpm-exporter: --out is missing: name the folder to write the boards to, such as boards; it is made if it is not there\n',
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('an installation without its boards says so', async () => {
  const { exitCode, stderr } = await run(['--out', join(folder, 'out')], join(folder, 'gone'));
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^dbpm-exporter: this installation has no boards: ENOENT.*; install it again/);
  expect(readdirSync(folder)).toEqual([]);
});
