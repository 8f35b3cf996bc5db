import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadCheckedConfig } from '../../src/check/config/loaded-config.ts';
import { loadInvalid } from './loading.ts';

test('a file that holds no key any more keeps the one in use, and says why until it holds one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-key-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'key');
  writeFileSync(file, 'first');
  const env = { DBPM_BASE_URL: 'https://service.test/api/v2/', DBPM_API_KEY_FILE: file };
  const { config } = await loadCheckedConfig({
    flags: {},
    env: { ...env, DBPM_HISTORY_FILE: join(folder, 'history.sqlite') },
  });
  const [account] = config.accounts;
  const state = () => [account?.readApiKey(), account?.findKeyProblem?.()?.replace(`"${file}", `, '')];
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

const key = 'canary-3fa81c60d75b29e4';
const longKey = `${key}-${'0123456789abcdef'.repeat(4)}`;

test.each([
  ['a value', 'log: { level: KEY }'],
  ['the name of a setting', 'KEY: 1'],
  ['the name of a setting of a section', 'collect: { KEY: 1 }'],
  ['a list', 'series: { exclude: [KEY KEY] }'],
])('a key of a file that stands as %s is not shown', (_place, line) => {
  for (const each of [key, longKey]) {
    const config = [
      'accounts:',
      '  - base_url: https://service.test/api/v2/',
      '    api_key_file: /run/secret.key',
      line.replaceAll('KEY', each),
    ].join('\n');
    const problems = loadInvalid({
      flags: { 'config.file': 'dbpm.yaml' },
      files: { 'dbpm.yaml': config, '/run/secret.key': each },
    });
    expect(problems).toHaveLength(1);
    expect(problems.join('\n')).not.toContain(each.slice(0, 20));
    expect(problems.join('\n')).toMatch(/not shown|\(unnamed\)/);
  }
});
