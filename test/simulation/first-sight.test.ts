import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { catalog } from '../../src/resources/catalog.ts';
import { readExposition } from '../support/exposition-reader.ts';
import { isLong, testSeeds } from '../support/seed.ts';
import { onStage, simulatedMinute } from './stage.ts';

const second = 1000;
const families = catalog
  .flatMap(group => Object.values(group.families))
  .filter(({ type }) => type !== 'gauge');
const counters = new Set(
  families.flatMap(({ name, type }) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map(part => name + part) : [name],
  ),
);

/** Everything that is metered has a price, so that what is charged follows from all that is read. JSON is YAML. */
const prices = JSON.stringify({
  pricing: {
    currency: 'USD',
    plans: [
      {
        name: 'all',
        prices: [{ from: '2020-01-01', per_compute_hour: '0.16' }],
        metered: [
          { metric: 'root_branch_bytes_month', price: '0.35' },
          { metric: 'public_network_transfer_bytes', price: '0.1' },
        ],
      },
    ],
  },
});

/** They are there where something of the service cannot be used, or where there are more branches than are included. */
const rare = /^dbpm_account_lost_fields_total$|_metered_extra_branch_months_total$/;

/** Slow answers, a few projects a page: what is read piece by piece is looked at in between. */
const slow = [
  { match: 'GET /projects', delay_ms: 3000 },
  { match: 'GET /projects/*/operations', delay_ms: 4000 },
  { match: 'GET /consumption_history/v2/projects', delay_ms: 9000 },
];

it.each(
  testSeeds(isLong ? 5 : 1).flatMap(seed => [
    { seed, api: 'contract' as const },
    { seed, api: 'later' as const },
  ]),
)(
  'every counter has all of its past when it is first seen, beside a service of $api (TEST_SEED=$seed)',
  async ({ seed, api }) => {
    const service = { projects: 5, historyDays: 10, pageProjects: 3, api };
    await onStage({ seed, service }, async ({ service: world, startDaemon }) => {
      // Nothing is used any more: what grows was there before.
      world.freeze();
      for (const fault of slow) await world.call('POST', '/faults', fault);
      const daemon = startDaemon({
        env: {
          DBPM_COLLECT_BRANCHES: 'on',
          DBPM_COLLECT_SCHEDULE: '0 * * * * *',
          DBPM_USAGE_REFRESH: '1m',
        },
        file: prices,
      });
      await daemon.untilServing();
      const first = new Map<string, number>();
      const last = new Map<string, number>();
      const look = async () => {
        for (const { name, labels, value } of readExposition((await daemon.readPage()) ?? '')) {
          if (!counters.has(name)) continue;
          const series = `${name} ${JSON.stringify(labels)}`;
          if (!first.has(series)) first.set(series, value);
          last.set(series, value);
        }
      };
      for (let looks = 0; looks < 100; looks += 1) {
        await look();
        await pause(6 * second);
      }
      for (let looks = 0; looks < 2; looks += 1) {
        await pause(30 * simulatedMinute);
        await look();
      }
      const grown = [...last].filter(([series, value]) => !isSame(series, first.get(series), value));
      expect(grown.map(([series, value]) => `${series}: ${first.get(series)}, then ${value}`)).toEqual([]);
      const seen = new Set([...first.keys()].map(series => series.split(' ')[0]));
      const unseen = [...counters].filter(name => !seen.has(name) && !rare.test(name));
      expect(unseen.filter(name => !(api === 'contract' && isOfMeter(name)))).toEqual([]);
      await daemon.stop();
    });
  },
);

/** What is charged by one ledger and then by another is rounded by the second. */
function isSame(series: string, first: number | undefined, last: number): boolean {
  if (!series.startsWith('dbpm_account_cost_total')) return first === last;
  return first !== undefined && Math.abs(last - first) <= 1e-6 * last;
}

/** Only later versions have a meter. */
function isOfMeter(name: string): boolean {
  return name.includes('_metered_');
}
