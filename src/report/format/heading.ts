import type { Report } from './report.ts';
import { onOneLine, showInstant } from './shown-cell.ts';

/** The first line of a report for people: its title, its period and its currency. */
export function renderHeading({ title, period, currency }: Report): string {
  const { label, fromAt, untilAt, timezone } = period;
  const span = `${showInstant(fromAt, timezone)} to ${showInstant(untilAt, timezone)}`;
  const money = currency === undefined ? '' : `, in ${currency}`;
  return `${title}, ${onOneLine(label)}: ${span} (${timezone})${money}`;
}
