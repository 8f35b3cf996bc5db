import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readSamples } from '../support/exposition-reader.ts';
import { patience } from '../support/patience.ts';
import { describeWithPeers } from '../support/peer.ts';
import { type Prometheus, startPrometheus } from '../support/prometheus.ts';
import { type SimulatedWorld, startWorld } from './simulated-world.ts';

/** A compact page counts the failures of all actions together. */
const modes = [
  { mode: 'full', counted: 'apply_config' },
  { mode: 'compact', counted: 'any' },
] as const;

const describeFirstFailure = ({ mode, counted }: (typeof modes)[number]) =>
  describeWithPeers(
    ['prometheus'],
    `the first failure of a new project, ${mode}`,
    ({ prometheus: binary }) => {
      let world: SimulatedWorld;
      let prometheus: Prometheus;
      let url: string;

      beforeAll(async () => {
        world = await startWorld({ projects: 3, historyDays: 1 });
        url = await world.startDaemon({ DBPM_SERIES_MODE: mode }).untilServing();
        prometheus = await startPrometheus(binary, { dbpm: `${url}/metrics` });
        await vi.waitFor(async () => {
          expect(await prometheus.query('count(dbpm_project_info) == 3')).toHaveLength(1);
        }, patience);
      });

      afterAll(async () => {
        await prometheus?.close();
        await world?.close();
      });

      const createProject = async (name: string) => {
        const { id } = (await world.call('POST', '/projects', { name })) as { id: string };
        return id;
      };
      const fail = (project_id: string) =>
        world.call('POST', '/operations', { project_id, action: 'apply_config', status: 'failed' });
      const values = async (expression: string) =>
        (await prometheus.query(expression)).map(({ value }) => value);

      /** The failed operations of a project as the daemon shows them now. */
      const countOf = async (project_id: string) => {
        const samples = await readSamples(url);
        return samples.find(
          ({ name, labels }) =>
            name === 'dbpm_operations_total' &&
            labels.project_id === project_id &&
            labels.action === counted &&
            labels.status === 'failed',
        )?.value;
      };

      test('is seen by increase() when the project was shown a moment before it', async () => {
        const project_id = await createProject('shown first');
        const failed = `dbpm_operations_total{project_id="${project_id}", action="${counted}", status="failed"}`;
        await vi.waitFor(async () => expect(await values(failed)).toEqual([0]), patience);
        await fail(project_id);
        await vi.waitFor(
          async () => expect(await values(`increase(${failed}[1m]) > 0`)).toHaveLength(1),
          patience,
        );
      });

      test('is seen by its timestamp alone when project and failure appear between the same two readings', async () => {
        await world.call('POST', '/faults', { match: 'GET /projects', status: 500 });
        const project_id = await createProject('shown with its failure');
        const fromAt = Math.floor(Date.now() / 1000);
        await fail(project_id);
        const untilAt = Math.ceil(Date.now() / 1000);
        const failed = `dbpm_operations_total{project_id="${project_id}", action="${counted}", status="failed"}`;
        // No scrape comes in between.
        prometheus.standStill();
        await world.call('DELETE', '/faults');
        await vi.waitFor(async () => expect(await countOf(project_id)).toBe(1), patience);
        prometheus.goOn();
        const selector = `{project_id="${project_id}", action="apply_config"}`;
        const lastFailure = `dbpm_operation_last_failure_timestamp_seconds${selector}`;
        const shownAt = await vi.waitFor(async () => {
          expect(await values(`time() - ${lastFailure} < 120`)).toHaveLength(1);
          const [shown = 0] = await values(lastFailure);
          expect(shown).toBeGreaterThan(0);
          return shown;
        }, patience);
        expect(shownAt).toBeGreaterThanOrEqual(fromAt - 1);
        expect(shownAt).toBeLessThanOrEqual(untilAt + 1);
        await vi.waitFor(async () => expect(await values(failed)).toEqual([1]), patience);
        expect(await values(`increase(${failed}[1m]) > 0`)).toEqual([]);
      });
    },
  );

modes.forEach(describeFirstFailure);
