import { expect, test } from 'vitest';
import { renderBytes, renderCount } from '../../../../src/check/plan/format/count.ts';

test.each([
  [1574, '1,574'],
  [140.24, '140.2'],
  [0, '0'],
])('the number %d is %s', (value, text) => {
  expect(renderCount(value)).toBe(text);
});

test.each([
  [0, '0 MB'],
  [194_690_000, '194.7 MB'],
  [999_940_000, '999.9 MB'],
  [999_960_000, '1 GB'],
  [13_900_000_000, '13.9 GB'],
])('%d bytes are %s', (bytes, text) => {
  expect(renderBytes(bytes)).toBe(text);
});
