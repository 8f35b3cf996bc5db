import { dayMs } from '../../src/resources/duration.ts';
import type { MeteredLedger } from '../../src/resources/usage/ledger.ts';
import { createRandom, type Random } from '../../src/simulator/model/random.ts';
import { drawNormal } from '../quality/synthetic-account.ts';

/** A meter that is not known before its first day: its amounts by day, to the end of a month. */
interface YoungMeter {
  readonly kind: string;
  /** Days of amounts; the first may be a part of a day. */
  readonly days: readonly number[];
}

type Draw = (random: Random, count: number) => number[];

/** Bytes that are there at the end of each day, from what comes and goes in each. */
function pileUp(count: number, first: number, comeOn: (day: number, there: number) => number): number[] {
  let there = first;
  return Array.from({ length: count }, (_, day) => {
    const before = there;
    there = Math.max(0, there + comeOn(day, there));
    return (before + there) / 2;
  });
}

const noise = (random: Random, deviation: number) => Math.exp(deviation * drawNormal(random));

/** The ways in which meters begin. */
const draws: Readonly<Record<string, Draw>> = {
  'storage that is loaded once and stays': (random, count) => {
    const loadDays = random.integer(1, 5);
    return pileUp(count, 0, day => (day < loadDays ? noise(random, 0.5) : 0.002 * noise(random, 1)));
  },
  'storage that is loaded and grows': (random, count) => {
    const loadDays = random.integer(1, 4);
    const growth = 0.03 * random.fraction();
    return pileUp(count, 0, day =>
      day < loadDays ? noise(random, 0.5) : growth * loadDays * noise(random, 0.8),
    );
  },
  'storage that grows by as much each day': (random, count) =>
    pileUp(count, 3 * random.fraction(), () => noise(random, 0.4)),
  'storage that grows in proportion': (random, count) => {
    const growth = 0.05 * random.fraction();
    return pileUp(count, 1, (_, there) => growth * there * noise(random, 0.5));
  },
  'storage that is cleaned up now and then': (random, count) => {
    const every = random.integer(5, 12);
    return pileUp(count, 2, (day, there) =>
      day % every === every - 1 ? -0.6 * there : 0.4 * noise(random, 0.3),
    );
  },
  'transfer with weekends': (random, count) => {
    const [start, weekend] = [random.integer(0, 6), random.pick([0.2, 0.5, 1])];
    const deviation = 0.1 + 0.4 * random.fraction();
    return Array.from(
      { length: count },
      (_, day) => ((start + day) % 7 >= 5 ? weekend : 1) * noise(random, deviation),
    );
  },
  'transfer that is taken up': (random, count) => {
    const upDays = random.integer(2, 10);
    const deviation = 0.1 + 0.3 * random.fraction();
    return Array.from(
      { length: count },
      (_, day) => Math.min(1, (day + 1) / upDays) * noise(random, deviation),
    );
  },
  'transfer with rare bulk loads': (random, count) =>
    Array.from({ length: count }, () => (random.chance(0.04) ? 6 : 1) * noise(random, 0.3)),
  'projects that come one after the other': (random, count) => {
    const sum = Array.from({ length: count }, () => 0);
    for (let project = random.integer(2, 12); project > 0; project -= 1) {
      const from = random.chance(0.4) ? 0 : random.integer(0, count - 1);
      const kind = storageKinds[random.integer(0, storageKinds.length - 1)] ?? '';
      const size = noise(random, 0.7);
      for (const [index, amount] of (draws[kind]?.(random, count - from) ?? []).entries())
        sum[from + index] = (sum[from + index] ?? 0) + size * amount;
    }
    return sum;
  },
};

/** Those whose projects come one after the other. */
const storageKinds = Object.keys(draws).slice(0, 5);

/** A young meter of each kind, of a number of days, in units of about a gigabyte. */
export function drawYoungMeters(seed: number, count: number): readonly YoungMeter[] {
  return Object.entries(draws).map(([kind, draw]) => {
    const random = createRandom(seed, kind, count);
    const days = draw(random, count).map(amount => amount * 1e9);
    // A meter begins at some hour of its first day.
    return { kind, days: days.map((amount, day) => (day === 0 ? amount * random.fraction() : amount)) };
  });
}

export const meteredMetric = 'public_network_transfer_bytes';

/** A meter of one metric with an amount for each day, of which it knows the first ones for good. */
export function meterOf(days: readonly number[], knownDays: number): MeteredLedger {
  let before = 0;
  const until = [0, ...days.map(day => (before += day))];
  return {
    others: [],
    knownSpan: () => ({ fromAt: 0, untilAt: knownDays * dayMs }),
    meteredUntil: (_ref, asked, at) =>
      asked === meteredMetric ? Math.floor(until[at / dayMs] ?? before) : 0,
  };
}
