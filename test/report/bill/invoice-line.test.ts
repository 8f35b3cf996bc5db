import { expect, test } from 'vitest';
import { findMeaning } from '../../../src/report/bill/comparison/invoice-line.ts';

const items = [
  { kind: 'credit', name: 'c' },
  { kind: 'line', name: 'storage' },
  { kind: 'tax', name: 'VAT' },
  { kind: 'line', name: 'Compute hour (Scale)' },
] as const;

test.each([
  ['Private network transfer (GB)', undefined],
  ['Object storage (GB-months)', { as: 'not_metered' }],
  ['Storage (GB-months)', { as: 'line', name: 'storage' }],
  ['VAT 19 %', { as: 'tax', name: 'VAT' }],
  ['Sales taxes', { as: 'tax' }],
  ['Compute', { as: 'compute' }],
  ['Compute hours (Scale)', { as: 'compute' }],
  ['COMPUTE HOUR (SCALE), October', { as: 'line', name: 'Compute hour (Scale)' }],
  ['Subtotal', { as: 'left_out' }],
] as const)('a line "%s" is told by words, not by parts of them', (description, meaning) => {
  expect(findMeaning({ description }, [], items)).toEqual(meaning);
});
