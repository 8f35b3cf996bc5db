import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readConfigFile } from '../../src/config/config-file.ts';
import { parseDuration } from '../../src/config/duration.ts';
import { parseListenAddress, renderListenAddress } from '../../src/config/listen-address.ts';
import { readSetting } from '../../src/config/node-reader.ts';
import { findNearestWord, type Problem, renderProblem } from '../../src/config/problem.ts';
import { makeSetting } from '../../src/config/setting-row.ts';
import { showKeyFile } from '../../src/config/shown-secret.ts';
import { makeValueSchemas } from '../../src/config/value-schema.ts';
import { writeText } from '../../src/config/written-node.ts';
import { runs } from '../support/seed.ts';

test.each([
  ['30s', 30_000],
  ['15m', 900_000],
  ['45d', 3_888_000_000],
  ['1h30m', 5_400_000],
  ['500ms', 500],
  ['0s', 0],
  ['1d2h3m4s5ms', 93_784_005],
])('the duration %s is %d ms', (text, durationMs) => expect(parseDuration(text)).toBe(durationMs));

test.each(['', '15', 'm', '1.5h', '-1s', '30m1h', '1m1m', ' 1m', '1 m', '1w', '999999999999999d', '15M'])(
  '"%s" is no duration',
  text => expect(parseDuration(text)).toBeUndefined(),
);

test.each([
  [':10062', undefined, 10_062],
  ['localhost:0', 'localhost', 0],
  ['127.0.0.1:65535', '127.0.0.1', 65_535],
  ['[::1]:10062', '::1', 10_062],
])('%s is an address to listen on, and written back the same', (text, host, port) => {
  expect(parseListenAddress(text)).toEqual({ host, port });
  expect(renderListenAddress({ host, port })).toBe(text);
});

test.each(['', '10062', ':', 'host', ':65536', '::1:80', 'a b:80', 'http://x:80', ':-1', ':80/'])(
  '"%s" is no address to listen on',
  text => expect(parseListenAddress(text)).toBeUndefined(),
);

const checks = {
  schedule: () => undefined,
  baseUrl: () => undefined,
  historyFile: (file: string) => (file === 'taken' ? 'which is taken' : undefined),
  hostName: '',
  familyNames: [],
  alerts: [],
};

const schemas = makeValueSchemas(checks);

/** A text as a value of a type, or what to write instead. */
function read(type: 'urlPath' | 'historyFile', text: string) {
  const problems: Problem[] = [];
  const setting = makeSetting('a.b', { type, help: '' });
  const value = readSetting(setting, writeText(text, 'flag', '--a.b'), { schemas, problems });
  return value === undefined ? { expected: problems[0]?.expected } : { value };
}

test.each(['/metrics', '/a/b.c', '/-metrics', '/apis'])('%s can be the telemetry path', path =>
  expect(read('urlPath', path)).toEqual({ value: path }),
);

test.each([
  '',
  '/',
  'metrics',
  '/-',
  '/-/ready',
  '/api',
  '/api/v1/x',
  '/a/',
  '//a',
  '/a?b',
  '/:id',
  '/../a',
  '/a b',
])('"%s" cannot be the telemetry path', path => expect(read('urlPath', path)).not.toHaveProperty('value'));

test.each([
  ['colect', 'collect'],
  ['acounts', 'accounts'],
  ['hsitory', 'history'],
  ['nothing like it', undefined],
])('the word nearest to %s is %s', (word, nearest) => {
  expect(findNearestWord(word, ['accounts', 'collect', 'history'])).toBe(nearest);
});

test('a mistake the parser stumbles over many times is told once', () => {
  expect(readConfigFile('&x '.repeat(100), 'x.yaml', []).problems.map(renderProblem)).toEqual([
    'x.yaml:1: YAML: found text that is not YAML, write "key: value" lines, indented with spaces',
  ]);
});

test('reading a file never throws and every problem is one line with a place, whatever the text', () => {
  const piece = fc.constantFrom(
    'accounts:',
    'log:',
    ' level',
    ':',
    '- ',
    '\n',
    '\n  ',
    '&a',
    '*a',
    '!x',
    '"',
    '{',
    ']',
    '<<: ',
    '? ',
    '---\n',
    '\t',
    '|',
    '%YAML',
    '#',
    'null',
    '1e999',
    '\u0000',
    '🦊',
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece, { maxLength: 30 }).map(pieces => pieces.join('')),
  );
  fc.assert(
    fc.property(text, yaml => {
      const { problems, values, accounts } = readConfigFile(yaml, 'x.yaml', []);
      for (const problem of problems)
        expect(renderProblem(problem)).toMatch(/^x\.yaml:\d+: [^\n\r]+: found [^\n\r]+, [^\n\r]+$/);
      if (problems.length === 0) expect([...values.keys(), ...accounts]).toBeInstanceOf(Array);
    }),
    { numRuns: runs(300) },
  );
});

test('a history file is one that a start could use', () => {
  expect(read('historyFile', 'data/x.sqlite')).toEqual({ value: 'data/x.sqlite' });
  expect(read('historyFile', 'taken')).toEqual({ expected: 'which is taken' });
  expect(read('historyFile', ' ')).toEqual({ expected: 'write the path of a file' });
});

test.each(['sk-LEAKME-0123456789', 'napi_0a1b2c3d4e5f', '4f7a9c21d0e83b56'])(
  '"%s" named as a key file is not shown, as it may be the key',
  text => expect(showKeyFile(text)).not.toContain(text),
);
