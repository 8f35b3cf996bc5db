import type { Report, ReportSpan } from './report.ts';
import { onOneLine, showInstant } from './shown-cell.ts';

/** The first line of a report for people: its title, its period and its currency. */
export function renderHeading({ title, period, currency }: Report): string {
  const money = currency === undefined ? '' : `, in ${currency}`;
  return `${title}, ${renderPeriod(period)}${money}`;
}

/** A period as it was asked for, and from when to when it is. */
export function renderPeriod({ label, fromAt, untilAt, timezone }: ReportSpan): string {
  const span = `${showInstant(fromAt, timezone)} to ${showInstant(untilAt, timezone)}`;
  return `${onOneLine(label)}: ${span} (${timezone})`;
}
