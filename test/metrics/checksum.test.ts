import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checksumOf, emptyChecksum, joinChecksums } from '../../src/metrics/page/piece.ts';

const of = (bytes: Uint8Array) => checksumOf(crc32(bytes), bytes.length);

it('joined checksums are the checksum of the bytes joined, in any grouping', () => {
  const part = fc.uint8Array({ maxLength: 300 });
  fc.assert(
    fc.property(part, part, part, (a, b, c) => {
      const whole = of(Buffer.concat([a, b, c]));
      expect(joinChecksums(joinChecksums(of(a), of(b)), of(c))).toEqual(whole);
      expect(joinChecksums(of(a), joinChecksums(of(b), of(c)))).toEqual(whole);
    }),
  );
});

it('nothing is neutral', () => {
  const some = of(Buffer.from('some bytes'));
  expect(of(Buffer.alloc(0))).toEqual(emptyChecksum);
  expect(joinChecksums(emptyChecksum, some)).toEqual(some);
  expect(joinChecksums(some, emptyChecksum)).toEqual(some);
});

it('many parts of many sizes add up to what zlib computes at once', () => {
  const parts = Array.from({ length: 500 }, (_, index) => Buffer.alloc((index * 7919) % 70_000, index));
  const { crc } = parts.map(of).reduce(joinChecksums);
  expect(crc).toBe(crc32(Buffer.concat(parts)));
});
