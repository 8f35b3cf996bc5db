import { expect, vi } from 'vitest';
import { sampleValue } from '../support/exposition-reader.ts';
import { setLedgersApart, setMeterUnusual } from '../support/written-meter.ts';
import { firstProject, raiseCounters } from './drill-action.ts';
import { type DrillFault, drillPatience } from './drill-injection.ts';
import { amplePrices, scarceBudgets } from './drill-world.ts';
import { serveMeter } from './metered-world.ts';

const account = 'costly';

/** Of use, its meter, its prices and its budgets. */
export const usageFaults: readonly DrillFault[] = [
  {
    alerts: [
      'DbpmUsageUnpriced',
      'DbpmBudgetExhausted',
      'DbpmBudgetBurnsFast',
      'DbpmBudgetThresholdReached',
      'DbpmBudgetBurnsSlow',
      'DbpmBudgetWillRunOut',
      'DbpmFindingsCostly',
    ],
    fault: 'prices and budgets are such as will not do',
    mended: 'there are others',
    async inject(drill) {
      drill.writeSpending(scarceBudgets);
      drill.reload();
      return {
        labels: {},
        labelsOf: {
          DbpmUsageUnpriced: { account: 'main' },
          DbpmBudgetExhausted: { budget: 'short' },
          DbpmBudgetBurnsFast: { budget: 'hasty' },
          DbpmBudgetThresholdReached: { budget: 'short' },
          DbpmBudgetBurnsSlow: { budget: 'hasty' },
          DbpmBudgetWillRunOut: { budget: 'hasty' },
          DbpmFindingsCostly: { account },
        },
        async mend() {
          drill.writeSpending(amplePrices);
          drill.reload();
        },
      };
    },
  },
  {
    alerts: ['DbpmLedgersDisagree'],
    fault: 'the meter tells of use that the counters do not',
    mended: 'it does not',
    async inject({ historyFile }) {
      const mend = setLedgersApart(historyFile, 'main');
      return { labels: { account: 'main' }, mend: async () => mend() };
    },
  },
  {
    alerts: ['DbpmMeterUnusual'],
    fault: 'the meter tells far more of a project than ever',
    mended: 'it does not',
    async inject({ stages, historyFile }) {
      const { project_id } = await firstProject(stages.costly);
      const mend = setMeterUnusual(historyFile, account, project_id);
      return { labels: { account, project_id }, mend: async () => mend() };
    },
  },
  {
    alerts: ['DbpmMeterStopped'],
    fault: 'the meter tells nothing new',
    mended: 'it is not read any more',
    async inject(drill) {
      await drill.stopDaemon();
      await serveMeter(drill.stages.main.world);
      await drill.startDaemon({ DBPM_COLLECT_CONSUMPTION: 'on' });
      return {
        labels: { account: 'main' },
        async mend() {
          await drill.stopDaemon();
          await drill.startDaemon({ DBPM_COLLECT_CONSUMPTION: 'off' });
        },
      };
    },
  },
  {
    alerts: ['DbpmUsageStale'],
    fault: 'the list of projects never comes to its end',
    mended: 'it does',
    async inject({ stages }) {
      const { world } = stages.costly;
      const body = JSON.stringify({ projects: [], unavailable_project_ids: ['slow'] });
      await world.call('POST', '/faults', { match: 'GET /projects', status: 200, body });
      return { labels: { account }, mend: async () => void (await world.call('DELETE', '/faults')) };
    },
  },
  {
    alerts: ['DbpmUsageDrift', 'DbpmUsageUnusual'],
    fault: 'a counter jumps',
    mended: 'two days are over',
    async inject({ stages: { costly } }) {
      const { world } = costly;
      const { project_id } = await firstProject(costly);
      // As much again as endpoints can use at most in the time to come: more would be held back.
      const hours = 12;
      const raised = await raiseCounters(costly, hours * 3600);
      await world.call('POST', '/advance', { seconds: hours * 3600 });
      // Read before time passes, it was used by now; a habit is one of whole hours.
      await vi.waitFor(async () => {
        const samples = await costly.scrape();
        const name = 'dbpm_project_cpu_used_reported_seconds';
        expect(sampleValue(samples, name, { project_id })).toBeGreaterThanOrEqual(
          raised.get(project_id) ?? 0,
        );
      }, drillPatience);
      await world.call('POST', '/advance', { seconds: 3600 });
      return {
        labels: { account },
        labelsOf: { DbpmUsageUnusual: { project_id } },
        mend: async () => void (await world.call('POST', '/advance', { seconds: 2 * 86_400 })),
      };
    },
  },
];
