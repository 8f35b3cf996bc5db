import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { followKeyFile } from '../../src/config/key-file.ts';
import { readSourceFile } from '../../src/config/source-file.ts';

test('a file that holds no key any more keeps the one in use, and says why until it holds one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-key-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'key');
  writeFileSync(file, 'first');
  const { read, findProblem } = followKeyFile(file, 'first', readSourceFile);
  const state = () => [read(), findProblem()];
  expect(state()).toEqual(['first', undefined]);
  writeFileSync(file, '');
  expect(state()).toEqual(['first', 'which is empty']);
  writeFileSync(file, 'two words');
  expect(state()).toEqual(['first', 'which holds more than a key, such as a space or a second line']);
  rmSync(file);
  expect(state()).toEqual(['first', 'which does not exist']);
  writeFileSync(file, 'second\n');
  expect(state()).toEqual(['second', undefined]);
});
