import { html, type Markup } from './html.ts';
import { instant } from './instant.ts';

/** A period of an answer: when it begins and ends, and by which clocks its days are. */
export function periodText({
  from,
  until,
  timezone,
}: {
  readonly from: string;
  readonly until: string;
  readonly timezone: string;
}): Markup {
  return html`<span>${instant(from)} to ${instant(until)}${timezone !== 'UTC' && html`<span>, by the days of ${timezone}</span>`}</span>`;
}
