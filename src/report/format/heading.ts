import type { Report } from './report.ts';
import { onOneLine, showInstant } from './shown-cell.ts';

/** What is reported, of when, and in what currency. */
export function renderHeading({ title, period, currency }: Report): string {
  const { label, fromAt, untilAt, timezone } = period;
  const span = `${showInstant(fromAt, timezone)} to ${showInstant(untilAt, timezone)}`;
  const money = currency === undefined ? '' : `, in ${currency}`;
  return `${title}, ${onOneLine(label)}: ${span} (${timezone})${money}`;
}
