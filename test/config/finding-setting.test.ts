import { expect, test } from 'vitest';
import { renderProblem } from '../../src/config/problem.ts';
import { accountEnv, loadValid } from './loading.ts';

const given = (yaml: string) => ({
  flags: { 'config.file': 'dbpm.yaml' },
  env: accountEnv,
  files: { 'dbpm.yaml': yaml },
});

test('findings are ignored by project, by kind, and until a date', () => {
  const { config, effective } = loadValid(
    given(`findings:
  smallest_suspend_delay: 1m
  least_compute_hours: 2.5
  least_amount: 10
  unused_branch_after: 30d
  least_unused_branches: 5
  ignore:
    - {projects: ["shop-*", dw], kinds: [woken_on_period, branch_sprawl], until: 2026-12-31}
    - {kinds: floor_size}
    - {projects: [old]}
pricing:
  currency: USD
  plans: [{name: scale, smallest_suspend_delay: 90s, prices: [{from: 2026-01-01, per_compute_hour: 0.16}]}]
`),
  );
  expect(config.findings).toEqual({
    smallestSuspendDelayMs: 60_000,
    leastComputeHours: 2.5,
    leastAmount: 10,
    unusedBranchAfterMs: 30 * 86_400_000,
    leastUnusedBranches: 5,
  });
  expect(config.ignoredFindings).toEqual([
    {
      projects: ['shop-*', 'dw'],
      kinds: ['woken_on_period', 'branch_sprawl'],
      untilAt: Date.parse('2026-12-31T00:00:00Z'),
    },
    { kinds: ['floor_size'] },
    { projects: ['old'] },
  ]);
  expect(config.pricing?.plans[0]?.smallestSuspendDelayMs).toBe(90_000);
  expect(effective.find(({ key }) => key === 'findings.ignore[1]')).toEqual({
    key: 'findings.ignore[1]',
    text: '{kinds: floor_size}',
    from: 'dbpm.yaml:9',
  });
});

test('without settings no delay below five minutes is advised, and nothing is ignored', () => {
  const { config } = loadValid(given('usage: {timezone: UTC}'));
  expect(config.findings).toEqual({
    smallestSuspendDelayMs: 300_000,
    leastComputeHours: 1,
    leastAmount: 0,
    unusedBranchAfterMs: 14 * 86_400_000,
    leastUnusedBranches: 3,
  });
  expect(config.ignoredFindings).toEqual([]);
});

test('a date until which findings were ignored is warned of once it is over', () => {
  const { warnings } = loadValid(
    given(`findings:
  ignore:
    - {kinds: [idle_tail], until: 2026-10-16}
    - {kinds: [woken_on_period], until: 2026-10-15}
    - projects: [old]
      until: 2026-01-01
`),
  );
  expect(warnings.map(renderProblem)).toEqual([
    'dbpm.yaml:4: findings.ignore[1].until: found 2026-10-15, which is over: these findings are shown again, leave the entry out, or write a later date',
    'dbpm.yaml:6: findings.ignore[2].until: found 2026-01-01, which is over: these findings are shown again, leave the entry out, or write a later date',
  ]);
});
