import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { describeReadFailure, readSourceFile } from '../../src/config/source-file.ts';

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
