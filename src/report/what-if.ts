import { currencyDecimals } from '../cost/money/money.ts';
import { sumLines } from '../cost/rating/cost-line.ts';
import type { PriceBook } from '../resources/price-book.ts';
import { type ReportContent, type ReportSubject, titleOf } from './content.ts';
import { describeUnknown, showCosts, subtractShown } from './format/cost-text.ts';
import { showHours, showHourTotal } from './format/hour-text.ts';
import { type Cell, column, type RowColumn, tabulate } from './format/report.ts';
import { describeBothLedgers } from './ledger-note.ts';
import { describeUnreadMinimums } from './minimum-note.ts';
import { findAcceptedUse } from './money-note.ts';
import { noScope, type RowScope, type ScopedRow } from './row/scope.ts';
import { dearestFirst, gatherCosts, type ScopedCost } from './row/scoped-cost.ts';

interface ComparedCost extends ScopedRow {
  readonly cost: Cell;
  readonly other: Cell;
  readonly used: Cell;
  readonly decimals: number;
}

const columns: readonly RowColumn<ComparedCost>[] = [
  column('cost', 'decimal', 'What it cost.', row => row.cost),
  column('what_if_cost', 'decimal', 'The cost under the other price book.', row => row.other),
  column(
    'difference',
    'decimal',
    'How much more the other price book would cost.',
    ({ cost, other, decimals }) => subtractShown(other, cost, decimals),
  ),
  column('used_hours', 'decimal', 'Compute hours that were used.', row => row.used),
];

/**
 * The cost of the same use under the configured price book and under another one: of closed billing periods, too, by what is
 * known now under both.
 */
export function compareBooks(given: ReportSubject, book: PriceBook, whatIf: PriceBook): ReportContent {
  const subject = { ...given, history: { ...given.history, closings: [] } };
  const { request, rule } = subject;
  const { costs } = gatherCosts(subject, book);
  const { costs: others } = gatherCosts(subject, whatIf);
  const pairs = pairUp(costs, others);
  const decimals = currencyDecimals(book.displayCurrency);
  const before = showCosts(
    pairs.map(([cost]) => cost),
    decimals,
  );
  const after = showCosts(
    pairs.map(([, other]) => other),
    decimals,
  );
  const used = pairs.map(([cost, other]) => Math.max(cost.sum.usedCuMs, other.sum.usedCuMs));
  const hours = showHours(
    used,
    pairs.map(([{ scope }]) => scope),
  );
  return {
    title: titleOf('Cost under another price book', request),
    currency: book.displayCurrency,
    ...tabulate<ComparedCost>(
      [...rule.columns, ...columns, ...rule.billingColumns],
      pairs.map(([{ scope }], index) => {
        const [cost, other] = [before.cells[index], after.cells[index]];
        return { scope, cost, other, used: hours[index], decimals };
      }),
      { scope: noScope, cost: before.total, other: after.total, used: showHourTotal(used), decimals },
    ),
    notes: [
      'The difference is what the other price book would cost more, or less where it is negative.',
      ...describeBothLedgers(
        [subject, subject],
        [book, whatIf],
        [' as configured', ' under the other price book'],
      ),
    ],
    gaps: [
      ...describeUnknown(
        costs.map(({ sum }) => sum),
        findAcceptedUse(subject, book).cuMs,
        ' as configured',
      ),
      ...describeUnknown(
        others.map(({ sum }) => sum),
        findAcceptedUse(subject, whatIf).cuMs,
        ' under the other price book',
      ),
      ...describeUnreadMinimums(subject, book),
    ],
  };
}

/** The costs of each row under both, dearest first; a minimum charge may be in one alone. */
function pairUp(
  costs: readonly ScopedCost[],
  others: readonly ScopedCost[],
): readonly (readonly [ScopedCost, ScopedCost])[] {
  const scopes = new Map([...others, ...costs].map(({ scope }) => [scope.key, scope]));
  const nothing = sumLines([]);
  const finderOf = (known: readonly ScopedCost[]) => {
    const byKey = new Map(known.map(cost => [cost.scope.key, cost]));
    return (scope: RowScope) => byKey.get(scope.key) ?? { scope, sum: nothing };
  };
  const [find, findOther] = [finderOf(costs), finderOf(others)];
  return [...scopes.values()]
    .map(scope => [find(scope), findOther(scope)] as const)
    .sort(([a, otherA], [b, otherB]) => dearestFirst(a, b) || dearestFirst(otherA, otherB));
}
