import { addressOf } from './address.ts';
import { html, type Markup } from './html.ts';
import { periodName } from './period-name.ts';

/** A period that a reader is offered, with the days it has. */
export interface OfferedPeriod {
  /** The word for it in addresses. */
  readonly period: string;
  readonly first_day: string;
  readonly last_day: string;
}

/** Links to the same page of other periods. */
export function periodLinks<Query extends { readonly period: string }>(
  path: string,
  query: Query & { readonly [Key in keyof Query]: string | undefined },
  periods: readonly OfferedPeriod[],
): Markup {
  const link = ({ period, first_day, last_day }: OfferedPeriod) =>
    html`<li><a href=${addressOf(path, { ...query, period })} aria-current=${period === query.period ? 'true' : null}>${periodName(period)}</a> <span class="detail">${first_day} to ${last_day}</span></li>`;
  return html`<ul class="quick">${periods.map(link)}</ul>`;
}
