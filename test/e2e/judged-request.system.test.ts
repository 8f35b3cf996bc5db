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
import { type ServedApi, startRequestJudge } from './request-judge.ts';

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

const readRoutes = [
  '/api_keys',
  '/projects',
  '/projects/{project_id}/endpoints',
  '/projects/{project_id}/operations',
];
const meterRoute = '/consumption_history/v2/projects';

describe.concurrent('a judge of all requests', () => {
  it.for<Watch>([{ api: 'contract' }, { api: 'later', service: organisation, org_id: organisation.orgs[0] }])(
    'finds no fault with a daemon on the $api',
    async (watch, { expect, onTestFinished }) => {
      const { judge, daemon } = await watchDaemon(onTestFinished, watch);
      const routes = watch.api === 'contract' ? readRoutes : [...readRoutes, meterRoute];
      await eventually(async () => {
        const answered = judge.seen.filter(({ status }) => status === 200).map(({ route }) => route);
        expect(answered).toEqual(expect.arrayContaining(routes));
        expect(answered.filter(route => route === '/api_keys').length).toBeGreaterThan(1);
      });
      await daemon.until(samples => expect(sampleValue(samples, 'dbpm_up', {})).toBe(1));
      expect(judge.faults()).toEqual([]);
      expect(judge.busiestMinute(/endpoints$/)).toBeLessThan(judge.busiestMinute());
      expect(judge.busiestMinute(/consumption/)).toBeLessThanOrEqual(50);
    },
  );

  it('finds fault with a daemon that does not say its organisation', async ({ expect, onTestFinished }) => {
    const { judge } = await watchDaemon(onTestFinished, { api: 'later', service: organisation });
    await eventually(async () =>
      expect(judge.faults()[0]).toMatch(/^GET \/projects\S*: 400 .*org_id is required/),
    );
  });
});
