import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayMs, hourMs } from '../../src/resources/duration.ts';
import { consumptionReading, wireConsumption, wireTimeframe } from '../support/meter-builder.ts';
import { projectsReading, wireProject } from '../support/reading-builder.ts';
import { PricedHistory } from './bill/priced-history.ts';

const prices = `
pricing:
  currency: USD
  plans:
    - name: launch
      prices: [{from: 2026-01-01, per_compute_hour: 1}]
      included: {compute_hours: 30, per: account}
groups:
  team: {web: {projects: [shop]}, data: {projects: [dw]}}
`;

/** Two projects, each with 4 compute hours in the first or the second half of each day. The meter told the days or the hours. */
class SharedHistory extends PricedHistory {
  constructor(granularity: 'daily' | 'hourly') {
    super(prices, Date.UTC(2026, 10, 8));
    const list = (at: number) => {
      const wire = (name: string) =>
        wireProject(`p-${name}`, { name, created_at: '2026-09-30T00:00:00Z', cpu_used_sec: 0 });
      this.history.commitOne(projectsReading(at, [wire('shop'), wire('dw')]));
    };
    list(Date.UTC(2026, 8, 30));
    list(this.now - 60_000);
    const slotMs = granularity === 'daily' ? dayMs : hourMs;
    const begin = Date.UTC(2026, 9, 1);
    const told = (name: string, isMeant: (hour: number) => boolean) =>
      wireConsumption(
        `p-${name}`,
        Array.from({ length: (31 * dayMs) / slotMs }, (_, index) => {
          const fromAt = begin + index * slotMs;
          const isUsed = granularity === 'daily' || isMeant(index % 24);
          const seconds = granularity === 'daily' ? 4 * 3600 : isUsed ? 1200 : 0;
          return wireTimeframe(fromAt, fromAt + slotMs, { compute_unit_seconds: seconds });
        }),
      );
    const items = [told('shop', hour => hour < 12), told('dw', hour => hour >= 12)];
    for (const at of [this.now - dayMs, this.now])
      this.history.commitOne(consumptionReading(at, items, { granularity }));
  }
}

let byDay: SharedHistory;
let byHour: SharedHistory;
beforeAll(() => {
  byDay = new SharedHistory('daily');
  byHour = new SharedHistory('hourly');
});
afterAll(() => {
  byDay[Symbol.dispose]();
  byHour[Symbol.dispose]();
});

const note =
  '- What projects share of plan launch of account main, included hours or a tier, was used up between 2026-10-04 00:00 and 2026-10-05 00:00, and only the sum is known: how much each project had of it, and so what each costs, is estimated. The total is exact.\n';

// 24 of the 30 hours are used up after three days, and the other six on the fourth: those of shop come first in truth.
test('included hours that were used up on a day whose hours are not known are shared out by an estimate, and said so', async () => {
  const { stdout } = await byDay.run('report cost --period billing:2026-10');
  expect(stdout).toContain(note);
  expect(await byDay.costs('--period billing:2026-10')).toEqual([
    'p-dw 109.00',
    'p-shop 109.00',
    'total 218.00',
  ]);
  expect(await byHour.costs('--period billing:2026-10')).toEqual([
    'p-dw 110.00',
    'p-shop 108.00',
    'total 218.00',
  ]);
});

test('a showback says so, too', async () => {
  const { stdout } = await byDay.run('report showback --group team/web --period billing:2026-10');
  expect(stdout).toContain(note);
});

test('nothing is said where the hours are known, where the day is not in the report, or of the account as a whole', async () => {
  for (const line of [
    'report cost --period billing:2026-10',
    'report showback --group team/web --period billing:2026-10',
  ])
    expect((await byHour.run(line)).stdout).not.toContain('is estimated');
  expect((await byDay.run('report cost --period 2026-10-10..2026-10-20')).stdout).not.toContain(
    'was used up',
  );
  expect((await byDay.run('report cost --period billing:2026-10 --by account')).stdout).not.toContain(
    'was used up',
  );
});
