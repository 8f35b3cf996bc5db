import { vi } from 'vitest';
import { usualOperationDuration } from '../../dashboards/rules/recording-rule.ts';
import { anyAction } from '../../src/resources/operation.ts';
import { patience } from '../support/patience.ts';
import { addOperation, createKey, createProject, revokeKey, type Stage, useKey } from './drill-action.ts';
import { answerWrongly, type DrillFault, untilScraped } from './drill-injection.ts';

const account = 'main';

const operationFaults: readonly DrillFault[] = [
  {
    alerts: ['DbpmOperationFailed'],
    fault: 'the first operation of its action fails',
    mended: 'the failure is no longer news',
    async inject({ stages: { main } }) {
      const { project_id } = await createProject(main, 'failed operation');
      await addOperation(main, project_id, { action: 'apply_config', status: 'failed' });
      return { labels: { account, project_id, action: 'apply_config' }, mend: async () => {} };
    },
  },
  {
    alerts: ['DbpmOperationStuck'],
    fault: 'an operation does not end',
    mended: 'it ends',
    async inject({ stages: { main } }) {
      const { project_id } = await createProject(main, 'stuck operation');
      const id = await addOperation(main, project_id, { action: 'check_availability', status: 'scheduling' });
      return { labels: { account, project_id }, mend: () => endOperation(main, id) };
    },
  },
  {
    alerts: ['DbpmOperationUnusuallyLong'],
    fault: 'an operation goes on for longer than others of its action took',
    mended: 'it ends',
    async inject({ stages: { main }, prometheus }) {
      const { project_id } = await createProject(main, 'long operation');
      const action = 'create_branch';
      await vi.waitFor(async () => {
        await addOperation(main, project_id, { action, status: 'finished' });
        const usual = await prometheus.query(`${usualOperationDuration.name}{action="${action}"} >= 0`);
        if (usual.length === 0) throw new Error('it is not known yet how long that usually takes');
      }, patience);
      const id = await addOperation(main, project_id, { action, status: 'running' });
      return { labels: { account, project_id }, mend: () => endOperation(main, id) };
    },
  },
  {
    alerts: ['DbpmOperationAttemptsFail'],
    fault: 'an operation is tried again and again',
    mended: 'it ends, and its attempts are no longer news',
    async inject(drill) {
      const { main } = drill.stages;
      const { project_id } = await createProject(main, 'failing attempts');
      const action = 'apply_config';
      const id = await addOperation(main, project_id, { action, status: 'running' });
      const labels = { project_id, action: drill.mode === 'compact' ? anyAction : action };
      await untilScraped(drill, 'dbpm_operation_attempt_failures_total', labels);
      await main.world.call('POST', `/operations/${id}`, { status: 'running', failures_count: 9 });
      return { labels: { account, ...labels }, mend: () => endOperation(main, id) };
    },
  },
];

/** Of endpoints and of the projects they belong to. */
const endpointFaults: readonly DrillFault[] = [
  {
    alerts: ['DbpmEndpointNeverSuspends'],
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
    alerts: ['DbpmEndpointFlapping'],
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
      return { labels: { account, project_id, endpoint_id }, mend: async () => {} };
    },
  },
  {
    alerts: ['DbpmEndpointStuckInTransition'],
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
    alerts: ['DbpmEndpointDisabledButActive'],
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
    alerts: ['DbpmProjectGone'],
    fault: 'a project is deleted',
    mended: 'that is no longer news',
    async inject(drill) {
      const { main } = drill.stages;
      const project_name = 'deleted by mistake';
      const { project_id } = await createProject(main, project_name);
      await untilScraped(drill, 'dbpm_project_info', { project_id });
      await main.world.call('DELETE', `/projects/${project_id}`);
      return { labels: { account, project_id, project_name }, mend: async () => {} };
    },
  },
  {
    alerts: ['DbpmProjectQuotaNearlyUsed'],
    fault: 'a project is limited to a second of awake time',
    mended: 'the limit is lifted',
    async inject({ stages: { odd } }) {
      const { project_id } = await createProject(odd, 'nearly suspended');
      const limit = (quota: object) => odd.world.call('POST', `/projects/${project_id}/quota`, quota);
      await limit({ active_time_seconds: 1 });
      const labels = { account: 'odd', project_id, quota: 'active_time' };
      return { labels, mend: async () => void (await limit({})) };
    },
  },
  {
    alerts: ['DbpmProjectCpuUseUnusual'],
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
];

const keyFaults: readonly DrillFault[] = [
  {
    alerts: ['DbpmApiKeyUnused'],
    fault: 'nobody uses a key any more',
    mended: 'it is used again',
    async inject({ stages: { main } }) {
      const key = await createKey(main, 'no longer used');
      await useKey(main, key);
      return { labels: { account, key_id: String(key.id) }, mend: () => useKey(main, key) };
    },
  },
  {
    alerts: ['DbpmApiKeyNeverUsed'],
    fault: 'a key is created and not used',
    mended: 'it is used',
    async inject({ stages: { main } }) {
      const key = await createKey(main, 'never used');
      return { labels: { account, key_id: String(key.id) }, mend: () => useKey(main, key) };
    },
  },
  {
    alerts: ['DbpmApiKeyTooOld'],
    fault: 'a key grows old',
    mended: 'it is revoked',
    async inject({ stages: { main } }) {
      const { id } = await createKey(main, 'too old');
      return { labels: { account, key_id: String(id) }, mend: () => revokeKey(main, id) };
    },
  },
  {
    alerts: ['DbpmApiKeySourceAddressChanged'],
    fault: 'a key is used from another address',
    mended: 'that is no longer news',
    async inject(drill) {
      const { main } = drill.stages;
      const key = await createKey(main, 'stolen');
      const key_id = String(key.id);
      await useKey(main, key, '127.0.0.1');
      await untilScraped(drill, 'dbpm_api_key_source_address_changes_total', { key_id });
      await useKey(main, key, '127.0.0.2');
      return { labels: { account, key_id }, mend: async () => {} };
    },
  },
];

/** Of what is in an account. */
export const objectFaults: readonly DrillFault[] = [...operationFaults, ...endpointFaults, ...keyFaults];

async function endOperation({ world }: Stage, id: string): Promise<void> {
  await world.call('POST', `/operations/${id}`, { status: 'finished' });
}
