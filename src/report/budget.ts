import {
  budgetCalendar,
  budgetDecimals,
  scopeOf,
  spendingLines,
  watchSpending,
} from '../cost/budget/spending.ts';
import { billingCalendar } from '../cost/calendar/billing-calendar.ts';
import { type Period, periodsBetween } from '../cost/calendar/calendar.ts';
import { amountNumber, amountOf, showAmount, subtractAmounts } from '../cost/money/money.ts';
import { emptyPriceBook } from '../cost/price/empty-price-book.ts';
import { sumLines } from '../cost/rating/cost-line.ts';
import { compact } from '../resources/field.ts';
import { maxOf } from '../resources/min-max.ts';
import { nameBudgetScope, type SpendingBudget } from '../resources/spending-budget.ts';
import type { BudgetUsage } from '../resources/usage/view.ts';
import type { ReportContent, ReportSubject } from './content.ts';
import { boundAbouts, boundNote, boundTitle, notAnalyzed } from './forecast.ts';
import { describeUnknown } from './format/cost-text.ts';
import { type Cell, column, notKnown, type TypedColumn, tabulate } from './format/report.ts';
import { findAcceptedUse } from './money-note.ts';
import { priceUse } from './row/scoped-cost.ts';

/** A budget in one of its periods. */
type Standing = Pick<
  BudgetUsage,
  'budget' | 'unit' | 'period' | 'limit' | 'spent' | 'projected' | 'projectedBounds' | 'exhaustedAt'
>;

interface BudgetRow {
  readonly budget: SpendingBudget;
  readonly standing: Standing;
  /** Whether the period goes on. */
  readonly isOpen: boolean;
}

const amountColumn = <Key extends Lowercase<string>>(
  key: Key,
  about: string,
  of: (row: BudgetRow) => number | undefined,
): TypedColumn<BudgetRow, Key, 'decimal'> => ({
  ...{ key, kind: 'decimal', about },
  of: row => {
    const amount = of(row);
    return amount === undefined
      ? row.isOpen
        ? notKnown
        : undefined
      : amount.toFixed(budgetDecimals(row.standing.unit));
  },
});
const boundColumns = boundAbouts.map(([bound, about]) => ({
  ...amountColumn(bound, about, ({ standing }) => standing.projectedBounds?.[bound]),
  ...boundTitle(bound),
  isForPrograms: bound.endsWith('95'),
}));

/** The columns of budgets. */
export const budgetColumns = [
  column('budget', 'text', 'The name of the budget.', ({ budget }) => budget.name),
  column('scope', 'text', 'What counts against it.', ({ budget }) => nameBudgetScope(budget)),
  column('per', 'text', 'How long its periods are.', ({ budget }) => budget.per),
  {
    ...{ key: 'from', kind: 'instant', edge: 'first', about: 'When its period began.' },
    of: ({ standing }) => standing.period.fromAt,
  },
  {
    ...{ key: 'until', kind: 'instant', title: 'to', edge: 'last' },
    about: 'The first instant after its period.',
    of: ({ standing }) => standing.period.untilAt,
  },
  column('unit', 'word', 'A currency, or `compute_hours`.', ({ standing }) => standing.unit),
  amountColumn('limit', 'What may be spent in its period.', ({ standing }) => standing.limit),
  amountColumn('spent', 'What was spent in it so far.', ({ standing }) => standing.spent),
  {
    ...{
      key: 'difference',
      kind: 'decimal',
      title: 'left',
      about: 'What is left of the limit; below 0 where more was spent.',
    },
    of: ({ standing }) => subtractShown(standing),
  },
  amountColumn(
    'expected',
    'What will be spent by the end of its period.',
    ({ standing }) => standing.projected,
  ),
  ...boundColumns,
  {
    ...{ key: 'used_up_at', kind: 'instant', title: 'used up' },
    about: 'When the limit was reached, or will be; empty where it is not in this period.',
    of: ({ standing }) => standing.exhaustedAt,
  },
  column(
    'state',
    'word',
    'One of within, not_known (without a forecast), expected_over and over.',
    ({ standing, isOpen }) => stateOf(standing, isOpen),
  ),
] satisfies readonly TypedColumn<BudgetRow>[];

/**
 * The report of budgets against what is spent: in their periods now, as metrics and the console have them, or in each of
 * their periods that begin in the period that is asked for.
 */
export function reportBudgets(subject: ReportSubject): ReportContent {
  const { request } = subject;
  const { budgets } = request.config;
  const view = subject.worked.view(subject.history, request.now);
  const now = new Map(view?.budgets.map(standing => [standing.budget, standing]));
  const past = request.isPeriodGiven ? pastStandings(subject) : undefined;
  const rows = budgets.flatMap(budget => {
    const standing = now.get(budget.name);
    const isMeant = standing && (past === undefined || standing.period.fromAt >= request.span.fromAt);
    return [
      ...(past?.(budget, standing) ?? []).map(each => ({ budget, standing: each, isOpen: false })),
      ...(isMeant && standing.period.fromAt < request.span.untilAt
        ? [{ budget, standing, isOpen: true }]
        : []),
    ];
  });
  const unpriced = describeUnpriced(subject, rows);
  return {
    title: 'Budgets',
    ...tabulate(budgetColumns, rows),
    notes: [
      ...(budgets.length === 0
        ? ['There are no budgets in the configuration: see the section budgets.']
        : []),
      ...(rows.some(({ isOpen }) => isOpen) ? [`Expected is the whole period.${boundNote}`] : []),
      ...unpriced.flatMap(({ notes }) => notes),
    ],
    gaps: [
      ...(view === undefined && budgets.length > 0 ? [notAnalyzed] : []),
      ...unpriced.flatMap(({ gaps }) => gaps),
    ],
  };
}

/** Sentences on the use and the money that what is spent of a budget leaves out. */
function describeUnpriced(
  subject: ReportSubject,
  rows: readonly BudgetRow[],
): Pick<ReportContent, 'notes' | 'gaps'>[] {
  const { config, now } = subject.request;
  const { pricing, usage } = config;
  if (pricing === undefined) return [];
  const context = { costing: priceUse(subject, pricing), zone: usage.timezone };
  const ofMoney = rows.filter(({ budget }) => budget.limit.kind === 'money');
  return [...Map.groupBy(ofMoney, ({ budget }) => budget)].map(([budget, own]) => {
    const scope = scopeOf(budget, subject.groups);
    const soFar = own.map(({ standing: { period } }) => {
      return { period, untilAt: Math.min(period.untilAt, now), asOf: now };
    });
    const sums = soFar.map(each => sumLines(spendingLines(budget, scope, context, each)));
    const stretches = soFar.map(({ period, untilAt }) => ({ fromAt: period.fromAt, untilAt }));
    const accepted = findAcceptedUse(subject, pricing, scope.hasProject, stretches);
    const name = (sentence: string) => `Budget ${budget.name}: ${sentence}`;
    return { notes: accepted.notes.map(name), gaps: describeUnknown(sums, accepted.cuMs).map(name) };
  });
}

/** What was spent in the periods of a budget that are over, as far as these began in the report's. */
function pastStandings(subject: ReportSubject) {
  const { request, history, groups } = subject;
  const { pricing } = request.config;
  const { span } = request;
  const book = pricing ?? emptyPriceBook;
  const costing = priceUse(subject, book);
  const context = {
    ...{ ledger: history.usage, costing, groups, zone: request.config.usage.timezone },
    billing: billingCalendar(book.billingPeriod),
  };
  const knownUntil = history.accounts.map(account => history.usage.knownUntil(account) ?? 0);
  const knownUntilAt = Math.min(request.now, maxOf(knownUntil));
  return (budget: SpendingBudget, now: BudgetUsage | undefined): Standing[] => {
    const endsAt = now?.period.fromAt ?? request.now;
    const isOver = ({ fromAt, untilAt }: Period) => fromAt >= span.fromAt && untilAt <= endsAt;
    return periodsBetween(budgetCalendar(budget, context), span)
      .filter(isOver)
      .map(period => {
        const asOf = Math.max(period.untilAt, knownUntilAt);
        const { limit, spent, reachedAt } = watchSpending(budget, context, asOf, undefined, period);
        return {
          ...{ budget: budget.name, period, limit: amountNumber(limit), spent: amountNumber(spent) },
          unit: budget.limit.kind === 'compute' ? 'compute_hours' : (pricing?.displayCurrency ?? ''),
          ...compact({ exhaustedAt: reachedAt }),
        };
      });
  };
}

function stateOf({ limit, spent, projected }: Standing, isOpen: boolean): Cell {
  if (spent >= limit && spent > 0) return 'over';
  if (!isOpen) return 'within';
  if (projected === undefined) return { text: 'not_known', words: 'no forecast' };
  return projected >= limit ? 'expected_over' : 'within';
}

/** The difference of amounts as they are shown. */
function subtractShown({ unit, limit, spent }: Standing): string {
  const decimals = budgetDecimals(unit);
  const amount = (shown: number) => amountOf(shown.toFixed(decimals));
  return showAmount(subtractAmounts(amount(limit), amount(spent)), decimals);
}
