import { addOperation, createProject } from './drill-action.ts';
import { answerWrongly, type DrillFault, untilScraped } from './drill-injection.ts';

const account = 'main';

/** Of endpoints and of the projects they belong to. */
export const endpointFaults: readonly DrillFault[] = [
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
