import { expect, test } from 'vitest';
import { describeError, recordError } from '../../src/log/error-record.ts';

test('an error and its causes read as one line', () => {
  const cause = new Error('disk I/O\nerror');
  expect(describeError(new Error('the history cannot be written', { cause }))).toBe(
    'the history cannot be written: disk I/O error',
  );
});

test('a cause its error already quotes is not told twice', () => {
  const cause = new Error('disk full');
  expect(describeError(new Error('the copy failed (disk full): make room', { cause }))).toBe(
    'the copy failed (disk full): make room',
  );
});

test('errors without a message are told by their code, those they gather or their name', () => {
  const refused = Object.assign(new Error(''), { code: 'ECONNREFUSED' });
  expect(describeError(refused)).toBe('ECONNREFUSED');
  expect(describeError(new AggregateError([new Error('first'), new Error('second')], 'both failed'))).toBe(
    'both failed: first: second',
  );
  expect(describeError(new TypeError(''))).toBe('TypeError');
});

test('what is thrown without being an error is told too', () => {
  expect(describeError('plain text')).toBe('plain text');
  expect(describeError({ password: 'secret' })).toBe('something that is no error was thrown (object)');
  expect(describeError(undefined)).toBe('something that is no error was thrown (undefined)');
});

test('causes that go round in a circle end', () => {
  const one = new Error('one');
  one.cause = new Error('two', { cause: one });
  expect(recordError(one, { withStack: false })).toEqual({ message: 'one', causes: ['two'] });
});

test('at most ten causes are kept', () => {
  let error = new Error('0');
  for (let depth = 1; depth <= 30; depth += 1) error = new Error(String(depth), { cause: error });
  expect(recordError(error, { withStack: false }).causes).toEqual([
    '29',
    '28',
    '27',
    '26',
    '25',
    '24',
    '23',
    '22',
    '21',
    '20',
  ]);
});
