import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { describeReadFailure, readSourceFile } from '../../src/config/source-file.ts';

/** Happens in the midst of each reading. */
const meanwhile = vi.hoisted(() => ({ happens: () => {} }));
vi.mock('node:fs', async importOriginal => {
  const fs = await importOriginal<typeof import('node:fs')>();
  const readSync = (...given: Parameters<typeof fs.readSync>) => {
    meanwhile.happens();
    return fs.readSync(...given);
  };
  return { ...fs, readSync };
});

const folder = mkdtempSync(join(tmpdir(), 'dbpm-source-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string, mode: number): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

function failureOf(path: string): string {
  try {
    readSourceFile(path);
    return 'it was read';
  } catch (error) {
    return describeReadFailure(error);
  }
}

test('a file comes with its text and whether every user may read it', () => {
  expect(readSourceFile(write('closed', 'ключ\n', 0o600))).toEqual({ text: 'ключ\n', readableByAll: false });
  expect(readSourceFile(write('open', '', 0o644))).toEqual({ text: '', readableByAll: true });
});

test('what cannot be read says why', () => {
  expect(failureOf(join(folder, 'absent'))).toBe('which does not exist');
  expect(failureOf(join(folder, 'closed', 'below'))).toBe('which does not exist');
  expect(failureOf(folder)).toBe('which is a directory');
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  expect(failureOf(join(folder, 'pipe'))).toBe('which is a pipe');
  expect(failureOf('/dev/zero')).toBe('which is larger than 1 MiB');
});

test('a file that changes while it is read is read again, and given up where that never ends', () => {
  onTestFinished(() => {
    meanwhile.happens = () => {};
  });
  const path = write('growing', 'one', 0o600);
  let reads = 0;
  meanwhile.happens = () => {
    if (reads++ === 0) appendFileSync(path, ' two');
  };
  expect(readSourceFile(path).text).toBe('one two');
  // Once each time it is read, which is one read and one that finds its end.
  meanwhile.happens = () => {
    if (reads++ % 2 === 0) appendFileSync(path, '.');
  };
  reads = 0;
  expect(failureOf(path)).toBe('which changes while it is read');
});
