import {
  addAmounts,
  compareAmounts,
  currencyDecimals,
  noAmount,
  shareOut,
  showAmount,
} from '../cost/money/money.ts';
import type { DoneFinding } from '../resources/finding.ts';
import type { ReportContent, ReportSubject } from './content.ts';
import { hourDecimals } from './format/hour-text.ts';
import type { Cell, Column } from './format/report.ts';
import { type FoundDone, findAll } from './row/found.ts';

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
  const moneyColumns: readonly Column[] =
    pricing === undefined ? [] : [{ key: 'saved_cost_per_month', kind: 'decimal', title: 'saved a month' }];
  const moneyCell = (isKnown: boolean, text: string | undefined): Cell =>
    isKnown ? text : { missing: 'unpriced' };
  const total = (amounts: readonly (typeof noAmount)[]) => amounts.reduce(addAmounts, noAmount);
  return {
    title: 'Findings that are done',
    ...(pricing && { currency: pricing.displayCurrency }),
    columns: [...ownColumns, ...hourColumns, ...moneyColumns, { key: 'evidence', kind: 'sentence' }],
    rows: done.map(({ finding, money: own }, index) => [
      finding.kind,
      finding.account,
      finding.project_id,
      finding.project_name ?? '',
      finding.endpoint_id,
      finding.doneAt,
      ...claimedCells(finding),
      hours[index],
      ...moneyColumns.map(() => moneyCell(own !== undefined, money[index])),
      finding.evidence,
    ]),
    totals: [
      ...['total', '', '', '', '', '', '', ''],
      showAmount(total(done.map(each => each.hours)), hourDecimals),
      ...moneyColumns.map(() => showAmount(total(done.map(each => each.money ?? noAmount)), decimals)),
      '',
    ],
    notes: [windowNote, ...(pricing === undefined ? [] : [moneyNote])],
    gaps: [],
  };
}

const windowNote =
  'A finding is done when its cause is gone: the setting was changed, the schedule stopped, the endpoint was deleted. Saved is what the endpoint used in up to four whole weeks before, less what it used in up to four whole weeks since, for a month of 30 days; so what else changed its use counts too. It is told once a week has passed since, for up to 60 days.';
const moneyNote =
  'Money is the difference of two bills of such a month at the prices of now, without the change and with it.';

const ownColumns: readonly Column[] = [
  ...['kind', 'account', 'project_id', 'project_name', 'endpoint_id'].map(key => ({
    key,
    kind: 'text' as const,
  })),
  { key: 'done_at', kind: 'instant', title: 'done' },
];
const hourColumns: readonly Column[] = [
  { key: 'claimed_compute_hours_per_month', kind: 'decimal', title: 'hours claimed, likely' },
  { key: 'most_claimed_compute_hours_per_month', kind: 'decimal', title: 'hours claimed, at most' },
  { key: 'saved_compute_hours_per_month', kind: 'decimal', title: 'hours saved a month' },
];

function claimedCells({ claimedHoursPerMonth: claimed }: DoneFinding): Cell[] {
  return [claimed?.likely?.toFixed(hourDecimals), claimed?.most.toFixed(hourDecimals)];
}

function compareDone(a: FoundDone, b: FoundDone): number {
  const moneyOf = ({ money = noAmount }: FoundDone) => money;
  return compareAmounts(moneyOf(b), moneyOf(a)) || compareAmounts(b.hours, a.hours);
}
