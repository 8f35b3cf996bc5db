import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { exportCommand } from '../../src/cli/export.ts';
import { formatVersion } from '../../src/history/file/format.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { describeWithPeers } from '../support/peer.ts';
import { minute, projectsReading, startAt, wireProject } from '../support/reading-builder.ts';
import { makeFakeIo } from './fake-io.ts';

let folder: HistoryFolder;
beforeEach(() => {
  folder = new HistoryFolder();
  const history = folder.open();
  history.commitOne(projectsReading(startAt, [wireProject('p', { created_at: '2026-11-21T10:00:00Z' })]));
  folder.close(history);
});
afterEach(() => folder[Symbol.dispose]());

interface Circumstances {
  readonly terminal?: boolean;
  readonly stopped?: boolean;
  readonly taken?: boolean;
}

async function run(
  argv: readonly string[],
  { terminal = false, stopped = false, taken = true }: Circumstances = {},
) {
  const { io, printed, stop } = makeFakeIo({ terminal });
  if (stopped) stop();
  const command = exportCommand({ ...io, stdoutTaken: async () => taken }, () => startAt + 2 * minute);
  const file = argv.includes('--history.file') ? [] : ['--history.file', folder.file];
  const exitCode = await runCommandLine(io, ['export', ...file, ...argv], [command]);
  return { exitCode, stdout: printed.stdout, stderr: printed.stderr.replaceAll(folder.path, 'DIR') };
}

const created = ['--metric', 'dbpm_project_created_timestamp_seconds'];
const header = `# TYPE dbpm_project_created_timestamp_seconds gauge
# UNIT dbpm_project_created_timestamp_seconds seconds
# HELP dbpm_project_created_timestamp_seconds When the project was created.
`;

test('all that is known is written until now, a minute apart, with the labels a scrape adds', async () => {
  const series = `dbpm_project_created_timestamp_seconds{account="main",project_id="p",job="dbpm",instance="localhost:10062"} 1795255200`;
  expect(await run(created)).toEqual({
    exitCode: 0,
    stdout: `${header}${series} 1795255200\n${series} 1795255260\n${series} 1795255320\n# EOF\n`,
    stderr: '',
  });
});

test('range, step and labels can be given, and the past ends where it is told to', async () => {
  const range = ['--from', '2026-11-21T10:00:30Z', '--to', '2026-11-21T12:01:00.5+02:00', '--step', '20s'];
  const labels = ['--label', 'instance=host:1', '--label', 'team=a "b"'];
  const series = `dbpm_project_created_timestamp_seconds{account="main",project_id="p",job="dbpm",instance="host:1",team="a \\"b\\""} 1795255200`;
  expect(await run([...created, ...range, ...labels])).toMatchObject({
    exitCode: 0,
    stdout: `${header}${series} 1795255240.5\n${series} 1795255260.5\n# EOF\n`,
  });
});

test('a range that begins before what is known is written as far as it is, and said to be partial', async () => {
  const { exitCode, stdout, stderr } = await run([...created, '--from', '2026-11-21']);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 3,
    stderr:
      'dbpm-exporter: not all is known of the time before 2026-11-21T10:00:00.000Z: what is not was left out\n',
  });
  expect(stdout.split('\n')).toHaveLength(8);
});

test('without a beginning it is that of the account that is known longest', async () => {
  const history = folder.open({ accounts: ['late', 'main'] });
  const project = wireProject('q', { created_at: '2026-11-21T10:01:00Z' });
  history.commitOne(projectsReading(startAt + minute, [project], { account: 'late' }));
  folder.close(history);
  const { exitCode, stdout } = await run(created);
  expect([exitCode, stdout.match(/"main"/g)?.length, stdout.match(/"late"/g)?.length]).toEqual([0, 3, 2]);
  expect((await run([...created, '--from', '2026-11-21T10:00:30Z'])).exitCode).toBe(3);
});

test.each([
  [
    ['--from', 'yesterday'],
    '--from: found "yesterday", write a date such as 2026-10-01 or an instant such as 2026-10-01T12:00:00Z',
  ],
  [
    ['--to', '2026-02-30'],
    '--to: found "2026-02-30", write a date such as 2026-10-01 or an instant such as 2026-10-01T12:00:00Z',
  ],
  [
    ['--step', '6m'],
    '--step: found "6m", write a duration from 1s to 5m, as Prometheus looks back no further',
  ],
  [['--label', '__name__=x'], '--label: found "__name__=x", write a label such as instance=host:10062'],
  [['--label', 'account=x'], '--label: metrics have a label account of their own: name another'],
  [['--to', '2026-11-22'], '--to 2026-11-22T00:00:00.000Z lies in the future: name an earlier instant'],
  [
    ['--to', '2026-11-21'],
    'nothing lies between 2026-11-21T10:00:00.000Z and 2026-11-21T00:00:00.000Z: see --help',
  ],
  [
    ['--metric', 'dbpm_project_*', '--metric', 'dbpm_endpont_*'],
    '--metric dbpm_endpont_* is no metric that an export can have: compare it with the list in docs/metrics.md, and see --help',
  ],
  [
    ['--metric', 'dbpm_up'],
    '--metric dbpm_up is no metric that an export can have: compare it with the list in docs/metrics.md, and see --help',
  ],
  [['--out', 'past.om', '--blocks', 'data'], '--out is for text and --blocks for blocks: give one of them'],
])('%j is wrong usage', async (argv, message) => {
  expect(await run(argv)).toEqual({ exitCode: 2, stdout: '', stderr: `dbpm-exporter: ${message}\n` });
});

test('a file gets its name when it is whole, and replaces another only when forced', async () => {
  const out = join(folder.path, 'past.om');
  expect(await run([...created, '--out', out], { stopped: true })).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'dbpm-exporter: the export was told to stop before its end\n',
  });
  expect(existsSync(out) || existsSync(`${out}.unfinished`)).toBe(false);
  writeFileSync(out, 'older');
  expect(await run([...created, '--out', out])).toMatchObject({
    exitCode: 1,
    stderr: 'dbpm-exporter: DIR/past.om exists: name another file, or replace it with --force\n',
  });
  expect((await run([...created, '--out', out, '--force'])).exitCode).toBe(0);
  expect(readFileSync(out, 'utf8').endsWith('# EOF\n')).toBe(true);
});

test('blocks need promtool, which comes with Prometheus', async () => {
  vi.stubEnv('PATH', folder.path);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const blocks = join(folder.path, 'data');
  expect(await run(['--blocks', blocks])).toEqual({
    exitCode: 1,
    stdout: '',
    stderr:
      'dbpm-exporter: promtool makes the blocks and is not there: it comes with Prometheus, add its folder to PATH; or write text, without --blocks\n',
  });
  expect(existsSync(blocks)).toBe(false);
});

describeWithPeers(['promtool'], 'blocks', () => {
  const listBlocks = (blocks: string) =>
    readdirSync(blocks).map(block => {
      const { stats } = JSON.parse(readFileSync(join(blocks, block, 'meta.json'), 'utf8'));
      return stats;
    });

  test('are all there is in the folder when all are made', async () => {
    const blocks = join(folder.path, 'data', 'prometheus');
    expect(await run([...created, '--blocks', blocks])).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(listBlocks(blocks)).toEqual([{ numSamples: 3, numSeries: 1, numChunks: 1 }]);
  });

  test('cut a month at the ends of those of Prometheus', async () => {
    const history = folder.open();
    const projects = [
      wireProject('p', { created_at: '2026-11-21T10:00:00Z' }),
      wireProject('old', { created_at: '2026-10-21T10:00:00Z' }),
    ];
    history.commitOne(projectsReading(startAt + minute, projects));
    folder.close(history);
    const blocks = join(folder.path, 'data');
    const asked = ['--metric', 'dbpm_project_info', '--from', '2026-11-11T10:00:00Z'];
    expect((await run([...asked, '--blocks', blocks])).exitCode).toBe(0);
    const samples = listBlocks(blocks).map(({ numSamples }) => numSamples);
    const coarse = 8 * 24 * 15;
    const fine = 2 * 24 * 60 + 1;
    expect(samples.reduce((sum, count) => sum + count, 0)).toBe(coarse + fine + 3);
    expect(samples.length).toBe(14);
  });

  test('are none where it is told to stop or the folder cannot be', async () => {
    const blocks = join(folder.path, 'data');
    expect(await run([...created, '--blocks', blocks], { stopped: true })).toMatchObject({
      exitCode: 1,
      stderr: 'dbpm-exporter: the export was told to stop before its end\n',
    });
    expect(existsSync(blocks) ? readdirSync(blocks) : []).toEqual([]);
    const taken = join(folder.path, 'file');
    writeFileSync(taken, '');
    expect(await run([...created, '--blocks', taken])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('DIR/file cannot be written: '),
    });
  });
});

test('on a terminal it shows how far it is', async () => {
  const out = join(folder.path, 'past.om');
  const { stderr } = await run([...created, '--out', out], { terminal: true });
  expect(stderr).toBe('\rexporting: 100%\r\u001b[K');
});

test('it ends when nobody reads it any more', async () => {
  expect(await run(created, { taken: false })).toMatchObject({
    exitCode: 1,
    stderr: 'dbpm-exporter: the export was not read to its end\n',
  });
});

test('a reader that goes away ends it, a slow one gets all', async () => {
  const main = new URL('../../bin/dbpm-exporter.cjs', import.meta.url).pathname;
  const range = ['--from', '2026-11-21T10:00:00Z', '--to', '2026-11-21T11:00:00Z', '--step', '1s'];
  const start = () => spawn(process.execPath, [main, 'export', '--history.file', folder.file, ...range]);
  const left = start();
  left.stdout.once('data', () => left.stdout.destroy());
  const slow = start();
  let text = '';
  slow.stdout.setEncoding('utf8').on('data', async (portion: string) => {
    text += portion;
    slow.stdout.pause();
    setImmediate(() => slow.stdout.resume());
  });
  const [[leftCode], [slowCode]] = await Promise.all([once(left, 'close'), once(slow, 'close')]);
  expect([leftCode, slowCode]).toEqual([1, 0]);
  expect(text.match(/^dbpm_project_info\{/gm)).toHaveLength(3601);
  expect(text.endsWith('# EOF\n')).toBe(true);
});

test('a daemon that writes the history at the same time is not disturbed', async () => {
  const history = folder.open();
  const reading = projectsReading(startAt + minute, [
    wireProject('q', { created_at: '2026-11-21T10:00:00Z' }),
  ]);
  history.commitOne(reading);
  const { exitCode, stdout } = await run(created);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('project_id="q"');
  expect(() => history.commitOne({ ...reading, servedAt: startAt + 2 * minute })).not.toThrow();
});

test('a history that is not there, of another version or without a project is said', async () => {
  expect(await run(['--history.file', join(folder.path, 'none')])).toMatchObject({
    exitCode: 1,
    stderr: 'dbpm-exporter: there is no history at DIR/none: name it with --history.file\n',
  });
  const database = new Database(folder.file);
  database.pragma('user_version = 2');
  database.close();
  expect(await run([])).toMatchObject({
    exitCode: 2,
    stderr: `flag: --history.file: found "DIR/dbpm.sqlite", which was written by a dbpm-exporter from before the first release (format 2, this one knows ${formatVersion}): move it away, and a new history is begun\n`,
  });
  const other = new HistoryFolder();
  other.close(other.open());
  expect(await run(['--history.file', other.file])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('knows no projects yet'),
  });
  other[Symbol.dispose]();
});
