import { expect, test } from 'vitest';
import { findingOptionsOf, isWorthShowing } from '../../../src/cost/finding/finding-filter.ts';
import { findFindings } from '../../../src/cost/finding/finding-list.ts';
import { amountOf } from '../../../src/cost/money/money.ts';
import { type FindingRules, usualFindingRules } from '../../../src/resources/finding-rule.ts';
import { createRandom } from '../../../src/simulator/model/random.ts';
import { planWith } from '../price-book-sample.ts';
import { awakeFor, hour, makePast, minute, repeat } from './past-builder.ts';

const project = { account: 'main', project_id: 'p1', project_name: 'shop-api' };
const at = Date.parse('2026-10-15T00:00:00Z');
const rulesWith = (rules: Partial<FindingRules>): FindingRules => ({ ...usualFindingRules, ...rules });

const random = createRandom(1, 'wakes');
/** Used for a minute about every four hours, and suspended ten minutes later. */
const past = makePast({
  awake: repeat(60, index =>
    awakeFor(index * 4 * hour + random.integer(0, 180) * minute, 11 * minute, minute),
  ),
});
const adviceFor = (rules: FindingRules, plan = planWith()) =>
  findFindings(past, findingOptionsOf(rules, { project, plan, at })).flatMap(
    ({ kind, advisedDelayMs = 0 }) => `${kind} ${advisedDelayMs / minute}`,
  );

test('no shorter delay is advised than the plan has, or than anybody wants', () => {
  expect(adviceFor(usualFindingRules)).toEqual(['idle_tail 5']);
  expect(adviceFor(rulesWith({ smallestSuspendDelayMs: minute }))).toEqual(['idle_tail 1']);
  expect(adviceFor(usualFindingRules, planWith({ smallestSuspendDelayMs: 2 * minute }))).toEqual([
    'idle_tail 2',
  ]);
  expect(adviceFor(usualFindingRules, planWith({ smallestSuspendDelayMs: 10 * minute }))).toEqual([]);
});

test('findings are ignored by project and kind, until a date', () => {
  const isSeen = (ignored: FindingRules['ignored'][number]) =>
    adviceFor(rulesWith({ ignored: [ignored] })).length > 0;
  expect(isSeen({ projects: ['shop-*'] })).toBe(false);
  expect(isSeen({ projects: ['p1'], kinds: ['idle_tail'] })).toBe(false);
  expect(isSeen({ kinds: ['idle_tail'], untilAt: at + 1 })).toBe(false);
  expect(isSeen({ kinds: ['idle_tail'], untilAt: at })).toBe(true);
  expect(isSeen({ projects: ['dw-*'] })).toBe(true);
  expect(isSeen({ projects: ['p1'], kinds: ['floor_size'] })).toBe(true);
});

test('a saving below the least amount is not shown, one that is not known is', () => {
  const rules = rulesWith({ leastAmount: 10 });
  expect(isWorthShowing(rules, { likely: amountOf('9.99'), most: amountOf('20') })).toBe(false);
  expect(isWorthShowing(rules, { most: amountOf('10') })).toBe(true);
  expect(isWorthShowing(rules, undefined)).toBe(true);
  expect(isWorthShowing(usualFindingRules, { most: amountOf('0') })).toBe(true);
});
