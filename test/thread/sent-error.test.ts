import { expect, test } from 'vitest';
import { HistoryError } from '../../src/history/file/history-error.ts';
import { describeError } from '../../src/log/error-record.ts';
import { isNamed, packError, unpackError } from '../../src/thread/sent-error.ts';

const send = (thrown: unknown) => unpackError(structuredClone(packError(thrown)));

test('an error comes over with its name, its code, its stack and what caused it', () => {
  const disk = Object.assign(new RangeError('no space left'), { code: 'ENOSPC' });
  const full = Object.assign(new Error('database or disk is full', { cause: disk }), { code: 'SQLITE_FULL' });
  const error = new HistoryError('the reading could not be written', { cause: full });
  const sent = send(error);
  expect(isNamed(sent, 'HistoryError')).toBe(true);
  expect(sent.stack).toBe(error.stack);
  expect(sent).toMatchObject({ name: 'HistoryError', message: error.message, code: 'SQLITE_FULL' });
  expect(sent.cause).toMatchObject({ name: 'Error', message: full.message, code: 'SQLITE_FULL' });
  expect(sent.cause).toMatchObject({ cause: { name: 'RangeError', message: disk.message, code: 'ENOSPC' } });
  expect(describeError(sent)).toBe(describeError(error));
});

test('what is thrown without being an error comes over as its text', () => {
  expect(send('out of order').message).toBe('out of order');
  expect(send(undefined).message).toBe('undefined');
});

test('errors that cause each other end somewhere', () => {
  const one: Error = new Error('one');
  one.cause = new Error('other', { cause: one });
  expect(send(one).message).toBe('one');
});
