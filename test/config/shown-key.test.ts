import { expect, test } from 'vitest';
import { loadInvalid } from './loading.ts';

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
