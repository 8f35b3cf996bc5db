import { sampleValue } from '../support/exposition-reader.ts';
import type { CostPoint, PictureData } from './picture-data.ts';
import { band, element, label, type Point, path, scaleOf } from './svg.ts';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Room around the chart for its title and its axes. */
const inset = { left: 58, right: 132, top: 46, bottom: 28 };
const dayMs = 86_400_000;
/** Distance that keeps two labels at the same edge apart. */
const labelHeight = 15;

/** Cost of the billing period so far by team, what it will come to, and the budget. */
export function drawCostPanel(data: PictureData, box: Box): string {
  const { samples, costs } = data;
  const seconds = (name: string, labels = {}) => 1000 * (sampleValue(samples, name, labels) ?? Number.NaN);
  const fromAt = seconds('dbpm_account_period_start_timestamp_seconds');
  const untilAt = seconds('dbpm_account_period_end_timestamp_seconds');
  const limit = sampleValue(samples, 'dbpm_budget_limit', { budget: 'everything' }) ?? Number.NaN;
  const most = 1.08 * Math.max(limit, forecastOf(data, 'high95'));
  const x = scaleOf([fromAt, untilAt], [box.x + inset.left, box.x + box.width - inset.right]);
  const y = scaleOf([0, most], [box.y + box.height - inset.bottom, box.y + inset.top]);
  const exhaustedAt = seconds('dbpm_budget_exhausted_timestamp_seconds', { budget: 'everything' });
  return [
    element('rect', { ...box, rx: 8, class: 'panel' }),
    label(box.x + 18, box.y + 28, 'Cost of the billing period, by team, and where it will end', {
      class: 'title',
    }),
    drawAxes({ x, y, most, fromAt, untilAt, box }),
    drawTeams(costs, x, y),
    drawForecast(data, x, y, untilAt),
    drawBudget({ limit, exhaustedAt, x, y, fromAt, untilAt }),
  ].join('\n');
}

type Scale = (value: number) => number;

function drawAxes({
  x,
  y,
  most,
  fromAt,
  untilAt,
  box,
}: {
  x: Scale;
  y: Scale;
  most: number;
  fromAt: number;
  untilAt: number;
  box: Box;
}): string {
  const step = 400;
  const amounts = Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step);
  const weeks: number[] = [];
  for (let at = fromAt; at <= untilAt; at += 7 * dayMs) weeks.push(at);
  return [
    ...amounts.map(amount =>
      path(
        [
          [x(fromAt), y(amount)],
          [x(untilAt), y(amount)],
        ],
        { class: 'grid' },
      ),
    ),
    ...amounts.map(amount =>
      label(x(fromAt) - 8, y(amount) + 4, money(amount), { class: 'axis', 'text-anchor': 'end' }),
    ),
    ...weeks.map(at =>
      label(x(at), box.y + box.height - 10, dayOf(at), { class: 'axis', 'text-anchor': 'middle' }),
    ),
  ].join('');
}

/** Stacked surfaces, the team that costs most at the bottom, with their names where they end. */
function drawTeams(costs: readonly CostPoint[], x: Scale, y: Scale): string {
  const last = costs.at(-1)?.costs ?? new Map<string, number>();
  const teams = [...last.keys()].sort((a, b) => (last.get(b) ?? 0) - (last.get(a) ?? 0));
  const below = new Map<number, number>();
  const surfaces = teams.map((team, index) => {
    const lower: Point[] = [];
    const upper: Point[] = [];
    for (const { at, costs: byTeam } of costs) {
      const from = below.get(at) ?? 0;
      const until = from + (byTeam.get(team) ?? 0);
      lower.push([x(at), y(from)]);
      upper.push([x(at), y(until)]);
      below.set(at, until);
    }
    const [, top] = upper.at(-1) ?? [0, 0];
    const [endX, bottom] = lower.at(-1) ?? [0, 0];
    return [
      band(upper, lower, { class: `team${index}` }),
      label(endX + 8, (top + bottom) / 2 + 4, team, { class: 'axis' }),
    ].join('');
  });
  return element('g', { 'data-metric': 'dbpm_group_period_cost' }, ...surfaces);
}

function forecastOf({ samples }: PictureData, bound: string): number {
  return sampleValue(samples, 'dbpm_account_forecast_cost', { bound }) ?? Number.NaN;
}

function drawForecast(data: PictureData, x: Scale, y: Scale, untilAt: number): string {
  const now = sampleValue(data.samples, 'dbpm_account_period_cost') ?? Number.NaN;
  const from: Point = [x(data.at), y(now)];
  const to = (bound: string): Point => [x(untilAt), y(forecastOf(data, bound))];
  const expected = forecastOf(data, 'expected');
  return element(
    'g',
    { 'data-metric': 'dbpm_account_forecast_cost' },
    band([from, to('high95')], [from, to('low95')], { class: 'fan95' }),
    band([from, to('high80')], [from, to('low80')], { class: 'fan80' }),
    path([from, to('expected')], { class: 'expected' }),
    element('circle', { cx: from[0], cy: from[1], r: 4, class: 'now' }),
    label(from[0] - 14, from[1] + 7, `${money(now)} so far`, { class: 'strong', 'text-anchor': 'end' }),
    label(x(untilAt) + 8, y(expected) + 1, money(expected), { class: 'strong accent' }),
    label(x(untilAt) + 8, y(expected) + 1 + labelHeight, 'forecast, with', { class: 'axis' }),
    label(x(untilAt) + 8, y(expected) + 1 + 2 * labelHeight - 2, '80 and 95 % bounds', { class: 'axis' }),
  );
}

interface BudgetLine {
  readonly limit: number;
  readonly exhaustedAt: number;
  readonly x: Scale;
  readonly y: Scale;
  readonly fromAt: number;
  readonly untilAt: number;
}

function drawBudget({ limit, exhaustedAt, x, y, fromAt, untilAt }: BudgetLine): string {
  return element(
    'g',
    { 'data-metric': 'dbpm_budget_limit' },
    path(
      [
        [x(fromAt), y(limit)],
        [x(untilAt), y(limit)],
      ],
      { class: 'budget' },
    ),
    label(x(fromAt) + 6, y(limit) - 7, `budget ${money(limit)}, used up on ${dayOf(exhaustedAt)}`, {
      class: 'bad small',
    }),
    element('circle', {
      cx: x(exhaustedAt),
      cy: y(limit),
      r: 4,
      class: 'cross',
      'data-metric': 'dbpm_budget_exhausted_timestamp_seconds',
    }),
  );
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

function dayOf(at: number): string {
  return dayFormat.format(at);
}

function money(amount: number): string {
  return `$${Math.round(amount).toLocaleString('en-US')}`;
}
