import { expect, test } from 'vitest';
import { accountEnv, loadInvalid, loadValid } from './loading.ts';

const given = (yaml: string) => ({
  flags: { 'config.file': 'dbpm.yaml' },
  env: accountEnv,
  files: { 'dbpm.yaml': yaml },
});

test('groupings keep the order of their groups, in which the first that matches wins', () => {
  const { config } = loadValid(
    given(`groups:
  team:
    platform: {projects: ["shop-*", proj-id], regions: [aws-eu], accounts: [main], platforms: [aws]}
    data: {projects: "dw-*"}
  2026: {ja: {regions: eu}}
`),
  );
  expect(config.groupings).toEqual([
    {
      name: 'team',
      groups: [
        {
          name: 'platform',
          match: {
            projects: ['shop-*', 'proj-id'],
            regions: ['aws-eu'],
            accounts: ['main'],
            platforms: ['aws'],
          },
        },
        { name: 'data', match: { projects: ['dw-*'] } },
      ],
    },
    { name: '2026', groups: [{ name: 'ja', match: { regions: ['eu'] } }] },
  ]);
});

test('a grouping can be of whose projects are, and a budget of one of them', () => {
  const { config } = loadValid(
    given(`groups: {whose: {by: owner}, org: {by: organisation}, by: {by: {regions: eu}}}
budgets: [{name: sea, group: whose/Quiet Sea, compute_hours: 5, per: month}]
`),
  );
  expect(config.groupings).toEqual([
    { name: 'whose', groups: [], by: 'owner' },
    { name: 'org', groups: [], by: 'organisation' },
    { name: 'by', groups: [{ name: 'by', match: { regions: ['eu'] } }] },
  ]);
  expect(config.budgets[0]?.scope).toEqual({ kind: 'group', grouping: 'whose', group: 'Quiet Sea' });
  const budget = 'budgets: [{name: sea, group: whose/, compute_hours: 5, per: month}]\n';
  expect(loadInvalid(given(`groups: {whose: {by: owner}}\n${budget}`))).toEqual([
    'dbpm.yaml:2: budgets[0].group: found "whose/", write whose/*',
  ]);
  expect(loadInvalid(given('groups: {whose: {by: region, team: {regions: eu}}}\n'))).toEqual([
    'dbpm.yaml:1: groups.whose.by: found "region", write one of owner, organisation',
    'dbpm.yaml:1: groups.whose.team: found an unknown setting, write one of by',
  ]);
});

test('budgets are of an account, a group or projects, in money or compute hours', () => {
  const { config } = loadValid(
    given(`pricing:
  currency: USD
  plans: [{name: scale, prices: [{from: 2026-01-01, per_compute_hour: 0.16}]}]
groups: {team: {platform: {projects: ["shop-*"]}}}
budgets:
  - {name: everything, account: main, amount: 500, per: billing}
  - {name: platform, group: team/platform, compute_hours: "300.50", per: month}
  - {name: shop, projects: ["shop-*"], amount: 20, per: week}
  - {name: one, projects: proj-id, compute_hours: 0.5, per: day}
`),
  );
  expect(config.budgets).toEqual([
    {
      name: 'everything',
      scope: { kind: 'account', account: 'main' },
      limit: { kind: 'money', amount: '500' },
      per: 'billing',
    },
    {
      name: 'platform',
      scope: { kind: 'group', grouping: 'team', group: 'platform' },
      limit: { kind: 'compute', computeHours: '300.50' },
      per: 'month',
    },
    {
      name: 'shop',
      scope: { kind: 'projects', projects: ['shop-*'] },
      limit: { kind: 'money', amount: '20' },
      per: 'week',
    },
    {
      name: 'one',
      scope: { kind: 'projects', projects: ['proj-id'] },
      limit: { kind: 'compute', computeHours: '0.5' },
      per: 'day',
    },
  ]);
});

test('a budget has thresholds of its own, as parts of its limit', () => {
  const { config } = loadValid(
    given(`budgets:
  - {name: own, account: main, compute_hours: 5, per: day, alert_at: [80%, 7.5%, "80%"], projected_at: 120%}
  - {name: silent, account: main, compute_hours: 5, per: day, alert_at: [], projected_at: []}
`),
  );
  expect(config.budgets.map(({ thresholds }) => thresholds)).toEqual([
    { spent: [0.075, 0.8], projected: [1.2] },
    { spent: [], projected: [] },
  ]);
});

const budget = 'budgets:\n  - {name: all, account: second, compute_hours: 5, per: month}\n';

test('an account of the environment is configured like one of the file', () => {
  const { config } = loadValid({ ...given(budget), env: { ...accountEnv, DBPM_ACCOUNT_NAME: 'second' } });
  expect(config.budgets).toHaveLength(1);
  expect(loadInvalid(given(budget))).toEqual(['dbpm.yaml:2: budgets[0].account: found "second", write main']);
});

test('accounts that could not be read are not said to be missing', () => {
  expect(loadInvalid({ ...given(`accounts: second\n${budget}`), env: {} })).toEqual([
    'dbpm.yaml:1: accounts: found a single value, write a list, each account after a "- "',
  ]);
});

test('a group that is wrong itself is not also said to be missing', () => {
  const groups = 'groups: {team: {platform: {projects: []}}}\n';
  const budgets = 'budgets:\n  - {name: all, group: team/platform, compute_hours: 5, per: month}\n';
  expect(loadInvalid(given(groups + budgets))).toEqual([
    'dbpm.yaml:1: groups.team.platform.projects: found nothing, write a list of names or ids of projects, where * stands for anything',
  ]);
});

test('hours may be kept for as long as samples, whoever says so', () => {
  const { config } = loadValid({
    ...given('history:\n  keep_samples: 30d\n  keep_hours: 30d\n'),
    env: { ...accountEnv, DBPM_HISTORY_KEEP_DAYS: '30d' },
  });
  expect([config.history.keepHoursMs, config.history.keepDaysMs]).toEqual([2_592_000_000, 2_592_000_000]);
  expect(loadInvalid({ env: { ...accountEnv, DBPM_HISTORY_KEEP_DAYS: '399d' } })).toEqual([
    'environment: DBPM_HISTORY_KEEP_DAYS: found 399d, shorter than history.keep_hours (default: 400d), write 400d or more',
  ]);
});
