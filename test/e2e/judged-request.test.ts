import { describe, it } from 'vitest';
import type { SimulatorOptions } from '../../src/simulator/server.ts';
import {
  accountOf,
  eventually,
  type OnTestFinished,
  openDaemon,
  openService,
} from '../daemon/open-daemon.ts';
import { sampleValue } from '../support/exposition-reader.ts';
import { startRequestJudge } from './request-judge.ts';
import type { ServedApi } from './request-rule.ts';

const organisation = { orgs: ['org-calm-sky-12345678', 'org-wild-leaf-87654321'], keyOf: 'person' } as const;

interface Watch {
  readonly api: ServedApi;
  readonly service?: Partial<SimulatorOptions>;
  readonly org_id?: string;
}

/** A daemon whose requests pass a judge; the pages of lists are short, so that it follows them. */
async function watchDaemon(onTestFinished: OnTestFinished, { api, service: options, org_id }: Watch) {
  const fleet = { projects: 4, historyDays: 0.5, pageProjects: 2 };
  const service = await openService(onTestFinished, { api, ...fleet, ...options });
  const judge = await startRequestJudge(service.simulator.base_url, api);
  onTestFinished(() => judge.close());
  const account = accountOf(service, { base_url: new URL(judge.base_url), ...(org_id && { org_id }) });
  return { judge, daemon: await openDaemon(onTestFinished, [account]) };
}

describe.concurrent('a judge of all requests', () => {
  it.for<Watch>([{ api: 'contract' }, { api: 'later', service: organisation, org_id: organisation.orgs[0] }])(
    'finds no fault with a daemon on the $api',
    async (watch, { expect, onTestFinished }) => {
      const { judge, daemon } = await watchDaemon(onTestFinished, watch);
      await eventually(async () => {
        const readings = judge.seen.filter(({ route, status }) => route === '/api_keys' && status === 200);
        expect(readings.length).toBeGreaterThan(1);
      });
      const samples = await daemon.until(found => expect(sampleValue(found, 'dbpm_up', {})).toBe(1));
      expect(sampleValue(samples, 'dbpm_up', {})).toBe(1);
      expect(judge.faults()).toEqual([]);
      expect(judge.busiestMinute()).toBe(judge.seen.length);
      expect(judge.busiestMinute(/endpoints$/)).toBeLessThan(judge.seen.length);
      expect(new Set(judge.seen.map(({ route }) => route))).toEqual(
        new Set([
          '/api_keys',
          '/projects',
          '/projects/{project_id}/endpoints',
          '/projects/{project_id}/operations',
        ]),
      );
    },
  );

  it('finds fault with a daemon that does not say its organisation', async ({ expect, onTestFinished }) => {
    const { judge } = await watchDaemon(onTestFinished, { api: 'later', service: organisation });
    await eventually(async () =>
      expect(judge.faults()[0]).toMatch(/^GET \/projects\S*: 400 .*org_id is required/),
    );
  });
});
