import { createProject, firstProject } from './drill-action.ts';
import { daemonFaults } from './drill-daemon-fault.ts';
import { answerWrongly, type DrillFault, type DrillFaults } from './drill-injection.ts';
import { objectFaults } from './drill-object-fault.ts';
import { usageFaults } from './drill-usage-fault.ts';

const accountFaults: readonly DrillFault[] = [
  {
    alerts: ['DbpmAccountFailing'],
    fault: 'the service answers 500 to everything',
    mended: 'it answers again',
    inject: drill => answerWrongly(drill, 'failing', { match: 'GET *', status: 500 }),
  },
  {
    alerts: ['DbpmDataStale'],
    fault: 'the service answers 503 where endpoints are listed',
    mended: 'it lists them again',
    inject: drill => answerWrongly(drill, 'lagging', { match: 'GET /projects/*/endpoints', status: 503 }),
  },
  {
    alerts: ['DbpmRateLimited'],
    fault: 'the service answers 429 where operations are listed',
    mended: 'it lists them again',
    inject: drill => answerWrongly(drill, 'limited', { match: 'GET /projects/*/operations', status: 429 }),
  },
  {
    alerts: ['DbpmCollectorFailing'],
    fault: 'the service lists operations in another form',
    mended: 'it lists them as it should',
    async inject(drill) {
      const body = JSON.stringify({ operations: [{ operation: { id: 'o-1', status: 'finished' } }] });
      const fault = { match: 'GET /projects/*/operations', status: 200, body };
      const { labels, mend } = await answerWrongly(drill, 'foreign', fault);
      return { labels: { ...labels, collector: 'operations', reason: 'malformed' }, mend };
    },
  },
  {
    alerts: ['DbpmProjectUnreadable'],
    fault: 'the service answers 403 where endpoints are listed',
    mended: 'it lists them again',
    async inject(drill) {
      const fault = { match: 'GET /projects/*/endpoints', status: 403 };
      const { labels, mend } = await answerWrongly(drill, 'barred', fault);
      return { labels: { ...labels, collector: 'endpoints' }, mend };
    },
  },
  {
    alerts: ['DbpmFieldsLost'],
    fault: 'the service writes a number of an endpoint as a word',
    mended: 'it writes a number',
    async inject(drill) {
      const { costly } = drill.stages;
      const { project_id } = await firstProject(costly);
      const path = `/projects/${project_id}/endpoints`;
      const { endpoints } = (await costly.world.call(
        'GET',
        `${costly.world.simulator.base_url}${path.slice(1)}`,
      )) as { readonly endpoints: readonly object[] };
      const wrong = endpoints.map(endpoint => ({ ...endpoint, suspend_timeout_seconds: 'never' }));
      const fault = { match: `GET ${path}`, status: 200, body: JSON.stringify({ endpoints: wrong }) };
      const { labels, mend } = await answerWrongly(drill, 'costly', fault);
      return { labels: { ...labels, field: 'suspend_timeout_seconds' }, mend };
    },
  },
  {
    alerts: ['DbpmProjectsUnavailable'],
    fault: 'the service names a project it cannot list',
    mended: 'it lists all again',
    async inject({ stages: { unlisted } }) {
      const { world } = unlisted;
      const list = (await world.call('GET', `${world.simulator.base_url}projects`)) as object;
      const body = JSON.stringify({ ...list, unavailable_project_ids: ['elsewhere'] });
      await world.call('POST', '/faults', { match: 'GET /projects', status: 200, body });
      return {
        labels: { account: 'unlisted' },
        mend: async () => void (await world.call('DELETE', '/faults')),
      };
    },
  },
  {
    alerts: ['DbpmValuesImplausible'],
    fault: 'the service shows more compute than a project can have used in its life',
    mended: 'the project is deleted',
    async inject({ stages: { main } }) {
      const { project_id } = await createProject(main, 'counted wrongly');
      const { world } = main;
      await world.call('POST', `/projects/${project_id}/cpu`, { cpu_used_sec: 9e12 });
      return {
        labels: { account: 'main', field: 'cpu_used_sec' },
        mend: async () => void (await world.call('DELETE', `/projects/${project_id}`)),
      };
    },
  },
  {
    alerts: ['DbpmRequestBudgetTooSmall'],
    fault: 'more projects appear than the budget can read',
    mended: 'they are deleted',
    async inject({ stages: { crowded } }) {
      const { world } = crowded;
      const names = Array.from({ length: 60 }, (_, index) => `one of many ${index}`);
      const created = await Promise.all(names.map(name => world.call('POST', '/projects', { name })));
      const remove = (project: unknown) =>
        world.call('DELETE', `/projects/${(project as { readonly id: string }).id}`);
      return {
        labels: { account: 'crowded' },
        mend: async () => void (await Promise.all(created.map(remove))),
      };
    },
  },
];

/** A fault for every alert. */
export const drillFaults: DrillFaults = {
  together: [...accountFaults, ...objectFaults],
  alone: [...usageFaults, ...daemonFaults],
};
