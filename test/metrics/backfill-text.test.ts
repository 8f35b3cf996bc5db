import { expect, test } from 'vitest';
import { BackfillText, traceViews } from '../../src/metrics/page/backfill-track.ts';
import { declareFor } from '../../src/resources/family.ts';

interface Cat {
  readonly name: string;
  readonly moods: readonly string[];
  readonly naps: readonly number[];
}

const { gaugeBy, histogram } = declareFor<Cat>()(['cat']);
const mood = gaugeBy('mood', 'Moods of the cat.', ['mood'], (cat, emit) => {
  for (const each of cat.moods) emit(1, each);
});
const naps = histogram('naps', 'Naps of the cat.', [], [1, 2.5], ({ naps }, emit) => {
  const upTo = (bound: number) => naps.filter(nap => nap <= bound).length;
  emit({
    cumulativeCounts: [upTo(1), upTo(2.5)],
    count: naps.length,
    sum: naps.reduce((sum, nap) => sum + nap, 0),
  });
});

const text = new BackfillText([{ fromAt: 1_000_000, stepMs: 1500, count: 3 }]);
const labels = { values: () => ['Tom'], constant: [['job', 'house'] as const] };

function render(family: Parameters<typeof traceViews>[0], views: readonly (Cat | undefined)[]): string {
  return [...traceViews(family, labels, views)].flatMap(track => [...text.render(track)]).join('');
}

const tom = (moods: readonly string[], naps: readonly number[] = []): Cat => ({ name: 'Tom', moods, naps });

test('series follow each other, each in the order of time, with gaps where it is absent', () => {
  expect(render(mood, [tom(['calm']), tom(['calm', 'hungry']), tom(['hungry'])])).toBe(
    `mood{cat="Tom",mood="calm",job="house"} 1 1000
mood{cat="Tom",mood="calm",job="house"} 1 1001.5
mood{cat="Tom",mood="hungry",job="house"} 1 1001.5
mood{cat="Tom",mood="hungry",job="house"} 1 1003
`,
  );
});

test('what is not there has no lines, and what comes back goes on', () => {
  const calm = tom(['calm']);
  expect(render(mood, [calm, undefined, calm])).toBe(
    `mood{cat="Tom",mood="calm",job="house"} 1 1000
mood{cat="Tom",mood="calm",job="house"} 1 1003
`,
  );
  expect(render(mood, [undefined, undefined, undefined])).toBe('');
});

test('the lines of a histogram stay together at each instant', () => {
  const napped = tom([], [1, 2]);
  expect(render(naps, [undefined, napped, napped])).toBe(
    `naps_bucket{cat="Tom",job="house",le="1.0"} 1 1001.5
naps_bucket{cat="Tom",job="house",le="2.5"} 2 1001.5
naps_bucket{cat="Tom",job="house",le="+Inf"} 2 1001.5
naps_sum{cat="Tom",job="house"} 3 1001.5
naps_count{cat="Tom",job="house"} 2 1001.5
naps_bucket{cat="Tom",job="house",le="1.0"} 1 1003
naps_bucket{cat="Tom",job="house",le="2.5"} 2 1003
naps_bucket{cat="Tom",job="house",le="+Inf"} 2 1003
naps_sum{cat="Tom",job="house"} 3 1003
naps_count{cat="Tom",job="house"} 2 1003
`,
  );
});
