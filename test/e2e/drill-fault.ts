import { vi } from 'vitest';
import { usualOperationDuration } from '../../dashboards/rules/recording-rule.ts';
import { addOperation, createKey, createProject, revokeKey, type Stage, useKey } from './drill-action.ts';
import type { Drill } from './drill-world.ts';

/** What a fault did: which alert it must raise, and how it goes away. */
export interface Injected {
  readonly labels: Readonly<Record<string, string>>;
  mend(): Promise<void>;
}

/** How each alert is raised end to end; all of them at once, each on an object of its own. */
export interface DrillFault {
  readonly alert: string;
  readonly fault: string;
  readonly mended: string;
  inject(drill: Drill): Promise<Injected>;
}

const account = 'main';
const passes = async () => {};

export const drillFaults: readonly DrillFault[] = [
  {
    alert: 'DbpmAccountFailing',
    fault: 'the service answers 500 to everything',
    mended: 'it answers again',
    inject: drill => answerWrongly(drill, 'failing', { match: 'GET *', status: 500 }),
  },
  {
    alert: 'DbpmDataStale',
    fault: 'the service answers 503 where endpoints are listed',
    mended: 'it lists them again',
    inject: drill => answerWrongly(drill, 'lagging', { match: 'GET /projects/*/endpoints', status: 503 }),
  },
  {
    alert: 'DbpmRateLimited',
    fault: 'the service answers 429 where operations are listed',
    mended: 'it lists them again',
    inject: drill => answerWrongly(drill, 'limited', { match: 'GET /projects/*/operations', status: 429 }),
  },
  {
    alert: 'DbpmOperationFailed',
    fault: 'the first operation of its action fails',
    mended: 'the failure is no longer news',
    async inject({ stages: { main } }) {
      const { project_id } = await createProject(main, 'failed operation');
      await addOperation(main, project_id, { action: 'apply_config', status: 'failed' });
      return { labels: { account, project_id, action: 'apply_config' }, mend: passes };
    },
  },
  {
    alert: 'DbpmOperationStuck',
    fault: 'an operation does not end',
    mended: 'it ends',
    async inject({ stages: { main } }) {
      const { project_id } = await createProject(main, 'stuck operation');
      const id = await addOperation(main, project_id, { action: 'check_availability', status: 'scheduling' });
      return { labels: { account, project_id }, mend: () => endOperation(main, id) };
    },
  },
  {
    alert: 'DbpmOperationUnusuallyLong',
    fault: 'an operation goes on for longer than others of its action took',
    mended: 'it ends',
    async inject({ stages: { main }, prometheus }) {
      const { project_id } = await createProject(main, 'long operation');
      const action = 'create_branch';
      await vi.waitFor(
        async () => {
          await addOperation(main, project_id, { action, status: 'finished' });
          const usual = await prometheus.query(`${usualOperationDuration.name}{action="${action}"} >= 0`);
          if (usual.length === 0) throw new Error('it is not known yet how long that usually takes');
        },
        { timeout: 30_000, interval: 1000 },
      );
      const id = await addOperation(main, project_id, { action, status: 'running' });
      return { labels: { account, project_id }, mend: () => endOperation(main, id) };
    },
  },
  {
    alert: 'DbpmOperationAttemptsFail',
    fault: 'an operation is tried again and again',
    mended: 'it ends, and its attempts are no longer news',
    async inject(drill) {
      const { main } = drill.stages;
      const { project_id } = await createProject(main, 'failing attempts');
      const action = 'apply_config';
      const id = await addOperation(main, project_id, { action, status: 'running' });
      await untilScraped(drill, 'dbpm_operation_attempt_failures_total', { project_id, action });
      await main.world.call('POST', `/operations/${id}`, { status: 'running', failures_count: 9 });
      return { labels: { account, project_id, action }, mend: () => endOperation(main, id) };
    },
  },
  {
    alert: 'DbpmEndpointNeverSuspends',
    fault: 'a client stays connected',
    mended: 'the endpoint is deleted',
    async inject({ stages: { main } }) {
      const { project_id, endpoint_id } = await createProject(main, 'never asleep');
      await main.world.call('POST', `/endpoints/${endpoint_id}/connect`, { seconds: 3600 });
      const url = `${main.world.simulator.base_url}projects/${project_id}/endpoints/${endpoint_id}`;
      const mend = async () => void (await main.world.call('DELETE', url));
      return { labels: { account, project_id, endpoint_id }, mend };
    },
  },
  {
    alert: 'DbpmEndpointFlapping',
    fault: 'an endpoint is started ten times within seconds',
    mended: 'it is left in peace',
    async inject(drill) {
      const { main } = drill.stages;
      const { project_id, endpoint_id } = await createProject(main, 'flapping');
      await untilScraped(drill, 'dbpm_endpoint_starts_total', { endpoint_id });
      for (let start = 0; start < 10; start += 1) {
        const fields = { action: 'start_compute', status: 'finished', endpoint_id };
        await addOperation(main, project_id, fields);
      }
      return { labels: { account, project_id, endpoint_id }, mend: passes };
    },
  },
  {
    alert: 'DbpmEndpointStuckInTransition',
    fault: 'the clock of the service stops while an endpoint starts',
    mended: 'it goes on',
    async inject({ stages: { frozen } }) {
      frozen.world.freeze();
      const { project_id, endpoint_id } = await createProject(frozen, 'starting for ever');
      const mend = async () => frozen.world.thaw();
      return { labels: { account: 'frozen', project_id, endpoint_id }, mend };
    },
  },
  {
    alert: 'DbpmEndpointDisabledButActive',
    fault: 'the service shows a disabled endpoint as active',
    mended: 'it shows it as it is',
    async inject(drill) {
      const { odd } = drill.stages;
      const { project_id, endpoint_id } = await createProject(odd, 'disabled and active');
      const path = `projects/${project_id}/endpoints`;
      const { endpoints } = (await odd.world.call('GET', odd.world.simulator.base_url + path)) as {
        readonly endpoints: readonly object[];
      };
      const shown = endpoints.map(item => ({ ...item, disabled: true, current_state: 'active' }));
      const body = JSON.stringify({ endpoints: shown });
      const { mend } = await answerWrongly(drill, 'odd', { match: `GET /${path}`, body });
      return { labels: { account: 'odd', project_id, endpoint_id }, mend };
    },
  },
  {
    alert: 'DbpmProjectGone',
    fault: 'a project is deleted',
    mended: 'that is no longer news',
    async inject(drill) {
      const { main } = drill.stages;
      const project_name = 'deleted by mistake';
      const { project_id } = await createProject(main, project_name);
      await untilScraped(drill, 'dbpm_project_info', { project_id });
      await main.world.call('DELETE', `/projects/${project_id}`);
      return { labels: { account, project_id, project_name }, mend: passes };
    },
  },
  {
    alert: 'DbpmProjectCpuUseUnusual',
    fault: 'a project that hardly used any compute yesterday uses two hours of it at once',
    mended: 'the project is deleted',
    async inject(drill) {
      const { main } = drill.stages;
      const project_id = drill.frugalProject;
      await untilScraped(drill, 'dbpm_project_cpu_used_seconds_total', { project_id });
      const name = 'dbpm_project_cpu_used_reported_seconds';
      const found = (await main.scrape()).find(
        sample => sample.name === name && sample.labels.project_id === project_id,
      );
      const cpu_used_sec = (found?.value ?? 0) + 7200;
      await main.world.call('POST', `/projects/${project_id}/cpu`, { cpu_used_sec });
      const mend = async () => void (await main.world.call('DELETE', `/projects/${project_id}`));
      return { labels: { account, project_id }, mend };
    },
  },
  {
    alert: 'DbpmApiKeyUnused',
    fault: 'nobody uses a key any more',
    mended: 'it is used again',
    async inject({ stages: { main } }) {
      const key = await createKey(main, 'no longer used');
      await useKey(main, key);
      return { labels: { account, key_id: String(key.id) }, mend: () => useKey(main, key) };
    },
  },
  {
    alert: 'DbpmApiKeyNeverUsed',
    fault: 'a key is created and not used',
    mended: 'it is used',
    async inject({ stages: { main } }) {
      const key = await createKey(main, 'never used');
      return { labels: { account, key_id: String(key.id) }, mend: () => useKey(main, key) };
    },
  },
  {
    alert: 'DbpmApiKeyTooOld',
    fault: 'a key grows old',
    mended: 'it is revoked',
    async inject({ stages: { main } }) {
      const { id } = await createKey(main, 'too old');
      return { labels: { account, key_id: String(id) }, mend: () => revokeKey(main, id) };
    },
  },
  {
    alert: 'DbpmApiKeySourceAddressChanged',
    fault: 'a key is used from another address',
    mended: 'that is no longer news',
    async inject(drill) {
      const { main } = drill.stages;
      const key = await createKey(main, 'stolen');
      const key_id = String(key.id);
      await useKey(main, key, '127.0.0.1');
      await untilScraped(drill, 'dbpm_api_key_source_address_changes_total', { key_id });
      await useKey(main, key, '127.0.0.2');
      return { labels: { account, key_id }, mend: passes };
    },
  },
];

/** Has calls to a service answered wrongly until that is mended. */
async function answerWrongly(
  { stages }: Drill,
  name: 'failing' | 'lagging' | 'limited' | 'odd',
  fault: { readonly match: string; readonly status?: number; readonly body?: string },
): Promise<Injected> {
  const { world } = stages[name];
  await world.call('POST', '/faults', fault);
  return { labels: { account: name }, mend: async () => void (await world.call('DELETE', '/faults')) };
}

async function endOperation({ world }: Stage, id: string): Promise<void> {
  await world.call('POST', `/operations/${id}`, { status: 'finished' });
}

/** Waits until Prometheus has a series, so that it sees it grow. */
async function untilScraped(
  { prometheus }: Drill,
  name: string,
  labels: Readonly<Record<string, string>>,
): Promise<void> {
  const matchers = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  await vi.waitFor(
    async () => {
      const found = await prometheus.query(`${name}{${matchers.join(', ')}}`);
      if (found.length === 0) throw new Error(`Prometheus has no ${name} ${JSON.stringify(labels)}`);
    },
    { timeout: 30_000, interval: 250 },
  );
}
