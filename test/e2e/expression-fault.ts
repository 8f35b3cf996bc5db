import { join } from 'node:path';
import type { Fault } from '../../dashboards/boards/fault.ts';
import { setLedgersApart, setMeterUnusual } from '../support/written-meter.ts';
import {
  addOperation,
  createKey,
  createProject,
  firstProject,
  revokeKey,
  type Stage,
  untilShown,
  useKey,
} from './drill-action.ts';
import { answerAsLater } from './later-answer.ts';

/** Makes happen what a panel waits for. */
export const injections: Readonly<Record<Fault, (stage: Stage) => Promise<void>>> = {
  'account unreachable': async ({ world }) => {
    await world.call('POST', '/faults', { match: 'GET /projects', status: 503, times: 12 });
  },
  'list paused': async ({ world }) => {
    const headers = { 'retry-after': '15' };
    await world.call('POST', '/faults', { match: 'GET /projects', status: 503, headers, times: 1 });
  },
  'project unavailable': async ({ world }) => {
    const list = (await world.call('GET', `${world.simulator.base_url}projects`)) as object;
    const body = JSON.stringify({ ...list, unavailable_project_ids: ['elsewhere'] });
    await world.call('POST', '/faults', { match: 'GET /projects', status: 200, body, times: 1 });
  },
  'project unreadable': async ({ world }) => {
    await world.call('POST', '/faults', { match: 'GET /projects/*/endpoints', status: 403, times: 60 });
  },
  'date unbelieved': async ({ world }) => {
    const date = new Date(Date.now() + 365 * 86_400_000).toUTCString();
    await world.call('POST', '/faults', { match: 'GET *', headers: { date }, times: 60 });
  },
  'value implausible': async stage => {
    const { project_id } = await createProject(stage, 'counted wrongly');
    await stage.world.call('POST', `/projects/${project_id}/cpu`, { cpu_used_sec: 9e12 });
  },
  // It is there from the beginning, as its meter is read once an hour.
  'service metered': stage => untilShown(stage, 'dbpm_account_metered_until_timestamp_seconds', {}),
  'meter priced': stage => untilShown(stage, 'dbpm_account_period_line_cost', {}),
  'metered unusually': async stage => {
    const { project_id } = await firstProject(stage);
    setMeterUnusual(join(stage.world.folder, 'history.sqlite'), 'demo', project_id);
  },
  'ledgers apart': async ({ world }) => {
    setLedgersApart(join(world.folder, 'history.sqlite'), 'demo');
  },
  'operation ended': stage => operate(stage, { status: 'finished' }),
  'operation failed': stage => operate(stage, { status: 'failed', failures_count: 1 }),
  'operation stuck': stage => operate(stage, { status: 'running' }),
  'attempts failed': stage => operate(stage, { status: 'running', failures_count: 4 }),
  'project created': async stage => {
    await createProject(stage, 'made while watched');
  },
  'project gone': async stage => {
    const { project_id } = await createProject(stage, 'deleted while watched');
    await stage.world.call('DELETE', `/projects/${project_id}`);
  },
  'endpoint woken': async stage => {
    const { project_id, endpoint_id } = await createProject(stage, 'woken while watched');
    const start = { action: 'start_compute', status: 'finished', endpoint_id } as const;
    await addOperation(stage, project_id, start);
  },
  'endpoint never suspends': async stage => {
    const { endpoint_id } = await createProject(stage, 'never asleep');
    await stage.world.call('POST', `/endpoints/${endpoint_id}/connect`, { seconds: 3600 });
  },
  // Changes take seconds: the clock of the service is stopped in the midst of one.
  'endpoint in transition': async stage => {
    stage.world.freeze();
    await createProject(stage, 'waking for ever');
  },
  'endpoint disabled': async stage => {
    const { project_id, endpoint_id } = await createProject(stage, 'switched off');
    const url = `${stage.world.simulator.base_url}projects/${project_id}/endpoints/${endpoint_id}`;
    await stage.world.call('PATCH', url, { endpoint: { disabled: true } });
  },
  'key created': async stage => {
    await createKey(stage, 'made while watched');
  },
  'key revoked': async stage => {
    const { id } = await createKey(stage, 'revoked while watched');
    await revokeKey(stage, id);
  },
  'key address changed': async stage => {
    const key = await createKey(stage, 'wandering');
    await useKey(stage, key, '127.0.0.1');
    await useKey(stage, key, '127.0.0.2');
  },
  'later service': answerAsLater,
};

async function operate(stage: Stage, fields: { readonly status: string; readonly failures_count?: number }) {
  const { project_id } = await firstProject(stage);
  await addOperation(stage, project_id, { action: 'apply_config', ...fields });
}
