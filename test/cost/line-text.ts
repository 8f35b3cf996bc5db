import type { Period } from '../../src/cost/calendar/calendar.ts';
import { amountNumber } from '../../src/cost/money/money.ts';
import type { CostLine } from '../../src/cost/rating/cost-line.ts';
import { computeHourMs } from '../../src/resources/usage/ledger.ts';

export function stretch(from: string, until: string): Period {
  return { fromAt: Date.parse(from), untilAt: Date.parse(until) };
}

/** A line as it is worked out by hand: compute hours and plain money. */
export function lineText({ kind, account, project, fromAt, untilAt, charge, ...use }: CostLine): string {
  const hours = (cuMs: number) => cuMs / computeHourMs;
  const parts = [
    hours(use.includedCuMs) > 0 ? `${hours(use.includedCuMs)} included` : '',
    hours(use.billedCuMs) > 0 ? `${hours(use.billedCuMs)} billed` : '',
    hours(use.unpricedCuMs) > 0 ? `${hours(use.unpricedCuMs)} unpriced` : '',
    charge === undefined ? '' : `${amountNumber(charge.amount)} ${charge.currency}`,
    charge?.displayAmount === undefined ? '' : `shown as ${amountNumber(charge.displayAmount)}`,
  ];
  const who = kind === 'minimum' ? `${account} minimum` : project?.project_id;
  return `${who} ${day(fromAt)}..${day(untilAt)}: ${parts.filter(part => part !== '').join(', ')}`;
}

function day(at: number): string {
  return new Date(at)
    .toISOString()
    .replace(/T00:00:00\.000Z$/, '')
    .replace(/:00\.000Z$/, 'Z');
}
