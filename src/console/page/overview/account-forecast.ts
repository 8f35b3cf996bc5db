import { html, type Markup } from '../../part/html.ts';
import { showMoney } from '../../part/number.ts';
import { shownName } from '../../part/shown-text.ts';
import { table } from '../../part/table.ts';
import type { Spending } from './overview-answer.ts';

/** All figures behind the bars of several accounts; nothing where no forecast is known. */
export function accountForecasts(accounts: Spending['accounts'], currency: string): Markup | null {
  const rows = accounts.flatMap(({ account, cost, forecast }) =>
    forecast === null ? [] : [{ account, cost, ...forecast }],
  );
  if (rows.length === 0) return null;
  const money = (amount: string | null) => (amount === null ? '' : showMoney(amount, currency));
  return html`<details><summary>All figures of the forecasts</summary>${table({
    caption: 'Forecasts of the billing period by account',
    whenEmpty: '',
    rows,
    columns: [
      { title: 'Account', show: ({ account }) => shownName(account) },
      { title: 'So far', isNumber: true, show: ({ cost }) => money(cost) },
      { title: 'Expected at its end', isNumber: true, show: ({ expected }) => money(expected) },
      {
        title: 'Four periods in five',
        isNumber: true,
        show: ({ low80, high80 }) => `${money(low80)} to ${money(high80)}`,
      },
      {
        title: 'Nineteen in twenty',
        isNumber: true,
        show: ({ low95, high95 }) => `${money(low95)} to ${money(high95)}`,
      },
    ],
  })}</details>`;
}
