import { expect, test } from 'vitest';
import { loadPriceBook } from '../../src/config/load-price-book.ts';
import { renderProblem } from '../../src/config/problem.ts';

function load(text: string | Error) {
  const readFile = () => {
    if (text instanceof Error) throw text;
    return { text, readableByAll: true };
  };
  const now = Date.parse('2026-10-15T12:00:00Z');
  const groupings = [{ name: 'team', groups: [{ name: 'platform', match: { projects: ['shop-*'] } }] }];
  return loadPriceBook('other.yaml', { readFile, groupings, accounts: ['main'], now });
}

function problemsOf(text: string | Error): string[] {
  const loaded = load(text);
  return 'problems' in loaded ? loaded.problems.map(renderProblem) : ['none'];
}

test('another price book knows the groups of the configuration and warns as that does', () => {
  const loaded = load(`pricing:
  currency: USD
  plans:
    - name: serverless
      match: {groups: [team/platform]}
      prices: [{from: 2026-01-01, to: 2026-10-01, per_compute_hour: 0.2}]
`);
  expect(loaded).toMatchObject({ pricing: { displayCurrency: 'USD', plans: [{ name: 'serverless' }] } });
  expect('warnings' in loaded && loaded.warnings.map(renderProblem)).toEqual([
    'other.yaml:6: pricing.plans[0].prices[0]: found the last price, which has ended: usage from 2026-10-01 on is unpriced, write a price from 2026-10-01',
  ]);
});

test('all that is wrong with another price book is found at once, also what has no place in it', () => {
  expect(
    problemsOf(`log: {level: info}
pricing:
  currency: USD
  plans: [{name: serverless, match: {groups: [team/data]}, prices: [{from: 2026-01-01}]}]
budgets: [{name: all}]
acounts: []
`),
  ).toEqual([
    'other.yaml:1: log.level: found a setting that changes no price, keep the section pricing alone in this file',
    'other.yaml:4: pricing.plans[0].match.groups[0]: found "team/data", write team/platform',
    'other.yaml:4: pricing.plans[0].prices[0].per_compute_hour: found nothing, write a number such as 0.16, of at most 18 digits, without an exponent',
    'other.yaml:5: budgets: found a setting that changes no price, keep the section pricing alone in this file',
    'other.yaml:6: acounts: found an unknown setting, write accounts',
  ]);
});

test('a file without prices, or none at all, is no price book', () => {
  expect(problemsOf('')).toEqual([
    'other.yaml:1: pricing: found nothing, write plans with their prices below "pricing:", indented',
  ]);
  expect(problemsOf(Object.assign(new Error('no such file'), { code: 'ENOENT' }))).toEqual([
    'flag: --what-if: found "other.yaml", which does not exist, write the path of a readable YAML file',
  ]);
});
