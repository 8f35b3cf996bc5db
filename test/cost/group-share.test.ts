import { describe, expect, test } from 'vitest';
import { shareOut, showAmount } from '../../src/cost/money/money.ts';
import { sumLinesBy } from '../../src/cost/rating/cost-line.ts';
import { createCosting } from '../../src/cost/rating/costing.ts';
import { shareByGroup } from '../../src/cost/rating/group-share.ts';
import { stretch } from './line-text.ts';
import { ledgerOf } from './memory-ledger.ts';
import { bookOf, planWith, pricesOf } from './price-book-sample.ts';

const groupings = [
  {
    name: 'team',
    groups: [
      { name: 'shop', match: { projects: ['shop-*'] } },
      { name: 'web', match: { projects: ['*-web', 'shop-web'], regions: ['eu'] } },
    ],
  },
  { name: 'unit', groups: [{ name: 'sales', match: { groups: ['team/shop', 'unit/sales'] } }] },
];
const shop = { account: 'acme', project_id: 'p1', project_name: 'shop-web', region_id: 'eu' };
const web = { account: 'acme', project_id: 'p2', project_name: 'blog-web', region_id: 'eu' };
const other = { account: 'acme', project_id: 'p3', project_name: 'blog-web', region_id: 'us' };

describe('the groups of a project', () => {
  test('are of each grouping the first that matches, or the rest', () => {
    const { groupsOf } = shareByGroup(groupings);
    expect([shop, web, other].map(groupsOf)).toEqual([
      ['team/shop', 'unit/sales'],
      ['team/web', 'unit/ungrouped'],
      ['team/ungrouped', 'unit/ungrouped'],
    ]);
  });

  test('can be asked for by the groupings that follow, not by their own', () => {
    const itself = { name: 'unit', groups: [{ name: 'sales', match: { groups: ['unit/sales'] } }] };
    expect(shareByGroup([itself]).groupsOf(shop)).toEqual(['unit/ungrouped']);
  });

  test('of a grouping that is not there are none', () => {
    expect(shareByGroup(groupings).groupOf('tier', shop)).toBe('ungrouped');
  });
});

describe('the cost of a month', () => {
  const steps = [['2026-10-01', '2026-11-01', 1 / 3]] as const;
  const ledger = ledgerOf(
    [shop, web, other, { ...other, account: 'idle' }].map(project => ({ ...project, steps })),
  );
  const { groupsOf, groupOfLine } = shareByGroup(groupings);
  const book = bookOf([
    planWith({ match: { accounts: ['acme'] }, prices: pricesOf({ price: '10' }) }),
    planWith({ name: 'flat', minimum: '4', prices: pricesOf({ price: '9' }) }),
  ]);
  const costing = createCosting({ book, ledger, groupsOf });
  const october = stretch('2026-10-01', '2026-11-01');
  const lines = [...costing.usageLines(october), ...costing.chargeLines(october, october.untilAt)];

  test('is shared out by group, what no project caused to the rest', () => {
    const byTeam = sumLinesBy(lines, line => groupOfLine('team', line));
    expect([...byTeam].map(([team, { amount }]) => `${team} ${showAmount(amount, 4)}`)).toEqual([
      'shop 3.3333',
      'web 3.3333',
      'ungrouped 7.3333',
    ]);
    const amounts = [...byTeam.values()].map(({ amount }) => amount);
    expect(shareOut(amounts, 2)).toEqual(['3.34', '3.33', '7.33']);
  });

  test('is shared out by account, with the minimum of each', () => {
    const byAccount = sumLinesBy(lines, ({ account }) => account);
    expect([...byAccount].map(([account, { amount }]) => `${account} ${showAmount(amount, 2)}`)).toEqual([
      'acme 10.00',
      'idle 4.00',
    ]);
  });
});
