import { subtractDecimals } from '../../cost/money/decimal-sum.ts';
import { type ReportContent, type ReportSubject, titleOf } from '../content.ts';
import { column, notKnown, type TypedColumn, tabulate } from '../format/report.ts';
import type { ShowbackPage } from '../format/showback-page.ts';
import { requirePricing } from '../row/scoped-cost.ts';
import { makePages } from './group-sheet.ts';

/** The columns of groups: each has its page besides. */
export const showbackColumns = [
  column('group', 'text', 'The group, such as `team/web`.', ({ group }) => group),
  column(
    'cost',
    'decimal',
    'What it comes to, with its share of the charges of accounts.',
    ({ cost }) => cost,
  ),
  column('used_hours', 'decimal', 'Compute hours that its projects used.', row => row.used_hours),
  {
    ...{
      key: 'cost_before',
      kind: 'decimal',
      title: 'period before',
      about: 'What the period before came to.',
    },
    of: row => row.cost_before ?? notKnown,
  },
  column('use_cost', 'decimal', 'What its use comes to, without charges.', ({ use_cost }) => use_cost),
  column(
    'use_cost_before',
    'decimal',
    'What its use in the period before came to, without charges; while a period goes on, until the same time.',
    row => row.use_cost_before ?? notKnown,
  ),
  column(
    'use_change',
    'decimal',
    '`use_cost` less `use_cost_before`, where all of the period before is known.',
    ({ is_before_whole, use_cost, use_cost_before }) =>
      is_before_whole && use_cost_before !== null ? subtractDecimals(use_cost, use_cost_before) : notKnown,
  ),
] satisfies readonly TypedColumn<ShowbackPage>[];

/**
 * The report of what each group pays for, with its pages.
 *
 * @throws Failure when the configuration has no prices.
 */
export function reportShowback(subject: ReportSubject): ReportContent {
  const pages = makePages(subject);
  return {
    title: titleOf('Costs', subject.request),
    currency: requirePricing(subject.request).displayCurrency,
    ...tabulate(showbackColumns, pages),
    pages,
    notes: [],
    gaps: [...new Set(pages.flatMap(page => page.missing))],
  };
}
