import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readSourceFile } from '../../src/config/source-file.ts';

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

test('a file that changes while it is read is read again, and given up where that never ends', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-source-'));
  onTestFinished(() => {
    meanwhile.happens = () => {};
    rmSync(folder, { recursive: true });
  });
  const path = join(folder, 'growing');
  writeFileSync(path, 'one');
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
  expect(() => readSourceFile(path)).toThrow('changed meanwhile');
});
