import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayMs, hourMs } from '../../../src/resources/duration.ts';
import type { Granularity } from '../../../src/resources/meter.ts';
import { monthStart } from '../../../src/resources/utc-month.ts';
import { readCsv } from '../../support/csv-reader.ts';
import { consumptionReading } from '../../support/meter-builder.ts';
import { answerMeter, type MeteredProject } from '../../support/metered-service.ts';
import { instant, projectsReading, wireProject } from '../../support/reading-builder.ts';
import { PricedHistory } from './priced-history.ts';

const november = Date.UTC(2026, 10, 1);
const december = Date.UTC(2026, 11, 1);
const prices = (ledger = '') => `
pricing:
  currency: USD
  ${ledger}
  plans: [{name: launch, prices: [{from: 2026-01-01, per_compute_hour: 1}]}]
`;

const project = (project_id: string, fromAt: number, unitsAt: (at: number) => number): MeteredProject => ({
  project_id,
  fromAt,
  hours: Array.from({ length: (december - fromAt) / hourMs }, (_, hour) => ({
    compute_unit_seconds: 3600 * unitsAt(fromAt + hour * hourMs),
  })),
});

/** One uses half a unit all month. Another was made on the 21st, and used 4 units on the 30th: 96 hours. */
const projects = [
  project('p-old', november, () => 0.5),
  project('p-new', november + 20 * dayMs, at => (at >= november + 29 * dayMs ? 4 : 0)),
];

/**
 * Half an hour after a month is over: the meter told all of it by the month, by the day until the 30th, and by the hour until the
 * 29th, six o'clock. What the service reports was read until the 28th, and begins anew with the month.
 */
class LaggingMeter extends PricedHistory {
  constructor() {
    super(prices(), december + hourMs / 2);
    for (const [at, hours] of [
      [november + 5 * dayMs, 60],
      [november + 27 * dayMs, 324],
      [this.now, 0],
    ] as const) {
      const items = projects
        .filter(({ fromAt }) => fromAt <= at)
        .map(({ project_id, fromAt }) =>
          wireProject(project_id, {
            created_at: instant(fromAt),
            cpu_used_sec: project_id === 'p-old' ? 3600 * hours : 0,
          }),
        );
      this.history.commitOne(projectsReading(at, items));
    }
    const hourly = november + 28 * dayMs + 6 * hourMs;
    const daily = november + 29 * dayMs;
    // What did not grow since it was last read is settled.
    for (const at of [hourly - hourMs, hourly]) this.#read('hourly', at, at - 167 * hourMs);
    for (const at of [daily - dayMs, daily]) this.#read('daily', at, at - 59 * dayMs);
    this.#read('monthly', december, monthStart(december, -11));
  }

  #read(granularity: Granularity, at: number, fromAt: number): void {
    const told = answerMeter(projects, { granularity, fromAt, untilAt: at }, at, 0);
    this.history.commitOne(consumptionReading(at, told, { granularity, fromAt }));
  }
}

let world: LaggingMeter;
beforeAll(() => {
  world = new LaggingMeter();
});
afterAll(() => world[Symbol.dispose]());

async function metered(options: string) {
  const { exitCode, stdout, stderr } = await world.run(`report usage ${options} --format csv`);
  const hours = readCsv(stdout).rows.map(
    row => `${row.project_id} ${row.step ?? ''} ${row.metered_compute_hours}`,
  );
  return { exitCode, hours, sums: stderr.split('\n').filter(line => line.includes('only the sum is known')) };
}

test('days that are told have what was used in them, however much more is told of the month', async () => {
  const { hours, sums } = await metered('--period 2026-11-11..2026-11-20');
  expect([hours, sums]).toEqual([['p-old  108.00'], []]);
});

test('what the month alone tells of was used on the day that is not told, if those before it did not grow', async () => {
  expect(await metered('--period 2026-11-29..2026-12-01 --step day')).toEqual({
    exitCode: 3,
    hours: ['p-old 2026-11-29 12.00', 'p-new 2026-11-30 96.00', 'p-old 2026-11-30 12.00'],
    sums: [
      'partial: Of what account main was metered from 2026-11-28 18:00 to 2026-12-01 00:00 only the sum is known: how much of it was used in which part of that time is estimated. No part of the period is exact; a period that has all of that time is.',
    ],
  });
});

test('parts of days that are not told by the hour are estimated, and the report says so', async () => {
  world.price(`usage: {timezone: Asia/Tokyo}${prices()}`);
  const { exitCode, sums } = await metered('--period 2026-11-30..2026-12-01');
  world.price(prices());
  expect([exitCode, sums]).toEqual([
    3,
    [
      'partial: Of what account main was metered from 2026-11-29 03:00 to 2026-12-01 09:00 only the sum is known: how much of it was used in which part of that time is estimated. No part of the period is exact; a period that has all of that time is.',
    ],
  ]);
});

test.each(['', 'ledger: metered'])(
  'just after the end of a month its bill has all that the meter told of it (%s)',
  async ledger => {
    world.price(prices(ledger));
    const { stdout } = await world.run('report cost --period billing:2026-11 --format json');
    world.price(prices());
    const { rows, totals } = JSON.parse(stdout);
    expect(rows.map((row: Record<string, string>) => [row.project_id, row.cost])).toEqual([
      ['p-old', '360.00'],
      ['p-new', '96.00'],
    ]);
    expect(totals.cost).toBe('456.00');
  },
);
