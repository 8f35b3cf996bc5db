import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compressSeries, encodeTimeSeries } from '../../../src/export/remote-write/write-request.ts';
import { readWriteRequest, staleBits } from '../../support/write-request-reader.ts';

const name = {
  name: 'cpu_total',
  labels: [
    ['zone', 'a'],
    ['job', 'dbpm'],
    ['empty', ''],
  ] as const,
};

test('a series is its name and labels in order, and its samples', () => {
  const runs = [
    { fromIndex: 0, untilIndex: 2, value: 1.5 },
    { fromIndex: 2, untilIndex: 3 },
  ];
  const instants = [1_795_255_200_000, 1_795_255_260_000, 1_795_255_320_000];
  const body = compressSeries([encodeTimeSeries(name, runs, instants)]);
  expect(readWriteRequest(body)).toEqual([
    {
      labels: [
        ['__name__', 'cpu_total'],
        ['job', 'dbpm'],
        ['zone', 'a'],
      ],
      samples: [
        { value: 1.5, bits: 0x3ff8000000000000n, at: 1_795_255_200_000 },
        { value: 1.5, bits: 0x3ff8000000000000n, at: 1_795_255_260_000 },
        { value: Number.NaN, bits: staleBits, at: 1_795_255_320_000 },
      ],
    },
  ]);
});

test('any texts, values and instants arrive as they are, however many and however alike', () => {
  const series = fc.record({
    text: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }),
    values: fc.array(fc.double({ noNaN: true }), { minLength: 1, maxLength: 400 }),
    from: fc.integer({ min: 0, max: 8_000_000_000_000 }),
    step: fc.integer({ min: 1, max: 300_000 }),
  });
  fc.assert(
    fc.property(fc.array(series, { maxLength: 20 }), all => {
      const encoded = all.map(({ text, values, from, step }) => {
        const runs = values.map((value, index) => ({ fromIndex: index, untilIndex: index + 1, value }));
        const instants = values.map((_, index) => from + index * step);
        return encodeTimeSeries({ name: 'm', labels: [['text', text]] }, runs, instants);
      });
      const read = readWriteRequest(compressSeries(encoded));
      expect(read.map(({ labels }) => labels[1]?.[1])).toEqual(all.map(({ text }) => text));
      expect(read.map(({ samples }) => samples.map(({ value, at }) => [value, at]))).toEqual(
        all.map(({ values, from, step }) => values.map((value, index) => [value, from + index * step])),
      );
    }),
    { numRuns: 30 },
  );
});
