import {
  type Amount,
  addAmounts,
  compareAmounts,
  currencyDecimals,
  noAmount,
  shareOut,
  showAmount,
} from '../cost/money/money.ts';
import { type DoneRow, doneColumns, doneEvidenceColumn, doneMoneyColumn } from './column/done-finding.ts';
import type { ReportContent, ReportSubject } from './content.ts';
import { hourDecimals } from './format/hour-text.ts';
import { tabulate } from './format/report.ts';
import { type FoundDone, findAll } from './row/found.ts';

/** The report of done findings: what they had claimed to save in 30 days, and what is saved, most first. */
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
      [...doneColumns, ...(pricing === undefined ? [] : [doneMoneyColumn]), doneEvidenceColumn],
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
