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
import { doneHours, type FoundFindings, findAll } from './row/found-finding.ts';

/** The report of done findings: what they had claimed to save in 30 days, and what is saved, most first. */
export function reportDone(subject: ReportSubject): ReportContent {
  const pricing = subject.request.config.pricing;
  const done = findAll(subject).done.toSorted(compareDone);
  const decimals = pricing === undefined ? 0 : currencyDecimals(pricing.displayCurrency);
  const [hours, money] = [done.map(doneHours), done.map(doneMoney)];
  const hourTexts = shareOut(hours, hourDecimals);
  const moneyTexts = shareOut(money, decimals);
  const total = (amounts: readonly Amount[], places: number) =>
    showAmount(amounts.reduce(addAmounts, noAmount), places);
  return {
    title: 'Findings that are done',
    ...(pricing && { currency: pricing.displayCurrency }),
    ...tabulate<DoneRow>(
      [...doneColumns, ...(pricing === undefined ? [] : [doneMoneyColumn]), doneEvidenceColumn],
      done.map(({ finding }, index) => ({
        ...{ finding, savedHours: hourTexts[index] },
        savedMoney: finding.costPerMonth === undefined ? { missing: 'unpriced' } : moneyTexts[index],
      })),
      { savedHours: total(hours, hourDecimals), savedMoney: total(money, decimals) },
    ),
    notes: [windowNote, ...(pricing === undefined ? [] : [moneyNote])],
    gaps: [],
  };
}

const windowNote =
  'A finding is done when its cause is gone: the setting was changed, the schedule stopped, the endpoint was deleted. Saved is what the endpoint used in up to four whole weeks before, less what it used in up to four whole weeks since, for a month of 30 days; so what else changed its use counts too. It is told once a week has passed since, for up to 60 days.';
const moneyNote =
  'Money is the difference of two bills of such a month at the prices of now, without the change and with it.';

type Done = FoundFindings['done'][number];

const doneMoney = ({ finding: { costPerMonth = noAmount } }: Done) => costPerMonth;

function compareDone(a: Done, b: Done): number {
  return compareAmounts(doneMoney(b), doneMoney(a)) || compareAmounts(doneHours(b), doneHours(a));
}
