import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { loadCheckedConfig } from '../../../src/check/config/loaded-config.ts';
import { followTables } from '../../../src/export/parquet/table-export.ts';
import { backupHistory } from '../../../src/history/file/backup.ts';
import { createRandom } from '../../../src/simulator/model/random.ts';
import { startProgram } from '../../support/daemon-process.ts';
import { LivedHistory } from '../../support/lived-history.ts';
import { markShard } from '../../support/marked-shard.ts';
import { mayMount } from '../../support/mount-namespace.ts';
import { patience } from '../../support/patience.ts';
import { exportTo } from './table-run.ts';

const day = 86_400;
const begin = Date.UTC(2026, 9, 5) / 1000;
const pace = { listEverySeconds: 7200, projectsEvery: 2 };
const config = `
pricing:
  currency: USD
  plans: [{name: all, base_fee: 5, prices: [{from: 2026-01-01, per_compute_hour: 0.16}]}]
`;

let life: LivedHistory;
let configFile: string;
let wanted: string;
beforeAll(async () => {
  life = new LivedHistory({ now: begin, seed: 5, projects: 6, historyDays: 10 });
  watchDay();
  configFile = join(life.folder.path, 'dbpm.yaml');
  writeFileSync(configFile, config);
  wanted = join(life.folder.path, 'wanted');
  await exportTo(wanted, configFile, [life.folder.file]);
});
afterAll(() => life[Symbol.dispose]());

function watchDay(): void {
  life.watch(day, pace);
  while (life.history.upkeep(life.now));
}

function untilLine(lines: readonly string[], pattern: RegExp): Promise<void> {
  return vi.waitFor(() => expect(lines).toContainEqual(expect.stringMatching(pattern)), patience);
}

interface ListedFile {
  readonly path: string;
  readonly sha256: string;
}

function readDays(
  folder: string,
): readonly { readonly day: string; readonly files: readonly ListedFile[] }[] {
  const path = join(folder, 'manifest.json');
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).days : [];
}

/** All that the manifest lists is whole. */
function expectWhole(folder: string): void {
  for (const { path, sha256 } of readDays(folder).flatMap(({ files }) => files))
    expect(
      createHash('sha256')
        .update(readFileSync(join(folder, path)))
        .digest('hex'),
    ).toBe(sha256);
}

function expectWanted(folder: string): void {
  expectWhole(folder);
  expect(readDays(folder)).toEqual(readDays(wanted));
  const list = (of: string) => globSync('**/*.{parquet,unfinished}', { cwd: of }).sort();
  expect(list(folder)).toEqual(list(wanted));
}

const flagsFor = (out: string) => {
  const files = ['--config.file', configFile, '--history.file', life.folder.file];
  return ['export', '--format', 'parquet', '--out', out, ...files];
};

/**
 * Kills the program once it began a file of this name, any if that is empty, and took a number of steps that write files since;
 * of what it writes next half is written.
 */
function killAt(name: string, steps: number): Readonly<Record<string, string>> {
  const code = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    let left = Infinity;
    const { openSync } = fs;
    fs.openSync = (path, ...words) => {
      if (left === Infinity && words[0] === 'w' && path.includes('${name}')) left = ${steps};
      return openSync(path, ...words);
    };
    for (const name of ['writeSync', 'fsyncSync', 'renameSync']) {
      const run = fs[name];
      fs[name] = (...words) => {
        if (left === 0 && name === 'writeSync') run(words[0], words[1], 0, Math.floor(words[1].length / 2));
        if (left === 0) process.kill(process.pid, 'SIGKILL');
        left -= 1;
        return run(...words);
      };
    }
    syncBuiltinESMExports();`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}

test('killed at any step, it leaves whole files, and goes on where it was', async () => {
  const out = join(life.folder.path, 'killed');
  const random = createRandom(1, 'kills');
  for (const [name, steps] of [
    ['', 0],
    ['', 2],
    ['manifest.json', 0],
    ['manifest.json', 2],
    ['manifest.json', 3],
    ['', random.integer(30, 100)],
    ['', random.integer(30, 100)],
  ] as const) {
    const program = startProgram(flagsFor(out), killAt(name, steps));
    expect(await program.exited, program.stderr()).toEqual({ code: null, signal: 'SIGKILL' });
    expectWhole(out);
  }
  expect(readDays(out).length).toBeGreaterThan(0);
  expect(readDays(out).length).toBeLessThan(readDays(wanted).length);
  expect(await exportTo(out, configFile, [life.folder.file])).toMatchObject({ exitCode: 0 });
  expectWanted(out);
});

test.skipIf(!mayMount())('a full disk ends it with one sentence, and nothing half written', async () => {
  const disk = join(life.folder.path, 'disk');
  const left = join(life.folder.path, 'left');
  mkdirSync(disk);
  const script = `mount -t tmpfs -o size=300k none '${disk}' && { "$@"; code=$?; cp -a '${disk}/.' '${left}'; exit $code; }`;
  const program = startProgram(
    flagsFor(disk),
    {},
    { wrapper: ['unshare', '--mount', 'sh', '-c', script, 'sh'] },
  );
  expect(await program.exited).toMatchObject({ code: 1 });
  expect(program.stderr()).toMatch(
    /^dbpm-exporter: .* cannot be written: ENOSPC.*the next export goes on from there\n$/,
  );
  expect(readDays(left).length).toBeGreaterThan(0);
  expect(readDays(left).length).toBeLessThan(readDays(wanted).length);
  expectWhole(left);
  expect(globSync('**/*.unfinished', { cwd: left })).toEqual([]);
  // The disk has room again.
  const out = join(life.folder.path, 'roomy');
  cpSync(left, out, { recursive: true });
  await exportTo(out, configFile, [life.folder.file]);
  expectWanted(out);
});

test('beside a daemon that goes on, each day is added once it is settled', async () => {
  const out = join(life.folder.path, 'followed');
  cpSync(wanted, out, { recursive: true });
  const lines: string[] = [];
  const stopper = new AbortController();
  const flags = { 'config.file': configFile, 'history.file': life.folder.file };
  const { config: loaded } = await loadCheckedConfig({ flags, env: {}, isOffline: true });
  const host = {
    onLine: (line: string) => lines.push(line),
    onTrouble: (sentence: string) => lines.push(sentence),
    signal: stopper.signal,
    everyMs: 10,
  };
  const following = followTables(loaded, { out, isPersonal: false }, host);
  const before = readDays(out).length;
  for (const added of [1, 2]) {
    watchDay();
    await vi.waitFor(() => expect(lines).toHaveLength(added), patience);
  }
  stopper.abort();
  await following;
  expect(lines).toEqual([
    expect.stringMatching(/^Added 2026-10-05 of account main: \d files, \d+ rows\.$/),
    expect.stringMatching(/^Added 2026-10-06 of account main: \d files, \d+ rows\.$/),
  ]);
  expect(readDays(out)).toHaveLength(before + 2);
  expectWhole(out);
  // An export of all at once is the same to the byte.
  const afresh = join(life.folder.path, 'afresh');
  await exportTo(afresh, configFile, [life.folder.file]);
  const files = (folder: string) => readDays(folder).flatMap(each => each.files);
  expect(files(out)).toEqual(files(afresh));
  rmSync(afresh, { recursive: true });
});

test('a history that cannot be read for a while is waited for, unless it never could be', async () => {
  const file = join(life.folder.path, 'restored.sqlite');
  const later = join(life.folder.path, 'later.sqlite');
  const copyTo = (to: string) => backupHistory({ from: life.folder.file, to });
  const out = join(life.folder.path, 'restoring');
  await exportTo(out, configFile, [life.folder.file]);
  const before = readDays(out).length;
  await copyTo(file);
  const whole = readFileSync(file);
  watchDay();
  await copyTo(later);
  rmSync(file);
  const { config: loaded } = await loadCheckedConfig({
    flags: { 'config.file': configFile, 'history.file': file },
    env: {},
    isOffline: true,
  });
  const lines: string[] = [];
  const stopper = new AbortController();
  const host = {
    onLine: (line: string) => lines.push(line),
    onTrouble: (sentence: string) => lines.push(sentence),
    signal: stopper.signal,
    everyMs: 100,
  };
  await expect(followTables(loaded, { out, isPersonal: false }, host)).rejects.toThrow(
    'there is no history at',
  );
  writeFileSync(file, whole);
  const following = followTables(loaded, { out, isPersonal: false }, host);
  // Nothing is to be added: by then it has read the history.
  await setImmediate();
  rmSync(file);
  await untilLine(lines, /^there is no history at .*; it is read again in 0.1s$/);
  writeFileSync(file, 'no database');
  await untilLine(lines, /cannot be used as a history.*; it is read again in 0.1s$/);
  writeFileSync(file, readFileSync(later));
  await untilLine(lines, /^Added /);
  stopper.abort();
  await following;
  expect(readDays(out)).toHaveLength(before + 1);
  expectWhole(out);
});

test('a file of a day that was never finished goes when the day has none', async () => {
  const out = join(life.folder.path, 'orphaned');
  const [{ day: first } = { day: '' }] = readDays(wanted);
  const left = `cost_lines/account=main/day=${first}/part.parquet`;
  expect(existsSync(join(wanted, left))).toBe(true);
  cpSync(join(wanted, left), join(out, left), { recursive: true });
  const unpriced = join(life.folder.path, 'unpriced.yaml');
  writeFileSync(unpriced, '{}\n');
  expect(await exportTo(out, unpriced, [life.folder.file])).toMatchObject({ exitCode: 0 });
  expect(globSync('cost_lines/**/*.parquet', { cwd: out })).toEqual([]);
  expect(readDays(out).map(({ day }) => day)).toContain(first);
});

test('a day is written with all shards of several histories, or not yet', async () => {
  const file = join(life.folder.path, 'part.sqlite');
  await backupHistory({ from: life.folder.file, to: file, onProgress: () => {} });
  markShard(file, { index: 0, count: 2 });
  const pattern = join(life.folder.path, 'part*.sqlite');
  expect(await exportTo(join(life.folder.path, 'parts'), configFile, [pattern])).toEqual({
    exitCode: 0,
    stderr: '',
    stdout:
      '0 days were added.\nOf account main nothing is added while the history of shard 1/2 is not there.\n',
  });
  const alone = await exportTo(join(life.folder.path, 'alone'), configFile, [file]);
  expect(alone.stdout).toContain('Account main is settled until');
});
