import { decimalsOf } from '../../../cost/money/decimal-sum.ts';
import { periodName } from '../../../report/format/period-name.ts';
import { capital } from '../../../report/format/shown-cell.ts';
import type { DrawContext } from '../../page.ts';
import { addressOf } from '../../part/address.ts';
import { bullet, spark } from '../../part/chart/spark.ts';
import { shortDay } from '../../part/chart/step.ts';
import { html, type Markup } from '../../part/html.ts';
import { showMoney, showShare } from '../../part/number.ts';
import { shownName } from '../../part/shown-text.ts';
import { expectedTile, markStale, type Tile, tileStrip, weakCents } from '../../part/tile.ts';
import { budgetOf } from './budget-drawing.ts';
import type { CostAnswer, CostStack } from './cost-answer.ts';
import {
  comparedWith,
  type Expected,
  isLastRunning,
  type Measure,
  nameCompared,
  sayIncomparable,
  sayUnknown,
  shareMoved,
} from './cost-figure.ts';

/** The tiles above the chart: the cost so far, the cost expected, the cost of an average full day, and the use. */
export function drawTiles(
  answer: CostAnswer,
  stack: CostStack,
  measure: Measure,
  expected: Expected | undefined,
  { staleAccounts, now }: Pick<DrawContext<unknown>, 'staleAccounts' | 'now'>,
): Markup {
  const tiles = [
    describeSpent(stack, measure),
    expected === undefined
      ? describeBefore(stack, measure)
      : describeExpected(answer, stack, measure, expected),
    stack.steps.length > 1 && describeFull(stack, measure),
    // Lines of a bill have quantities of their own.
    measure.isMoney ? stack.by !== 'line' && describeHours(answer, stack) : describeMost(stack),
  ].filter(each => each !== false);
  return tileStrip(markStale(tiles, staleAccounts, now));
}

const unknown = html`<span class="m">not known</span>`;

function describeSpent(stack: CostStack, measure: Measure): Tile {
  const goesOn = stack.steps_to_come.length > 0;
  const amount = measure.of(stack);
  return {
    title: `${measure.isMoney ? 'Spent' : 'Used'}${goesOn ? ' so far' : ''}`,
    mark: mark(shareMoved(amount, measure.of(comparedWith(stack)))),
    figure: amount === null ? unknown : measure.showLarge(amount),
    drawing: spark({
      label: `${measure.noun} of each ${stack.step}`,
      values: stack.steps.map(each => Number(measure.of(each) ?? 0)),
      look: 'bars',
      isRunning: isLastRunning(stack),
    }),
    detail: sayMoved(stack, measure),
  };
}

/** More is not worse: the sign says which way. */
function mark(text: string | undefined): Markup | null {
  return text === undefined ? null : html`<span class="d">${text}</span>`;
}

function sayMoved(stack: CostStack, measure: Measure): Tile['detail'] {
  const before = comparedWith(stack);
  const [is, was] = [measure.of(stack), measure.of(before)];
  if (is === null) return sayUnknown(stack);
  if (was === null || before === null) return sayIncomparable(stack);
  const difference = Number(is) - Number(was);
  const amount = measure.show(Math.abs(difference).toFixed(decimalsOf(is)));
  const words = `${amount} ${difference < 0 ? 'less' : 'more'}`;
  const unsure = before.missing.length > 0 && ', as far as it is known';
  return html`<a href=${addressOf('/cost/why', { period: stack.period.label })}>${words}</a> than in ${nameCompared(stack)}${unsure}`;
}

function describeExpected(answer: CostAnswer, stack: CostStack, measure: Measure, expected: Expected): Tile {
  const { amount, bounds, untilAt } = expected;
  return expectedTile({
    ...{ until: new Date(untilAt).toISOString(), spent: measure.of(stack) ?? '0', expected: amount },
    ...{ currency: stack.currency, limit: budgetOf(answer.budgets, stack, measure)?.limit },
    ...{ bounds, accounts: answer.forecasts.length },
  });
}

/** The period before; of one that goes on, as much of it as is over of this one. */
function describeBefore(stack: CostStack, measure: Measure): Tile {
  const { period_before, steps_to_come } = stack;
  const amount = measure.of(comparedWith(stack));
  return {
    title: capital(nameCompared(stack)),
    figure: amount === null ? unknown : measure.showLarge(amount),
    detail:
      amount === null
        ? sayIncomparable(stack)
        : html`${steps_to_come.length > 0 && 'first part of '}<a href=${addressOf('/cost', { period: period_before })}>${periodName(period_before)}</a>`,
  };
}

/** Whole steps that are over and known. */
export function fullSteps(stack: CostStack, measure: Measure) {
  const over = stack.steps.filter(each => each.is_whole);
  const known = over.flatMap(each => {
    const amount = measure.of(each);
    return amount === null ? [] : [{ label: each.label, amount }];
  });
  const [first] = known;
  if (first === undefined) return undefined;
  const dearest = known.reduce(
    (most, each) => (Number(each.amount) > Number(most.amount) ? each : most),
    first,
  );
  const sum = known.reduce((all, each) => all + Number(each.amount), 0);
  return { known, dearest, mean: sum / over.length };
}

function describeFull(stack: CostStack, measure: Measure): Tile {
  const full = fullSteps(stack, measure);
  const title = `Average full ${stack.step}`;
  if (full === undefined) return { title, figure: unknown };
  const { dearest, mean, known } = full;
  const name = stack.step === 'month' ? dearest.label : shortDay(dearest.label);
  return {
    title,
    figure: measure.showLarge(mean.toFixed(decimalsOf(dearest.amount))),
    drawing: spark({
      label: `${measure.noun} of each full ${stack.step}`,
      values: known.map(each => Number(each.amount)),
      look: 'line',
    }),
    detail: `${measure.isMoney ? 'Dearest' : 'Most'}: ${name}, ${measure.show(dearest.amount)}`,
  };
}

function describeHours({ forecasts }: CostAnswer, stack: CostStack): Tile {
  const title = 'Compute hours';
  const { used_hours: used } = stack;
  if (used === null) return { title, figure: unknown };
  const [only] = forecasts.length === 1 ? forecasts : [];
  const isOf = only?.period.from === stack.period.from && stack.steps_to_come.length > 0;
  const expected = isOf ? (only?.compute_hours.expected ?? null) : null;
  return {
    title,
    mark:
      expected === null
        ? mark(shareMoved(used, comparedWith(stack)?.used_hours ?? null))
        : html`<span class="s">${showShare(Number(used) / (Number(expected) || 1))} of expected</span>`,
    figure: weakCents(used, null),
    ...(expected !== null && {
      drawing: bullet({
        label: `${showMoney(used, null)} used, ${showMoney(expected, null)} expected`,
        value: Number(used),
        expected: Number(expected),
      }),
    }),
    detail: expected === null ? 'used in the period' : `${showMoney(expected, null)} expected by its end`,
  };
}

/** Without prices, who used most. */
function describeMost({ series, used_hours }: CostStack): Tile {
  const title = 'Used most';
  const [first] = series;
  if (first === undefined || first.used_hours === null) return { title, figure: unknown };
  const share = Number(first.used_hours) / (Number(used_hours ?? 0) || 1);
  return {
    title,
    figure: html`${showShare(share)}`,
    detail: `${shownName(first.name)}: ${showMoney(first.used_hours, null)}`,
  };
}
