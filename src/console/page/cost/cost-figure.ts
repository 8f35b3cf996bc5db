import { zoneCalendar, zoneClockAt } from '../../../cost/calendar/calendar.ts';
import { decimalsOf } from '../../../cost/money/decimal-sum.ts';
import type { Amounts } from '../../answer-field.ts';
import { shortDay } from '../../part/chart/step.ts';
import type { Content } from '../../part/html.ts';
import { showMoney, showMoneyBriefly, showShare } from '../../part/number.ts';
import { weakCents } from '../../part/tile.ts';
import type { CostAnswer, CostForecast, CostSeries, CostStack } from './cost-answer.ts';

/** What the page counts in: money, or compute hours where there are no prices. */
export interface Measure {
  readonly noun: string;
  readonly isMoney: boolean;
  /** The amount of something that has both; null of nothing. */
  readonly of: (each: Amounts | null) => string | null;
  /** The same in each step. */
  readonly stepsOf: (each: CostSeries) => CostSeries['cost_by_step'];
  /** Empty where there is none. */
  readonly show: (decimal: string | null) => string;
  readonly showTick: (decimal: string) => string;
  /** The same as the largest figure of a tile. */
  readonly showLarge: (decimal: string) => Content;
}

export function measureOf({ currency }: CostStack): Measure {
  const isMoney = currency !== null;
  return {
    ...{ noun: isMoney ? 'cost' : 'compute hours', isMoney },
    of: each => (isMoney ? each?.cost : each?.used_hours) ?? null,
    stepsOf: each => (isMoney ? each.cost_by_step : each.hours_by_step),
    show: decimal => showMoney(decimal, currency),
    showTick: decimal => showMoneyBriefly(decimal, currency),
    showLarge: decimal => weakCents(decimal, currency),
  };
}

/** What is expected of the whole period that is shown; undefined where that is of no forecast. */
export interface Expected {
  readonly amount: string;
  /** Bounds of several accounts do not add up. */
  readonly bounds: CostForecast['bounds'];
  readonly untilAt: number;
}

/** The forecast of the period that is shown, of all accounts that are. */
export function expectedOf(
  { forecasts }: CostAnswer,
  stack: CostStack,
  measure: Measure,
): Expected | undefined {
  const [first, ...others] = forecasts;
  const isOther = forecasts.some(({ period }) => period.from !== stack.period.from);
  if (first === undefined || isOther || stack.steps_to_come.length === 0) return undefined;
  const amounts = forecasts.map(each => (measure.isMoney ? each.expected : each.compute_hours.expected));
  if (amounts.includes(null)) return undefined;
  const sum = amounts.reduce((all, each) => all + Number(each), 0);
  const [only] = amounts;
  return {
    amount: others.length === 0 && only ? only : sum.toFixed(decimalsOf(only ?? '')),
    bounds: others.length > 0 ? null : measure.isMoney ? first.bounds : first.compute_hours.bounds,
    untilAt: Date.parse(first.period.until),
  };
}

/** Whether the last step is not over: the period goes on, or ends now within it. */
export function isLastRunning({ steps, step, steps_to_come, generated_at, period }: CostStack): boolean {
  const last = steps.at(-1);
  if (steps_to_come.length > 0 || last === undefined) return steps_to_come.length > 0;
  return zoneCalendar(step, period.timezone)(Date.parse(last.from)).untilAt > Date.parse(generated_at);
}

/** The clock that the first day begins at in a period that leaves a part of it out: `from 22:58`. */
export function saySince({ steps, step, period: { timezone } }: CostStack): string | undefined {
  const fromAt = Date.parse(steps[0]?.from ?? '');
  if (step !== 'day' || Number.isNaN(fromAt) || zoneCalendar('day', timezone)(fromAt).fromAt === fromAt)
    return undefined;
  return `from ${zoneClockAt(timezone, fromAt).toPlainTime().toString({ smallestUnit: 'minute' })}`;
}

/** The same part of the period before; null where not all of it is known: a part is nothing to compare with. */
export function comparedWith({ before }: CostStack): CostStack['before'] {
  return before?.known_from === null ? before : null;
}

/** The name of the time that {@link comparedWith} is of, such as `the same days before`. */
export function nameCompared({ steps, steps_to_come }: CostStack): string {
  if (steps_to_come.length === 0) return 'the period before';
  return `the same ${steps.length > 1 ? 'days' : 'time'} before`;
}

/** Why a period has no figures; undefined where some of it is known. */
export function sayUnknown({ known_from, period }: CostStack): string | undefined {
  if (known_from === null || known_from < period.until) return undefined;
  return `Nothing of this period is known: use is known from ${known_from.slice(0, 10)} on.`;
}

/** Why there is nothing to compare a period with. */
export function sayIncomparable({ before }: CostStack): string {
  const { known_from = null, period } = before ?? {};
  return known_from === null || period === undefined || known_from >= period.until
    ? 'The period before is not known.'
    : `The period before is known only from ${shortDay(known_from)} on.`;
}

/** How much more or less it is than before, as a share; more is not worse. */
export function shareMoved(now: string | null, before: string | null): string | undefined {
  const [is, was] = [Number(now ?? 0), Number(before ?? 0)];
  if (now === null || before === null || was <= 0) return undefined;
  return `${is >= was ? '▲' : '▼'} ${showShare(Math.abs(is / was - 1))}`;
}
