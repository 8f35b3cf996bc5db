import { join } from 'node:path';
import { describe, it } from 'vitest';
import { type Sample, sampleValue } from '../support/exposition-reader.ts';
import { runReport } from '../support/report-run.ts';
import { accountOf, openDaemon, openFolder, openService } from './open-daemon.ts';

const pricing = {
  displayCurrency: 'EUR',
  billingPeriod: { kind: 'month', anchorDay: 1 },
  exchangeRates: [],
  plans: [
    {
      name: 'all',
      match: {},
      currency: 'EUR',
      prices: [{ fromAt: 0, perComputeHour: '0.16', discountPercent: '0' }],
    },
  ],
} as const;
const prices = `pricing:
  currency: EUR
  plans: [{name: all, prices: [{from: 2020-01-01, per_compute_hour: 0.16}]}]
`;

/** Figures that depend on when use was. */
const figure =
  /^dbpm_(account_(period_c|cost|forecast|findings|unpriced|reconstructed)|group_|budget_|project_period|endpoint_finding)/;

const figuresOf = (samples: readonly Sample[]) => samples.filter(({ name }) => figure.test(name));
const leftOf = (samples: readonly Sample[]) => sampleValue(samples, 'dbpm_account_import_projects_left');

describe.concurrent('the first import of an account with a long past', () => {
  it('shows no use and no cost before it is done, and what they truly were right after', async ({
    expect,
    onTestFinished,
  }) => {
    const service = await openService(onTestFinished, { seed: 3, projects: 4, historyDays: 150 });
    // So slow that reports are made while it lasts, however busy the machine is.
    await service.fault({ match: 'GET /projects/*/operations', delay_ms: 2000 });
    const folder = openFolder(onTestFinished);
    const daemon = await openDaemon(onTestFinished, [accountOf(service, { requestsPerMinute: 600 })], {
      folder,
      pricing,
    });
    const file = join(folder, 'dbpm.sqlite');
    const report = (kind: string) => runReport(kind, { file, now: Date.now(), config: prices });
    const seen: (readonly Sample[])[] = [];
    await daemon.until(samples => {
      seen.push(samples);
      expect(leftOf(samples)).toBeGreaterThan(0);
    });
    expect(await daemon.read('/')).toMatch(/importing: \d projects? left/);
    const during = await Promise.all(['usage', 'cost', 'findings'].map(report));
    await service.clearFaults();
    // Use is refreshed once an hour here, so that only the end of the import brings a cost.
    const samples = await daemon.until(found => {
      seen.push(found);
      expect(sampleValue(found, 'dbpm_account_cost_total', { currency: 'EUR' })).toBeDefined();
    });
    for (const { exitCode, stdout } of during) {
      expect(stdout).toMatch(
        /Account main is still being imported: the operations of \d of 4 projects are left\. [,.\d]+ compute hours that \d projects? used before [-\d]+ [:\d]+ are left out until then/,
      );
      expect(exitCode).toBe(3);
    }
    const importing = seen.filter(each => leftOf(each) !== 0);
    expect(importing.length).toBeGreaterThan(2);
    expect(importing.flatMap(figuresOf)).toEqual([]);
    const { projects } = await service.tellTruth();
    const used = projects.reduce((sum, project) => sum + project.cpu_used_sec_ever, 0);
    expect(sampleValue(samples, 'dbpm_account_cost_total')).toBeCloseTo((used / 3600) * 0.16, 4);
    const cost = sampleValue(samples, 'dbpm_account_period_cost') ?? 0;
    expect(sampleValue(samples, 'dbpm_account_unplaced_compute_seconds')).toBe(0);
    const after = await report('cost');
    expect([after.exitCode, after.stdout.includes('to be imported')]).toEqual([0, false]);
    expect(after.stdout).toContain(cost.toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ','));
    expect(await daemon.read('/')).not.toContain('importing:');
  });
});
