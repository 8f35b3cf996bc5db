import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDuration } from '../../src/config/duration.ts';
import { parseListenAddress, renderListenAddress } from '../../src/config/listen-address.ts';
import { findNearestWord } from '../../src/config/nearest-word.ts';
import { renderProblem } from '../../src/config/problem.ts';
import { historyFile, keyFile, telemetryPath } from '../../src/config/value-kind.ts';
import { readYamlFile } from '../../src/config/yaml-file.ts';

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
  familyNames: [],
  alerts: [],
};

test.each(['/metrics', '/a/b.c', '/-metrics', '/apis'])('%s can be the telemetry path', path =>
  expect(telemetryPath.parse(path, checks)).toEqual({ value: path }),
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
])('"%s" cannot be the telemetry path', path =>
  expect(telemetryPath.parse(path, checks)).not.toHaveProperty('value'),
);

test.each([
  ['colect', 'collect'],
  ['acounts', 'accounts'],
  ['hsitory', 'history'],
  ['nothing like it', undefined],
])('the word nearest to %s is %s', (word, nearest) => {
  expect(findNearestWord(word, ['accounts', 'collect', 'history'])).toBe(nearest);
});

test('a mistake the parser stumbles over many times is told once', () => {
  expect(readYamlFile('&x '.repeat(100), 'x.yaml', []).problems.map(renderProblem)).toEqual([
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
      const { problems, values, accounts } = readYamlFile(yaml, 'x.yaml', []);
      for (const problem of problems)
        expect(renderProblem(problem)).toMatch(/^x\.yaml:\d+: [^\n\r]+: found [^\n\r]+, [^\n\r]+$/);
      if (problems.length === 0) expect([...values.keys(), ...accounts]).toBeInstanceOf(Array);
    }),
    { numRuns: 2000 },
  );
});

test('a history file is one that a start could use', () => {
  expect(historyFile.parse('data/x.sqlite', checks)).toEqual({ value: 'data/x.sqlite' });
  expect(historyFile.parse('taken', checks)).toEqual({ expected: 'which is taken' });
  expect(historyFile.parse(' ', checks)).toEqual({ expected: 'write the path of a file' });
});

test.each(['sk-LEAKME-0123456789', 'napi_0a1b2c3d4e5f', '4f7a9c21d0e83b56'])(
  '"%s" named as a key file is not shown, as it may be the key',
  text => expect(keyFile.show(text)).not.toContain(text),
);
