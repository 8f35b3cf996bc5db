import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createLogger,
  type LogFormat,
  type LoggerOptions,
  type LogLevel,
  renderLogfmt,
} from '../../src/log/logger.ts';
import { runs } from '../support/seed.ts';

const startedAt = Date.UTC(2026, 10, 21, 10);

function capture(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = [];
  const write = (line: string) => lines.push(line);
  const log = createLogger({ level: 'info', format: 'logfmt', write, now: () => startedAt, ...options });
  return { log, lines };
}

test('a line of logfmt has time, level, message and then the fields in their order', () => {
  const { log, lines } = capture();
  log.child({ account: 'main' }).info({ projects: 5, route: '/projects', ok: true }, 'lists read');
  expect(lines).toEqual([
    'time=2026-11-21T10:00:00.000Z level=info msg="lists read" account=main projects=5 route=/projects ok=true\n',
  ]);
});

test('a line of JSON has the same fields', () => {
  const { log, lines } = capture({ format: 'json' });
  log.child({ account: 'main' }).warn({ projects: 5 }, 'lists read');
  expect(lines).toEqual([
    '{"time":"2026-11-21T10:00:00.000Z","level":"warn","msg":"lists read","account":"main","projects":5}\n',
  ]);
});

test('only messages at least as urgent as the level are written', () => {
  const { log, lines } = capture({ level: 'warn' });
  for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level](level);
  expect(lines.map(line => /level=(\w+)/.exec(line)?.[1])).toEqual(['warn', 'error']);
});

test('on a terminal the level of an urgent line of logfmt has a colour, and nothing else', () => {
  const { log, lines } = capture({ hasColors: true });
  for (const level of ['info', 'warn', 'error'] as const) log[level](level);
  expect(lines).toEqual([
    'time=2026-11-21T10:00:00.000Z level=info msg=info\n',
    'time=2026-11-21T10:00:00.000Z \u001b[33mlevel=warn\u001b[39m msg=warn\n',
    'time=2026-11-21T10:00:00.000Z \u001b[31mlevel=error\u001b[39m msg=error\n',
  ]);
  const json = capture({ hasColors: true, format: 'json' });
  json.log.warn('warn');
  expect(json.lines.join('')).not.toContain('\u001b');
});

test('an error is its message, reason and causes, without a stack', () => {
  const { log, lines } = capture();
  const cause = new Error('socket closed', { cause: new Error('reset by peer') });
  log.error(
    { err: Object.assign(new Error('no answer', { cause }), { reason: 'network' }) },
    'a list failed',
  );
  expect(lines).toEqual([
    'time=2026-11-21T10:00:00.000Z level=error msg="a list failed" err.message="no answer" err.reason=network err.causes="socket closed; reset by peer"\n',
  ]);
});

test('an error has its stack at level debug', () => {
  const { log, lines } = capture({ level: 'debug' });
  log.error({ err: new Error('no answer') }, 'a list failed');
  expect(lines[0]).toMatch(/ err\.stack="Error: no answer\\n +at .*logger\.test\.ts/);
});

test('a field of the child that is given again stands once, with the new value', () => {
  const { log, lines } = capture({ format: 'json' });
  log.child({ account: 'one' }).info({ account: 'two', msg: 'mine', level: 7 }, 'text');
  expect(lines[0]).toBe(
    '{"time":"2026-11-21T10:00:00.000Z","level":"info","msg":"text","account":"two","msg_":"mine","level_":7}\n',
  );
});

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];
const formats: readonly LogFormat[] = ['logfmt', 'json'];

test.each(formats)('a secret is in no output of any kind in %s', format => {
  const canary = 'canary/"key\\1';
  const { log, lines } = capture({ level: 'debug', format, secrets: () => ['other', canary] });
  const deep = new Error(`inner ${canary}`, { cause: `thrown text ${canary}` });
  const failure = Object.assign(
    new AggregateError([deep, new Error(canary)], `outer ${canary}`, { cause: deep }),
    {
      headers: { authorization: `Bearer ${canary}` },
      reason: canary,
    },
  );
  for (const logger of [log, log.child({ key: canary, nested: { [canary]: [canary] } })]) {
    for (const level of levels) {
      logger[level](`message ${canary}`);
      logger[level](
        {
          err: failure,
          error: failure,
          text: canary,
          list: [{ canary }],
          url: new URL('https://x/?k=canary%2F%22key%5C1'),
        },
        'fields',
      );
      logger[level]({ body: JSON.stringify({ canary }) }, encodeURIComponent(canary));
    }
  }
  expect(lines).toHaveLength(24);
  expect(lines.join('')).not.toMatch(/canary\/|canary%2F/);
  expect(lines.join('').split('[redacted]').length).toBeGreaterThan(100);
});

test('a secret learnt later is covered, and one that is a number', () => {
  const secrets: string[] = [];
  const { log, lines } = capture({ secrets: () => secrets });
  secrets.push('12345678');
  log.info({ id: 12345678, count: 5 }, 'read with 12345678');
  expect(lines[0]).toBe(
    'time=2026-11-21T10:00:00.000Z level=info msg="read with [redacted]" id=[redacted] count=5\n',
  );
});

test('one message is one line with nothing a terminal obeys, whatever is logged', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()),
      (message, fields) => {
        for (const format of formats) {
          const { log, lines } = capture({ format });
          log.info(fields, message);
          expect(lines).toHaveLength(1);
          if (format === 'json') expect(JSON.parse(lines[0] ?? '')).toHaveProperty('msg', message);
          else expect(lines[0]).toMatch(/^time=\S+ level=info msg=[^\p{Cc}\u2028\u2029]*\n$/u);
        }
      },
    ),
    { numRuns: runs(60) },
  );
});

test.each([
  [{ plain: 'a-b/c:1' }, 'plain=a-b/c:1'],
  [{ spaced: 'a b' }, 'spaced="a b"'],
  [{ empty: '' }, 'empty=""'],
  [{ equals: 'a=b' }, 'equals="a=b"'],
  [{ quoted: 'say "no"' }, 'quoted="say \\"no\\""'],
  [{ broken: 'a\nb\r' }, 'broken="a\\nb\\r"'],
  [{ slash: 'a\\b' }, 'slash="a\\\\b"'],
  [{ escape: '\u001b[31m' }, 'escape="\\u001b[31m"'],
  [{ separator: 'a\u2028b\u0085' }, 'separator="a\\u2028b\\u0085"'],
  [{ letters: 'Größe' }, 'letters=Größe'],
  [{ 'odd key="\n': 1 }, 'odd_key___=1'],
  [{ nothing: null, no: false, count: 1.5 }, 'nothing=null no=false count=1.5'],
  [{ nested: { a: 1, b: { c: 'd e' } } }, 'nested.a=1 nested.b.c="d e"'],
  [{ list: ['a', 'b', 1] }, 'list="a; b; 1"'],
])('%j is written %s', (record, line) => expect(renderLogfmt(record)).toBe(line));
