import {
  type Amount,
  addAmounts,
  compareAmounts,
  currencyDecimals,
  noAmount,
  shareOut,
  showAmount,
} from '../cost/money/money.ts';
import type { DoneFinding, Saving } from '../resources/finding.ts';
import type { ReportContent, ReportSubject } from './content.ts';
import { hourDecimals } from './format/hour-text.ts';
import { type Cell, type TypedColumn, tabulate } from './format/report.ts';
import { type FoundDone, findAll } from './row/found.ts';

/** A finding that is done as it is shown; a row of totals has none. */
interface DoneRow {
  readonly finding?: DoneFinding;
  readonly savedHours: Cell;
  readonly savedMoney: Cell;
}

const textOf = <Key extends 'kind' | 'account' | 'project_id' | 'endpoint_id' | 'project_name'>(
  key: Key,
  about: string,
): TypedColumn<DoneRow, Key, 'text'> => ({
  ...{ key, kind: 'text', about },
  of: ({ finding }) => finding?.[key] ?? '',
});

/** Hours that a finding had claimed to save; a row of totals has an empty cell. */
function claimOf({ finding }: DoneRow, figure: keyof Saving): Cell {
  return finding === undefined ? '' : finding.claimedHoursPerMonth?.[figure]?.toFixed(hourDecimals);
}

const ownColumns = [
  textOf('kind', 'What was found.'),
  textOf('account', 'The account.'),
  textOf('project_id', 'The id of the project.'),
  textOf('project_name', 'The name of the project as it was last read.'),
  textOf('endpoint_id', 'The endpoint.'),
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
const moneyColumn = {
  ...{ key: 'saved_cost_per_month', kind: 'decimal', title: 'saved a month' },
  about: 'Money that is saved in 30 days.',
  of: row => row.savedMoney,
} satisfies TypedColumn<DoneRow>;
const evidenceColumn = {
  ...{ key: 'evidence', kind: 'sentence', about: 'What shows it.' },
  of: ({ finding }) => finding?.evidence ?? '',
} satisfies TypedColumn<DoneRow>;

/** The columns of findings that are done. */
export const doneColumns = [...ownColumns, moneyColumn, evidenceColumn];

/** The report of findings whose cause is gone: what they had claimed to save in 30 days, and what is saved, most first. */
export function reportDone(subject: ReportSubject): ReportContent {
  const pricing = subject.request.config.pricing;
  const done = findAll(subject).done.toSorted(compareDone);
  const hours = shareOut(
    done.map(each => each.hours),
    hourDecimals,
  );
  const decimals = pricing === undefined ? 0 : currencyDecimals(pricing.displayCurrency);
  const money = shareOut(
    done.map(each => each.money ?? noAmount),
    decimals,
  );
  const total = (amounts: readonly Amount[], places: number) =>
    showAmount(amounts.reduce(addAmounts, noAmount), places);
  return {
    title: 'Findings that are done',
    ...(pricing && { currency: pricing.displayCurrency }),
    ...tabulate<DoneRow>(
      [...ownColumns, ...(pricing === undefined ? [] : [moneyColumn]), evidenceColumn],
      done.map(({ finding, money: own }, index) => ({
        ...{ finding, savedHours: hours[index] },
        savedMoney: own === undefined ? { missing: 'unpriced' } : money[index],
      })),
      {
        savedHours: total(
          done.map(each => each.hours),
          hourDecimals,
        ),
        savedMoney: total(
          done.map(each => each.money ?? noAmount),
          decimals,
        ),
      },
    ),
    notes: [windowNote, ...(pricing === undefined ? [] : [moneyNote])],
    gaps: [],
  };
}

const windowNote =
  'A finding is done when its cause is gone: the setting was changed, the schedule stopped, the endpoint was deleted. Saved is what the endpoint used in up to four whole weeks before, less what it used in up to four whole weeks since, for a month of 30 days; so what else changed its use counts too. It is told once a week has passed since, for up to 60 days.';
const moneyNote =
  'Money is the difference of two bills of such a month at the prices of now, without the change and with it.';

function compareDone(a: FoundDone, b: FoundDone): number {
  const moneyOf = ({ money = noAmount }: FoundDone) => money;
  return compareAmounts(moneyOf(b), moneyOf(a)) || compareAmounts(b.hours, a.hours);
}
