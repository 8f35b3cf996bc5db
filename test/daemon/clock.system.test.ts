import { describe, it } from 'vitest';
import { type Sample, sampleValue } from '../support/exposition-reader.ts';
import { differences } from '../support/truth.ts';
import { accountOf, openDaemon, openService } from './open-daemon.ts';

const yearMs = 365 * 86_400_000;

/** The time in all states of all endpoints, and the number of keys that are stale. */
function measure(samples: readonly Sample[]) {
  const valuesOf = (name: string) => samples.filter(sample => sample.name === name).map(({ value }) => value);
  const add = (sum: number, value: number) => sum + value;
  return {
    stateSeconds: valuesOf('dbpm_endpoint_state_seconds_total').reduce(add, 0),
    staleKeys: valuesOf('dbpm_api_key_stale').reduce(add, 0),
  };
}

const listPolls = (samples: readonly Sample[]) =>
  sampleValue(samples, 'dbpm_exporter_api_requests_total', {
    account: 'main',
    route: '/projects',
    outcome: 'ok',
  }) ?? 0;

describe.concurrent('a service whose dates are wrong', () => {
  it.for([
    ['two answers a year ahead', yearMs, 2],
    ['twenty answers a year behind', -yearMs, 20],
    ['all answers a year ahead, beside an account whose dates are right', yearMs, undefined],
  ] as const)(
    'counts no time that never was, and calls no key stale: %s',
    async ([, offMs, times], context) => {
      const { expect, onTestFinished } = context;
      const service = await openService(onTestFinished);
      const other = await openService(onTestFinished, { seed: 2 });
      const accounts = [accountOf(service), accountOf(other, { name: 'other' })];
      const daemon = await openDaemon(onTestFinished, accounts);
      const untilTrue = () =>
        daemon.until(async samples => {
          // Accounts, and their keys, are read apart from each other.
          for (const [account, each] of [['main', service] as const, ['other', other] as const]) {
            const own = samples.filter(({ labels }) => labels.account === account);
            expect(differences(await each.tellTruth(), own, 1)).toEqual([]);
            const ofKeys = { account, collector: 'api_keys' };
            expect(sampleValue(samples, 'dbpm_collector_success', ofKeys)).toBe(1);
          }
        });
      const settled = await untilTrue();
      const before = measure(settled);
      const date = new Date(Date.now() + offMs).toUTCString();
      await service.fault({ match: 'GET *', headers: { date }, ...(times !== undefined && { times }) });
      const during = await daemon.until(samples => {
        expect(listPolls(samples)).toBeGreaterThan(listPolls(settled) + 6);
      });
      expect(measure(during).stateSeconds).toBeLessThan(before.stateSeconds + 3600);
      expect(measure(during).staleKeys).toBe(before.staleKeys);
      expect(daemon.lines.filter(line => line.includes('the Date of answers cannot be true'))).not.toEqual(
        [],
      );
      await service.clearFaults();
      await service.control('POST', '/advance', { seconds: 3600 });
      const after = await untilTrue();
      expect(measure(after).stateSeconds).toBeGreaterThan(before.stateSeconds + 3600);
    },
  );
});
