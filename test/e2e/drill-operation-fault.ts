import { vi } from 'vitest';
import { usualOperationDuration } from '../../dashboards/rules/recording-rule.ts';
import { anyAction } from '../../src/resources/operation.ts';
import { addOperation, createProject, type Stage } from './drill-action.ts';
import { type DrillFault, untilScraped } from './drill-injection.ts';

const account = 'main';

export const operationFaults: readonly DrillFault[] = [
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
      await vi.waitFor(
        async () => {
          await addOperation(main, project_id, { action, status: 'finished' });
          const usual = await prometheus.query(`${usualOperationDuration.name}{action="${action}"} >= 0`);
          if (usual.length === 0) throw new Error('it is not known yet how long that usually takes');
        },
        { timeout: 60_000, interval: 1000 },
      );
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

async function endOperation({ world }: Stage, id: string): Promise<void> {
  await world.call('POST', `/operations/${id}`, { status: 'finished' });
}
