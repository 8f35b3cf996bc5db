import { isSome } from '../../../cost/money/decimal-sum.ts';
import { onOneLine } from '../../format/shown-cell.ts';
import { type Cause, causes, isDifference } from '../comparison/cause.ts';
import type { ShownRow } from './shown-row.ts';

const words: Readonly<Record<Cause, string>> = {
  not_modelled: 'not modelled',
  not_invoiced: 'not invoiced',
  gap: 'gap in observation',
  quantity: 'quantity',
  price: 'price',
  rounding: 'rounding',
  not_metered: 'billed, not metered',
};

/** Things named behind a cause. */
const namedRows = 3;

/** Such as `The invoice is 12.31 USD more than worked out: 10.00 not modelled (Storage), 2.30 price, 0.01 rounding.` */
export function describeDifference({
  rows,
  totals,
  currency,
}: {
  readonly rows: readonly ShownRow[];
  readonly totals: ShownRow;
  readonly currency: string;
}): string {
  const parts = describeParts(totals, causes.filter(isDifference), rows);
  const others = describeParts(totals, ['not_metered'], rows);
  const { difference, own } = totals;
  const ending = `${parts === '' ? '.' : `: ${parts}.`}${others === '' ? '' : ` Besides, ${others}.`}`;
  if (!isSome(difference)) return `The invoice is what was worked out, ${own} ${currency}${ending}`;
  const more = difference.startsWith('-') ? 'less' : 'more';
  return `The invoice is ${difference.replace('-', '')} ${currency} ${more} than worked out${ending}`;
}

/** Such as `10.00 not modelled (Storage), 2.30 price`; parts of nothing are left out. */
export function describeParts(
  { parts }: Pick<ShownRow, 'parts'>,
  meant: readonly Cause[] = causes,
  rows: readonly ShownRow[] = [],
): string {
  const said = meant.flatMap(cause => {
    const amount = parts.get(cause);
    if (amount === undefined || !isSome(amount)) return [];
    const names = cause.startsWith('not_') ? nameRows(rows, cause) : '';
    return [`${amount} ${words[cause]}${names}`];
  });
  return said.join(', ');
}

function nameRows(rows: readonly ShownRow[], cause: Cause): string {
  const titles = rows
    .filter(({ parts }) => isSome(parts.get(cause) ?? ''))
    // A tax that differs for this cause has the other side, too.
    .filter(({ own, invoiced }) => !isSome(cause === 'not_invoiced' ? invoiced : own))
    .map(({ title }) => onOneLine(title));
  const [first, ...others] = [...new Set(titles)];
  if (first === undefined) return '';
  const rest = others.length - (namedRows - 1);
  const named = [first, ...others.slice(0, namedRows - 1)].join('; ');
  return rest > 0 ? ` (${named} and ${rest} more)` : ` (${named})`;
}
