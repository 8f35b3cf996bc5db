import { describe, expect, test } from 'vitest';
import { catalog } from '../../src/resources/catalog.ts';
import { collectors } from '../../src/resources/collector.ts';
import { selectFamilies } from '../../src/resources/family-selection.ts';
import type { PricedProjectFinding } from '../../src/resources/finding.ts';
import { usageLinesOf } from '../support/page-text.ts';
import {
  bareUse,
  sampleFinding,
  sampleUsage,
  sampleUse,
  withBudget,
  withUse,
} from '../support/sample-usage.ts';

const startAt = Date.UTC(2026, 0, 1) / 1000;
const untilAt = startAt + 31 * 86_400;

describe('an account', () => {
  test('without a price book has what it used, until when that is known, and no money', () => {
    expect(usageLinesOf(withUse({ computeSeconds: 9000 }), 'dbpm_')).toEqual([
      `dbpm_account_usage_known_timestamp_seconds{account="main"} ${startAt}`,
      `dbpm_account_period_start_timestamp_seconds{account="main"} ${startAt}`,
      `dbpm_account_period_end_timestamp_seconds{account="main"} ${untilAt}`,
      'dbpm_account_period_compute_seconds{account="main"} 9000',
      'dbpm_account_unplaced_compute_seconds{account="main"} 0',
    ]);
  });

  test('with one has what that costs, and what has no price', () => {
    expect(usageLinesOf(sampleUsage, 'dbpm_account_cost')).toEqual([
      'dbpm_account_cost_total{account="main",currency="EUR"} 12.75',
    ]);
    expect(usageLinesOf(sampleUsage, 'dbpm_account_unpriced')).toEqual([
      'dbpm_account_unpriced_compute_seconds_total{account="main"} 1500',
    ]);
    expect(usageLinesOf(sampleUsage, 'dbpm_account_period')).toEqual([
      `dbpm_account_period_start_timestamp_seconds{account="main"} ${startAt}`,
      `dbpm_account_period_end_timestamp_seconds{account="main"} ${untilAt}`,
      'dbpm_account_period_compute_seconds{account="main"} 9000',
      'dbpm_account_period_cost{account="main",currency="EUR"} 0.4',
      'dbpm_account_period_line_cost{account="main",currency="EUR",line="compute"} 0.25',
      'dbpm_account_period_line_cost{account="main",currency="EUR",line="storage"} 0.1',
      'dbpm_account_period_line_cost{account="main",currency="EUR",line="base_fee"} 0.05',
      'dbpm_account_period_unpriced_compute_seconds{account="main"} 600',
    ]);
    expect(usageLinesOf(sampleUsage, 'dbpm_account_unplaced')).toEqual([
      'dbpm_account_unplaced_compute_seconds{account="main"} 240',
    ]);
    expect(usageLinesOf(sampleUsage, 'dbpm_account_usage_known')).toEqual([
      `dbpm_account_usage_known_timestamp_seconds{account="main"} ${startAt + 37_800}`,
    ]);
  });

  test('has a forecast with its bounds, and how wrong such forecasts were', () => {
    expect(usageLinesOf(sampleUsage, 'dbpm_account_forecast')).toEqual([
      'dbpm_account_forecast_compute_seconds{account="main",bound="expected"} 500000',
      'dbpm_account_forecast_compute_seconds{account="main",bound="low80"} 450000',
      'dbpm_account_forecast_compute_seconds{account="main",bound="high80"} 560000',
      'dbpm_account_forecast_compute_seconds{account="main",bound="low95"} 400000',
      'dbpm_account_forecast_compute_seconds{account="main",bound="high95"} 620000',
      'dbpm_account_forecast_cost{account="main",currency="EUR",bound="expected"} 22.5',
      'dbpm_account_forecast_cost{account="main",currency="EUR",bound="low80"} 20.25',
      'dbpm_account_forecast_cost{account="main",currency="EUR",bound="high80"} 25',
      'dbpm_account_forecast_cost{account="main",currency="EUR",bound="low95"} 18',
      'dbpm_account_forecast_cost{account="main",currency="EUR",bound="high95"} 28',
      'dbpm_account_forecast_error_ratio{account="main",method="forecast"} 0.05',
      'dbpm_account_forecast_error_ratio{account="main",method="run_rate"} 0.125',
      'dbpm_account_forecast_coverage_ratio{account="main"} 0.8',
    ]);
  });

  test('has what both ledgers say', () => {
    expect(usageLinesOf(sampleUsage, 'dbpm_account_re')).toEqual([
      'dbpm_account_reported_compute_seconds{account="main"} 3600',
      'dbpm_account_reconstructed_compute_seconds{account="main",bound="lower"} 3000',
      'dbpm_account_reconstructed_compute_seconds{account="main",bound="upper"} 4000',
    ]);
  });

  test('has the projects whose awake time drifts, and nothing of a meter that there is none of', () => {
    const awakeDrifts = [
      { account: 'main', project_id: 'shop', driftSeconds: -7200, likelyWrong: 'reconstructed' },
    ] as const;
    expect(
      ['dbpm_account_ledger', 'dbpm_project_ledger'].flatMap(prefix =>
        usageLinesOf(withUse({ awakeDrifts }), prefix),
      ),
    ).toEqual([
      'dbpm_account_ledger_drift_projects{account="main",likely_wrong="reconstructed"} 1',
      'dbpm_account_ledger_drift_projects{account="main",likely_wrong="active_time"} 0',
      'dbpm_project_ledger_drift_awake_seconds{account="main",project_id="shop",likely_wrong="reconstructed"} -7200',
    ]);
    expect(usageLinesOf(sampleUsage, 'dbpm_account_ledger')).toEqual([]);
  });

  test.each([
    { reported: 3000, drift: 1 },
    { reported: 4000, drift: 1 },
    { reported: 5000, drift: 1.25 },
    { reported: 1500, drift: 0.5 },
    { reported: 0, drift: 0 },
  ])(
    'that reports $reported seconds where 3000 to 4000 can have been used drifts by $drift',
    ({ reported, drift }) => {
      const reconstruction = {
        reportedComputeSeconds: reported,
        lowerComputeSeconds: 3000,
        upperComputeSeconds: 4000,
      };
      expect(usageLinesOf(withUse({ reconstruction }), 'dbpm_account_usage_drift')).toEqual([
        `dbpm_account_usage_drift_ratio{account="main"} ${drift}`,
      ]);
    },
  );

  test.each([
    { reported: 0, drift: [1] },
    { reported: 5, drift: [] },
  ])('that reports $reported seconds while nothing was awake drifts by $drift', ({ reported, drift }) => {
    const reconstruction = {
      reportedComputeSeconds: reported,
      lowerComputeSeconds: 0,
      upperComputeSeconds: 0,
    };
    expect(usageLinesOf(withUse({ reconstruction }), 'dbpm_account_usage_drift')).toEqual(
      drift.map(ratio => `dbpm_account_usage_drift_ratio{account="main"} ${ratio}`),
    );
  });
});

test('groups have what they used and what it costs, without a price book what they used', () => {
  expect(usageLinesOf(sampleUsage, 'dbpm_group')).toEqual([
    'dbpm_group_period_compute_seconds{account="main",grouping="team",group="web"} 6000',
    'dbpm_group_period_compute_seconds{account="main",grouping="team",group="ungrouped"} 3000',
    'dbpm_group_period_cost{account="main",grouping="team",group="web",currency="EUR"} 0.3',
    'dbpm_group_period_cost{account="main",grouping="team",group="ungrouped",currency="EUR"} 0.1',
    'dbpm_group_period_line_cost{account="main",grouping="team",group="web",currency="EUR",line="compute"} 0.3',
  ]);
  const groups = [{ account: 'main', grouping: 'team', group: 'web', computeSeconds: 6000 }];
  expect(usageLinesOf(withUse({ groups }), 'dbpm_group')).toEqual([
    'dbpm_group_period_compute_seconds{account="main",grouping="team",group="web"} 6000',
  ]);
});

test('a project has what it costs, and what is unusual while it is', () => {
  expect(usageLinesOf(sampleUsage, 'dbpm_project')).toEqual([
    'dbpm_project_period_cost{account="main",project_id="shop",currency="EUR"} 0.3',
    'dbpm_project_period_cost{account="main",project_id="blog",currency="EUR"} 0.1',
    'dbpm_project_period_line_cost{account="main",project_id="shop",currency="EUR",line="compute"} 0.2',
    'dbpm_project_period_line_cost{account="main",project_id="shop",currency="EUR",line="transfer"} 0.1',
    'dbpm_project_unusual_compute_seconds{account="main",project_id="shop"} 5400',
    'dbpm_project_unusual_transfer_bytes{account="main",project_id="shop",network="public"} 64000000000',
    'dbpm_project_unusual_storage_growth_bytes{account="main",project_id="shop",kind="root_branch"} 20000000000',
    'dbpm_project_unusual_extra_branches{account="main",project_id="shop"} 12',
    'dbpm_project_finding_branches{account="main",project_id="shop",finding="branch_sprawl"} 7',
    'dbpm_project_finding_cost_per_month{account="main",project_id="shop",finding="branch_sprawl",currency="EUR"} 10.5',
    'dbpm_project_finding_bound_cost_per_month{account="main",project_id="shop",finding="branch_sprawl",currency="EUR",bound="likely"} 10.5',
    'dbpm_project_finding_bound_cost_per_month{account="main",project_id="shop",finding="branch_sprawl",currency="EUR",bound="at_most"} 14',
  ]);
  const compact = selectFamilies(catalog, { mode: 'compact', exclude: [], collectors });
  expect(usageLinesOf(sampleUsage, 'dbpm_project', compact)).toEqual([
    'dbpm_project_unusual_compute_seconds{account="main",project_id="shop"} 5400',
  ]);
});

describe('findings', () => {
  test('are absent until they were looked for, and 0 where there are none', () => {
    expect(usageLinesOf(withUse({ currency: 'EUR' }), 'dbpm_account_findings')).toEqual([]);
    expect(usageLinesOf(withUse({ findings: [] }), 'dbpm_account_findings')).toEqual([
      ...kindLines('dbpm_account_findings', {}),
      ...kindLines('dbpm_account_findings_compute_seconds_per_month', {}),
      ...kindLines('dbpm_account_findings_bound_compute_seconds_per_month', {}, ',bound="likely"'),
      ...kindLines('dbpm_account_findings_bound_compute_seconds_per_month', {}, ',bound="at_most"'),
    ]);
  });

  test('are counted and added up by kind, every kind born at 0', () => {
    const findings = [
      sampleFinding,
      // Nothing shows what is likely: no sum of likely figures has it.
      { ...sampleFinding, endpoint_id: 'ep-2', hoursPerMonth: { most: 5 }, costPerMonth: { most: 0.75 } },
      {
        ...sampleFinding,
        kind: 'idle_tail' as const,
        hoursPerMonth: { likely: 1.5, most: 2 },
        costPerMonth: { likely: 0.25, most: 0.5 },
      },
    ];
    const use = withUse({ currency: 'EUR', findings });
    expect(usageLinesOf(use, 'dbpm_account_findings')).toEqual([
      ...kindLines('dbpm_account_findings', { woken_on_period: 2, idle_tail: 1 }),
      ...kindLines('dbpm_account_findings_compute_seconds_per_month', {
        woken_on_period: 54_000,
        idle_tail: 5400,
      }),
      ...kindLines(
        'dbpm_account_findings_bound_compute_seconds_per_month',
        { woken_on_period: 54_000, idle_tail: 5400 },
        ',bound="likely"',
      ),
      ...kindLines(
        'dbpm_account_findings_bound_compute_seconds_per_month',
        { woken_on_period: 108_000, idle_tail: 7200 },
        ',bound="at_most"',
      ),
      ...kindLines(
        'dbpm_account_findings_cost_per_month',
        { woken_on_period: 2.4, idle_tail: 0.25 },
        ',currency="EUR"',
      ),
      ...kindLines(
        'dbpm_account_findings_bound_cost_per_month',
        { woken_on_period: 2.4, idle_tail: 0.25 },
        ',currency="EUR",bound="likely"',
      ),
      ...kindLines(
        'dbpm_account_findings_bound_cost_per_month',
        { woken_on_period: 4.75, idle_tail: 0.5 },
        ',currency="EUR",bound="at_most"',
      ),
    ]);
  });

  test('that are done are counted and added up like open ones, and are absent until they were looked for', () => {
    const { advice: _gone, hoursPerMonth: claimedHoursPerMonth, ...finding } = sampleFinding;
    const doneFindings = [
      {
        ...finding,
        ...{ doneAt: startAt * 1000, measuredFromAt: startAt * 1000 },
        ...{
          ...(claimedHoursPerMonth && { claimedHoursPerMonth }),
          computeHoursPerMonth: 15,
          costPerMonth: 2.4,
        },
      },
    ];
    expect(usageLinesOf(withUse({ currency: 'EUR', doneFindings }), 'dbpm_account_findings_done')).toEqual([
      ...kindLines('dbpm_account_findings_done', { woken_on_period: 1 }),
      ...kindLines('dbpm_account_findings_done_compute_seconds_per_month', { woken_on_period: 54_000 }),
      ...kindLines('dbpm_account_findings_done_cost_per_month', { woken_on_period: 2.4 }, ',currency="EUR"'),
    ]);
    expect(usageLinesOf(withUse({ findings: [] }), 'dbpm_account_findings_done')).toEqual([]);
  });

  test('of an endpoint say what each would save, likely and at most', () => {
    expect(usageLinesOf(sampleUsage, 'dbpm_endpoint')).toEqual([
      'dbpm_endpoint_finding_compute_seconds_per_month{account="main",project_id="shop",endpoint_id="ep-1",finding="woken_on_period"} 54000',
      'dbpm_endpoint_finding_bound_compute_seconds_per_month{account="main",project_id="shop",endpoint_id="ep-1",finding="woken_on_period",bound="likely"} 54000',
      'dbpm_endpoint_finding_bound_compute_seconds_per_month{account="main",project_id="shop",endpoint_id="ep-1",finding="woken_on_period",bound="at_most"} 90000',
      'dbpm_endpoint_finding_cost_per_month{account="main",project_id="shop",endpoint_id="ep-1",finding="woken_on_period",currency="EUR"} 2.4',
      'dbpm_endpoint_finding_bound_cost_per_month{account="main",project_id="shop",endpoint_id="ep-1",finding="woken_on_period",currency="EUR",bound="likely"} 2.4',
      'dbpm_endpoint_finding_bound_cost_per_month{account="main",project_id="shop",endpoint_id="ep-1",finding="woken_on_period",currency="EUR",bound="at_most"} 4',
    ]);
  });

  test('of which too little is known have no amount, and none that is likely where nothing shows it', () => {
    const { hoursPerMonth: _hours, costPerMonth: _cost, ...unknown } = sampleFinding;
    expect(usageLinesOf(withUse({ currency: 'EUR', findings: [unknown] }), 'dbpm_endpoint')).toEqual([]);
    const upTo = { ...unknown, hoursPerMonth: { most: 2 } };
    expect(usageLinesOf(withUse({ findings: [upTo] }), 'dbpm_endpoint')).toEqual([
      'dbpm_endpoint_finding_bound_compute_seconds_per_month{account="main",project_id="shop",endpoint_id="ep-1",finding="woken_on_period",bound="at_most"} 7200',
    ]);
  });

  test('without a price have no money, and are not taken for free ones', () => {
    const { costPerMonth: _, ...unpriced } = sampleFinding;
    const use = withUse({ currency: 'EUR', findings: [unpriced, { ...sampleFinding, endpoint_id: 'ep-2' }] });
    expect(usageLinesOf(use, 'dbpm_endpoint_finding_cost')).toHaveLength(1);
    expect(usageLinesOf(use, 'dbpm_account_findings_cost')[3]).toBe(
      'dbpm_account_findings_cost_per_month{account="main",finding="woken_on_period",currency="EUR"} 2.4',
    );
  });
});

test('branches cost what is known of them, and nothing is said before they were read', () => {
  const [priced] = sampleUse.branchFindings ?? [];
  if (priced === undefined) throw new Error('there is no sample');
  const { costPerMonth: _none, ...unpriced } = { ...priced, project_id: 'blog' };
  const shown = (branchFindings?: readonly PricedProjectFinding[]) =>
    usageLinesOf(
      withUse({ currency: 'EUR', ...(branchFindings && { branchFindings }) }),
      'dbpm_account_findings_cost_per_month',
    ).filter(line => line.includes('branch_sprawl'));
  const line = (cost: number) =>
    `dbpm_account_findings_cost_per_month{account="main",finding="branch_sprawl",currency="EUR"} ${cost}`;
  expect(shown()).toEqual([]);
  expect(shown([])).toEqual([line(0)]);
  expect(shown([unpriced])).toEqual([]);
  expect(shown([unpriced, priced])).toEqual([line(10.5)]);
  expect(
    usageLinesOf(withUse({ currency: 'EUR', branchFindings: [unpriced] }), 'dbpm_project_finding'),
  ).toEqual(['dbpm_project_finding_branches{account="main",project_id="blog",finding="branch_sprawl"} 7']);
});

describe('a budget', () => {
  test('says how it stands, how fast it is spent, and when it runs out', () => {
    expect(usageLinesOf(sampleUsage, 'dbpm_budget')).toEqual([
      'dbpm_budget_limit{budget="web",unit="EUR"} 40',
      'dbpm_budget_spent{budget="web",unit="EUR"} 10',
      'dbpm_budget_used_ratio{budget="web"} 0.25',
      'dbpm_budget_projected_ratio{budget="web"} 1.25',
      'dbpm_budget_projected_bound_ratio{budget="web",bound="low80"} 1.125',
      'dbpm_budget_projected_bound_ratio{budget="web",bound="high80"} 1.4',
      'dbpm_budget_projected_bound_ratio{budget="web",bound="low95"} 1.05',
      'dbpm_budget_projected_bound_ratio{budget="web",bound="high95"} 1.5',
      'dbpm_budget_threshold_ratio{budget="web",kind="spent",threshold="50%"} 0.5',
      'dbpm_budget_threshold_ratio{budget="web",kind="spent",threshold="80%"} 0.8',
      'dbpm_budget_threshold_ratio{budget="web",kind="spent",threshold="100%"} 1',
      'dbpm_budget_threshold_ratio{budget="web",kind="projected",threshold="100%"} 1',
      'dbpm_budget_threshold_ratio{budget="web",kind="projected",threshold="112.5%"} 1.125',
      'dbpm_budget_burn_rate_ratio{budget="web",window="1h"} 1.5',
      'dbpm_budget_burn_rate_ratio{budget="web",window="6h"} 0.5',
      'dbpm_budget_burn_rate_ratio{budget="web",window="1d"} 1.125',
      'dbpm_budget_burn_rate_ratio{budget="web",window="3d"} 1.25',
      `dbpm_budget_exhausted_timestamp_seconds{budget="web"} ${startAt + 600 * 3600}`,
      `dbpm_budget_period_start_timestamp_seconds{budget="web"} ${startAt}`,
      `dbpm_budget_period_end_timestamp_seconds{budget="web"} ${untilAt}`,
    ]);
  });

  test('of nothing has no projected part of it', () => {
    expect(usageLinesOf(withBudget({ limit: 0 }), 'dbpm_budget_projected')).toEqual([]);
  });
});

test('two accounts have samples of their own', () => {
  const view = { accounts: [bareUse, { ...bareUse, account: 'other' }], budgets: [] };
  expect(usageLinesOf(view, 'dbpm_account_period_compute')).toEqual([
    'dbpm_account_period_compute_seconds{account="main"} 0',
    'dbpm_account_period_compute_seconds{account="other"} 0',
  ]);
});

/** A line for each kind of finding, with these values and 0 for the others. */
function kindLines(name: string, values: Readonly<Record<string, number>>, more = ''): readonly string[] {
  const kinds = [
    'awake_unused',
    'woken_by_checks',
    'never_suspends',
    'woken_on_period',
    'idle_tail',
    'longer_than_needed',
    'floor_size',
  ];
  return kinds.map(kind => `${name}{account="main",finding="${kind}"${more}} ${values[kind] ?? 0}`);
}
