import type { DoneFinding, Saving } from '../../resources/finding.ts';
import { hourDecimals } from '../format/hour-text.ts';
import { type Cell, column, type TypedColumn } from '../format/report.ts';
import { findingColumns } from './finding.ts';

/** The words by which the report of open findings leads to findings that are done. */
export const leadToDone = 'see report findings --done';

/** A finding that is done as it is shown; a row of totals has none. */
export interface DoneRow {
  readonly finding?: DoneFinding;
  readonly savedHours: Cell;
  readonly savedMoney: Cell;
}

/** Hours that a finding had claimed to save; a row of totals has an empty cell. */
function claimOf({ finding }: DoneRow, figure: keyof Saving): Cell {
  return finding === undefined ? '' : finding.claimedHoursPerMonth?.[figure]?.toFixed(hourDecimals);
}

export const doneColumns = [
  ...findingColumns,
  {
    ...{ key: 'done_at', kind: 'instant', title: 'done', about: 'When its cause was gone.' },
    of: row => row.finding?.doneAt,
  },
  {
    ...{ key: 'claimed_compute_hours_per_month', kind: 'decimal', title: 'hours claimed, likely' },
    about: 'Compute hours in 30 days that it likely was to save.',
    of: row => claimOf(row, 'likely'),
  },
  {
    ...{ key: 'most_claimed_compute_hours_per_month', kind: 'decimal', title: 'hours claimed, at most' },
    about: 'Compute hours in 30 days that it was to save at most.',
    of: row => claimOf(row, 'most'),
  },
  {
    ...{ key: 'saved_compute_hours_per_month', kind: 'decimal', title: 'hours saved a month' },
    about: 'Compute hours that are saved in 30 days.',
    of: row => row.savedHours,
  },
] satisfies readonly TypedColumn<DoneRow>[];
export const doneMoneyColumn = {
  ...{ key: 'saved_cost_per_month', kind: 'decimal', title: 'saved a month' },
  about: 'Money that is saved in 30 days.',
  of: row => row.savedMoney,
} satisfies TypedColumn<DoneRow>;
export const doneEvidenceColumn = column(
  'evidence',
  'sentence',
  'What shows it.',
  ({ finding }) => finding?.evidence ?? '',
) satisfies TypedColumn<DoneRow>;
