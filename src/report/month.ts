import { cutIntoSteps, type Step } from '../cost/calendar/step.ts';
import { addDecimals } from '../cost/money/decimal-sum.ts';
import { amountNumber, amountOf, currencyDecimals } from '../cost/money/money.ts';
import type { DecimalText } from '../resources/price-book.ts';
import { type ReportContent, type ReportSubject, titleOf } from './content.ts';
import { allCountedFrom, countedLedger } from './counted-ledger.ts';
import { showCosts, subtractShown } from './format/cost-text.ts';
import { hourDecimals, showHours } from './format/hour-text.ts';
import {
  type Cell,
  column,
  isMissing,
  isWorded,
  notKnown,
  type TypedColumn,
  tabulate,
} from './format/report.ts';
import { describeMoney } from './money-note.ts';
import { MeteredReading } from './row/metered-use.ts';
import { noScope, type RowScope, type ScopedRow } from './row/scope.ts';
import { gatherCosts, type ScopedCost } from './row/scoped-cost.ts';
import { gatherUses } from './row/scoped-use.ts';
import { cutSubject, stepColumns } from './row/step.ts';

/** What something cost, or how much compute it used where there are no prices, in a month. */
interface MonthRow extends ScopedRow {
  readonly cost?: Cell;
  readonly hours: Cell;
  /** Against the month before, of the cost, or of the hours where there are no prices. */
  readonly change?: DecimalText | undefined;
  readonly percent?: DecimalText | undefined;
}

interface FoundMonth extends Pick<ScopedRow, 'scope'>, Partial<Pick<ScopedCost, 'sum'>> {
  readonly cuMs: number;
}

const costColumn = column(
  'cost',
  'decimal',
  'What it cost in the month.',
  ({ cost }) => cost,
) satisfies TypedColumn<MonthRow>;
const figureColumns = [
  column('used_hours', 'decimal', 'Compute hours that were used in the month.', ({ hours }) => hours),
  column(
    'change',
    'decimal',
    'The cost less that of the month before; compute hours where there are no prices.',
    ({ change }) => change,
  ),
  {
    ...{ key: 'change_percent', kind: 'decimal', title: 'change %' },
    about: 'The change in percent of the month before.',
    of: ({ percent }) => percent,
  },
] satisfies readonly TypedColumn<MonthRow>[];

/** The columns of months. */
export const monthColumns = [...stepColumns, costColumn, ...figureColumns];

/** The report of what something cost in each month of the period, and how that changed: each has a row for each month. */
export function reportMonths(subject: ReportSubject): ReportContent {
  const { request, rule } = subject;
  const book = request.config.pricing;
  const { span, billedStretch } = request;
  const months = cutIntoSteps('month', { ...span, zone: span.timezone, billedStretch });
  const gathered = book && gatherCosts(subject, book);
  const costs = gathered?.costs;
  const sums = costs?.map(({ sum }) => sum) ?? [];
  const money = book && gathered && describeMoney(subject, book, gathered.costing, sums);
  const found: readonly FoundMonth[] =
    costs?.map(cost => ({ ...cost, cuMs: cost.sum.usedCuMs })) ??
    readUses(subject).map(({ scope, use }) => ({ scope, cuMs: use.usedCuMs }));
  // Each month is rounded as in a report of it alone.
  const figures = [...Map.groupBy(found, ({ scope }) => scope.step).values()].flatMap(month => {
    const priced = month.flatMap(({ scope, sum }) => (sum === undefined ? [] : [{ scope, sum }]));
    const shown = book && showCosts(priced, currencyDecimals(book.displayCurrency));
    const hours = showHours(
      month.map(({ cuMs }) => cuMs),
      month.map(({ scope }) => scope),
    );
    return month.map(({ scope }, index): MonthRow => {
      return { scope, ...(shown && { cost: shown.cells[index] }), hours: hours[index] };
    });
  });
  const scopeColumns = rule.columns.filter(({ key }) => !stepColumns.some(step => step.key === key));
  const columns = [...scopeColumns, ...stepColumns, ...(book ? [costColumn] : []), ...figureColumns];
  return {
    title: `${titleOf(book ? 'Cost' : 'Compute hours', request)} and month`,
    ...(book && { currency: book.displayCurrency }),
    ...tabulate(columns, rowsOf(subject, months, figures)),
    across: { by: 'step', of: book ? 'cost' : 'used_hours', last: 'change' },
    notes: [...describeMonths(subject, months), ...(money?.notes ?? [])],
    gaps: money?.gaps ?? [],
  };
}

function readUses(subject: ReportSubject) {
  const meter = new MeteredReading(subject.history);
  return cutSubject(subject).flatMap(step => gatherUses(step, meter));
}

/**
 * A row for each month of each thing: the largest first, and charges below.
 *
 * @param figures each of one month, which the scope names.
 */
function rowsOf(
  { history, request }: ReportSubject,
  months: readonly Step[],
  figures: readonly MonthRow[],
): MonthRow[] {
  const { pricing } = request.config;
  const decimals = pricing === undefined ? hourDecimals : currencyDecimals(pricing.displayCurrency);
  const nothing = (0).toFixed(decimals);
  const knownFromAt = allCountedFrom(history, countedLedger(request), history.accounts);
  const figureOf = ({ cost, hours }: Pick<MonthRow, 'cost' | 'hours'>) => (pricing ? cost : hours);
  const things = [
    ...Map.groupBy(figures, ({ scope }) => JSON.stringify(withoutPeriod(scope).cells)).values(),
  ];
  const ranked = things.toSorted(
    (a, b) => Number(isCharge(a)) - Number(isCharge(b)) || sumOf(b.map(figureOf)) - sumOf(a.map(figureOf)),
  );
  return ranked.flatMap(members => {
    const [{ scope: first } = { scope: noScope }] = members;
    const scope = withoutPeriod(first);
    const rows = months.map((month): MonthRow => {
      const own = members.filter(each => each.scope.step === month.label);
      const isKnown = own.length > 0 || knownFromAt <= month.fromAt;
      const of = (cells: readonly Cell[], none: Cell): Cell => (isKnown ? addCells(cells, none) : notKnown);
      return {
        scope: { ...scope, step: month.label, stepFromAt: month.fromAt, stepUntilAt: month.untilAt },
        ...(pricing && {
          cost: of(
            own.map(({ cost }) => cost),
            nothing,
          ),
        }),
        hours: of(
          own.map(({ hours }) => hours),
          (0).toFixed(hourDecimals),
        ),
      };
    });
    return rows.map((row, index) => {
      const before = rows[index - 1];
      // A month that is known in part is nothing to compare with.
      if (before === undefined || (before.scope.stepFromAt ?? 0) < knownFromAt) return row;
      const [value, past] = [figureOf(row), figureOf(before)];
      return { ...row, change: subtractShown(value, past, decimals), percent: percentOf(value, past) };
    });
  });
}

/** A thing is the same in all months, and a charge in all billing periods. */
function withoutPeriod({ key, cells }: RowScope): RowScope {
  const texts = Object.entries(cells).map(([name, cell]) => [name, isWorded(cell) ? cell.text : cell]);
  return { key, cells: Object.fromEntries(texts) };
}

function isCharge([first]: readonly MonthRow[]): boolean {
  return first?.scope.billingPeriod !== undefined;
}

function addCells(cells: readonly Cell[], none: Cell): Cell {
  const known = cells.filter(cell => typeof cell === 'string');
  return addDecimals(known) ?? cells.find(cell => isMissing(cell)) ?? none;
}

function sumOf(cells: readonly Cell[]): number {
  return cells.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? Number(cell) : 0), 0);
}

function percentOf(value: Cell, before: Cell): DecimalText | undefined {
  if (typeof value !== 'string' || typeof before !== 'string' || Number(before) <= 0) return undefined;
  const [now, then] = [value, before].map(each => amountNumber(amountOf(each)));
  return now === undefined || then === undefined ? undefined : ((100 * (now - then)) / then).toFixed(1);
}

function describeMonths({ request }: ReportSubject, months: readonly Step[]): string[] {
  const last = months.at(-1);
  const isOpen = last !== undefined && request.span.untilAt === request.now;
  return [
    'A change is against the month before, as far as that is known as a whole.',
    ...(isOpen ? [`${last.label} is not over: its change is against the whole month before.`] : []),
  ];
}
