import { expect, test } from 'vitest';
import { foldStates } from '../../../src/console/page/project/state-fold.ts';
import { hash } from '../../../src/simulator/model/random.ts';

const whole = { fromAt: 1000, untilAt: 2000, bornAt: 0, goneAt: 3000 };
const options = { ...whole, knownUntilAt: 2000, columns: 10, mostSpans: 5 };

test('states are cut at both ends, and starts and suspends are those within', () => {
  const states = [
    [500, 'active'],
    [1100, 'idle'],
    [1450, 'active'],
    [1600, 'odd'],
    [1700, 'idle'],
    [2500, 'active'],
  ] as const;
  const { awakeByColumn, knownByColumn, ...folded } = foldStates(states, options);
  expect(folded).toEqual({
    ...{ awakeMs: 250, asleepMs: 650, unknownMs: 100, starts: 1, suspends: 1 },
    spans: [
      { fromAt: 1000, untilAt: 1100, state: 'active' },
      { fromAt: 1100, untilAt: 1450, state: 'idle' },
      { fromAt: 1450, untilAt: 1600, state: 'active' },
      { fromAt: 1600, untilAt: 1700, state: 'odd' },
      { fromAt: 1700, untilAt: 2000, state: 'idle' },
    ],
  });
  expect([...awakeByColumn]).toEqual([100, 0, 0, 0, 50, 100, 0, 0, 0, 0]);
  expect([...knownByColumn]).toEqual([100, 100, 100, 100, 100, 100, 0, 100, 100, 100]);
});

test('nothing is known after the last reading, and before the first state', () => {
  const folded = foldStates([[1200, 'active']], { ...options, knownUntilAt: 1500 });
  expect(folded).toMatchObject({ awakeMs: 300, asleepMs: 0, unknownMs: 700, starts: 0 });
  expect(foldStates([], options)).toMatchObject({ unknownMs: 1000, spans: [] });
});

test('the time before an endpoint was made and after it was gone is not unknown', () => {
  const states = [[1400, 'active']] as const;
  const life = { bornAt: 1300, goneAt: 1800, knownUntilAt: 1700 };
  expect(foldStates(states, { ...options, ...life })).toMatchObject({ awakeMs: 300, unknownMs: 200 });
});

test('more states than are told one by one add up to the same in columns', () => {
  let at = 900;
  const states = Array.from({ length: 400 }, (_, index) => {
    at += 1 + (hash(7, index) % 5);
    return [at, index % 2 === 0 ? 'active' : 'idle'] as const;
  });
  const folded = foldStates(states, { ...options, mostSpans: 100 });
  const all = foldStates(states, { ...options, mostSpans: 1000 });
  expect(folded.spans).toBeUndefined();
  const sumOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0);
  expect(sumOf(folded.awakeByColumn)).toBeCloseTo(folded.awakeMs, 6);
  expect(sumOf(folded.knownByColumn)).toBeCloseTo(folded.awakeMs + folded.asleepMs, 6);
  const awake = all.spans?.filter(({ state }) => state === 'active') ?? [];
  expect(awake.reduce((sum, { fromAt, untilAt }) => sum + untilAt - fromAt, 0)).toBe(folded.awakeMs);
});
