import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { HistoryFolder } from '../support/history-folder.ts';
import { projectsReading, startAt, wireProject } from '../support/reading-builder.ts';

const isRoot = process.getuid?.() === 0;
const nobody = { uid: 65534, gid: 65534 };
const module = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);

/** Reads the projects of a history, and copies it, as a user who may write neither the file nor its folder. */
const readScript = `
  const { lookUp } = await import(${module('../../src/history/file/look-up.ts')});
  const { backupHistory } = await import(${module('../../src/history/file/backup.ts')});
  const [file, to] = process.argv.slice(1);
  const read = each => lookUp(each, database => database.prepare('SELECT project_id FROM project').pluck().all());
  const found = read(file);
  await backupHistory({ from: file, to });
  console.log(JSON.stringify([found, read(to)]));
`;

async function readAsNobody(folder: HistoryFolder, file: string): Promise<unknown> {
  const own = join(folder.path, 'own');
  mkdirSync(own, { recursive: true });
  chmodSync(own, 0o777);
  const args = ['--input-type=module', '-e', readScript, file, join(own, `copy-${Math.random()}`)];
  const env = { PATH: process.env.PATH ?? '', TMPDIR: own };
  const { stdout } = await promisify(execFile)(process.execPath, args, { ...nobody, env });
  expect(readdirSync(own).filter(name => !name.startsWith('copy'))).toEqual([]);
  return JSON.parse(stdout);
}

/** A history that others may read, with a project in it, and a folder where they may write nothing. */
function writeHistory(folder: HistoryFolder): void {
  folder.close(folder.openListed([wireProject('p')]));
  chmodSync(folder.file, 0o644);
  chmodSync(folder.path, 0o755);
}

function spawnWriter(file: string): ChildProcess {
  const script = `
    const { History } = await import(${module('../../src/history/history.ts')});
    const { projectsReading, wireProject } = await import(${module('../support/reading-builder.ts')});
    const history = new History({ file: ${JSON.stringify(file)}, accounts: ['main'], collectors: ['projects'], staleAfterMs: 1, dropAfterMs: 1 });
    history.record(projectsReading(${startAt}, [wireProject('p'), wireProject('q')]));
    console.log('written');
    setInterval(() => history.hasData(), 60_000);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

describe.skipIf(!isRoot)(
  'a history of another user, in a folder that may not be written, is read and copied',
  () => {
    test('though nobody has it open', async () => {
      using folder = new HistoryFolder();
      writeHistory(folder);
      const before = readdirSync(folder.path);
      expect(await readAsNobody(folder, folder.file)).toEqual([['p'], ['p']]);
      expect(readdirSync(folder.path).filter(name => name !== 'own')).toEqual(before);
    });

    test('while a daemon writes it, and after that was killed', async () => {
      using folder = new HistoryFolder();
      writeHistory(folder);
      const writer = spawnWriter(folder.file);
      if (writer.stdout) await once(writer.stdout, 'data');
      const both = ['p', 'q'];
      expect(await readAsNobody(folder, folder.file)).toEqual([both, both]);
      writer.kill('SIGKILL');
      await once(writer, 'exit');
      expect(existsSync(`${folder.file}-wal`)).toBe(true);
      expect(await readAsNobody(folder, folder.file)).toEqual([both, both]);
    });

    test('with a log beside it that no daemon has open', async () => {
      using folder = new HistoryFolder();
      writeHistory(folder);
      const history = folder.open();
      history.record(projectsReading(startAt, [wireProject('p'), wireProject('q')]));
      const copy = join(folder.path, 'copied.sqlite');
      for (const suffix of ['', '-wal']) copyFileSync(`${folder.file}${suffix}`, `${copy}${suffix}`);
      for (const suffix of ['', '-wal']) chmodSync(`${copy}${suffix}`, 0o444);
      expect(await readAsNobody(folder, copy)).toEqual([
        ['p', 'q'],
        ['p', 'q'],
      ]);
    });

    test('in a folder where all may write, and no files of the reader are left in the way of the daemon', async () => {
      using folder = new HistoryFolder();
      writeHistory(folder);
      chmodSync(folder.path, 0o777);
      expect(await readAsNobody(folder, folder.file)).toEqual([['p'], ['p']]);
      expect(readdirSync(folder.path).toSorted()).toEqual(['dbpm.sqlite', 'dbpm.sqlite.lock', 'own']);
    });
  },
);
