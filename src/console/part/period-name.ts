import { lastDayOf } from '../../report/format/period-name.ts';
import { html, type Markup } from './html.ts';
import { instant } from './instant.ts';

/** A period of an answer: its first day and its last, or when it begins and ends and by which clocks its days are. */
export function periodText({
  from,
  until,
  timezone,
}: {
  readonly from: string;
  readonly until: string;
  readonly timezone: string;
}): Markup {
  if (timezone === 'UTC' && [from, until].every(at => at.slice(11, 19) === '00:00:00'))
    return html`<span>${day(from.slice(0, 10))} to ${day(lastDayOf(until))}</span>`;
  return html`<span>${instant(from)} to ${instant(until)}${timezone !== 'UTC' && html`<span>, by the days of ${timezone}</span>`}</span>`;
}

/** A day is not broken at its hyphens. */
function day(text: string): Markup {
  return html`<time class="nw" datetime=${text}>${text}</time>`;
}
