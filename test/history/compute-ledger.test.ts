import { expect, test } from 'vitest';
import { chartCompute } from '../../src/history/ledger/compute-ledger.ts';
import type { BegunInterval } from '../../src/history/ledger/state-ledger.ts';

const size = { minCu: 1, maxCu: 2 };
const rest = { lowerCu: 0, upperCu: 0 };
const awake = { lowerCu: 1, upperCu: 2 };

function chart(begun: readonly BegunInterval[], untilAt: number) {
  return chartCompute({ fromAt: 0, untilAt, state: 'idle', begun, sizeBefore: size, sizeAfter: size });
}

test('a rate begins with each state, and of what is in doubt both are possible', () => {
  const doubt = { fromAt: 10, untilAt: 40 };
  expect(
    chart(
      [
        { at: 5, state: 'active' },
        { at: 20, state: 'idle', doubt },
        { at: 50, state: 'active' },
      ],
      60,
    ),
  ).toEqual([
    { fromAt: 0, ...rest },
    { fromAt: 5, ...awake },
    { fromAt: 10, lowerCu: 0, upperCu: 2 },
    { fromAt: 40, ...rest },
    { fromAt: 50, ...awake },
  ]);
});

test('years of changes are charted at once', () => {
  const begun = Array.from({ length: 200_000 }, (_, at) => ({ at, state: at % 2 === 0 ? 'active' : 'idle' }));
  const rates = chart(begun, begun.length);
  expect(rates.length).toBe(200_000);
  expect(rates.at(-1)).toEqual({ fromAt: 199_999, ...rest });
});
