import type { LoadedConfig } from '../../config/load-config.ts';
import type { Problem } from '../../config/problem.ts';
import { labelBilling } from '../../cost/calendar/billing-name.ts';
import { type BookChange, findChange } from '../../cost/closing/book-change.ts';
import { bookInPeriod } from '../../cost/closing/book-in-period.ts';
import { readClosedPeriods } from '../../history/closing/closed-period.ts';
import { isDamage } from '../../history/file/history-error.ts';
import { listHistories } from '../../history/file/history-list.ts';
import type { ClosedPeriod } from '../../resources/closed-period.ts';
import { maxOf } from '../../resources/min-max.ts';
import { dateOf } from '../../resources/utc-date.ts';

/** A closed billing period that would be charged by another price book than it was. */
interface Repriced {
  readonly closed: ClosedPeriod;
  readonly change: BookChange;
}

/**
 * Problems of a price book that would re-price billing periods that are closed: one for each plan and change.
 *
 * @throws HistoryError when there is a history that cannot be read.
 */
export function findRepriced(loaded: Omit<LoadedConfig, 'warnings'>): Problem[] {
  const { pricing, groupings, history } = loaded.config;
  if (pricing === undefined) return [];
  const closings = readClosings(history.file);
  const repriced = closings.flatMap((closed): Repriced[] => {
    const change = findChange(closed.priceBook, bookInPeriod(pricing, closed, closed.account, groupings));
    return change === undefined ? [] : [{ closed, change }];
  });
  const lastClosedAt = maxOf(closings.map(({ untilAt }) => untilAt));
  return [...Map.groupBy(repriced, ({ change }) => JSON.stringify(change)).values()].flatMap(alike =>
    describeRepriced(alike, lastClosedAt, loaded),
  );
}

/** The closed periods; none of a history too damaged to be read, which a start sets aside. */
function readClosings(file: string): readonly ClosedPeriod[] {
  try {
    return listHistories(file).flatMap(readClosedPeriods);
  } catch (error) {
    if (isDamage(error)) return [];
    throw error;
  }
}

function describeRepriced(
  alike: readonly Repriced[],
  lastClosedAt: number,
  { config, effective }: Omit<LoadedConfig, 'warnings'>,
): Problem[] {
  const [first] = alike;
  if (first === undefined) return [];
  const { plan, setting, phrase } = first.change;
  const index = config.pricing?.plans.findIndex(({ name }) => name === plan) ?? -1;
  const own =
    setting === undefined ? undefined : effective.find(({ key }) => isAbout(key, `pricing.${setting}`));
  const key = index < 0 ? (own?.key ?? 'pricing') : `pricing.plans[${index}]`;
  const where = (effective.find(each => each.key === key) ?? effective.find(isOfPricing))?.from;
  const fromDate = dateOf(lastClosedAt);
  return [
    {
      where: where ?? 'configuration',
      key,
      found: `${phrase}, which would re-price ${describePeriods(alike)}`,
      expected:
        setting === undefined
          ? `write what held then, and what is new with from: ${fromDate} or later, or as an adjustment of such a day`
          : 'write what held then: closed periods stay as they are',
    },
  ];
}

/** Whether a setting as it is written is this one, or has it in it. */
function isAbout(key: string, setting: string): boolean {
  return setting === key || setting.startsWith(`${key}.`);
}

function isOfPricing({ key }: { readonly key: string }): boolean {
  return key.startsWith('pricing.');
}

/** Such as `the billing period 2026-10 of account main, closed on 2026-11-03`. */
function describePeriods(alike: readonly Repriced[]): string {
  const accounts = [...new Set(alike.map(({ closed }) => closed.account))];
  const of = `of account${accounts.length === 1 ? '' : 's'} ${accounts.join(', ')}`;
  const [first, ...others] = [...new Set(alike.map(({ closed }) => labelBilling(closed)))];
  const last = others.at(-1);
  if (last !== undefined) return `${others.length + 1} closed billing periods, ${first} to ${last}, ${of}`;
  const closedAt = maxOf(alike.map(({ closed }) => closed.closedAt));
  return `the billing period ${first} ${of}, closed on ${dateOf(closedAt)}`;
}
