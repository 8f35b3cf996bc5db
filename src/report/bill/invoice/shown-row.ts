import { addDecimals, decimalsOf, isSome, subtractDecimals } from '../../../cost/money/decimal-sum.ts';
import {
  type Amount,
  amountOf,
  compareAmounts,
  noAmount,
  shareOut,
  showAmount,
  sumAmounts,
} from '../../../cost/money/money.ts';
import { compact } from '../../../resources/field.ts';
import { maxOf } from '../../../resources/min-max.ts';
import type { DecimalText } from '../../../resources/price-book.ts';
import type { BillItem } from '../comparison/bill-item.ts';
import { type Cause, causes, isDifference } from '../comparison/cause.ts';
import type { ComparedRow } from '../comparison/comparison.ts';

/**
 * A row of a comparison with its numbers rounded: what is invoiced, less the parts, is what was worked out. What is billed and
 * not metered is a part, and no difference.
 */
export interface ShownRow {
  readonly title: string;
  readonly project?: string;
  readonly invoicedQuantity?: DecimalText;
  readonly ownQuantity?: DecimalText;
  readonly invoicedPrice?: DecimalText;
  readonly ownPrice?: DecimalText;
  readonly invoiced: DecimalText;
  readonly own: DecimalText;
  readonly difference: DecimalText;
  readonly parts: ReadonlyMap<Cause, DecimalText>;
  readonly isTotal?: boolean;
}

const quantityDecimals = 2;

/** Rounds what was worked out as a bill is, and then the causes of each row, so that rows and their total all add up; the largest differences first. */
export function showRows(
  compared: readonly ComparedRow[],
  decimals: number,
): { readonly rows: readonly ShownRow[]; readonly totals: ShownRow } {
  const places = Math.max(
    decimals,
    maxOf(compared.flatMap(({ lines }) => lines.map(line => decimalsOf(line.amount)))),
  );
  const workedOut = compared.map(({ items }) => sumAmounts(items.map(({ amount }) => amount)));
  const own = shareOut(workedOut, places);
  const shown = compared.map((each, row) => showRow(each, own[row] ?? showAmount(noAmount, places)));
  const sum = (values: readonly DecimalText[]) => addDecimals(values) ?? showAmount(noAmount, places);
  const parts = causes.flatMap((cause): [Cause, DecimalText][] => {
    const found = shown.flatMap(row => row.parts.get(cause) ?? []);
    return found.length === 0 ? [] : [[cause, sum(found)]];
  });
  const totals: ShownRow = {
    title: 'total',
    invoiced: sum(shown.map(row => row.invoiced)),
    own: sum(shown.map(row => row.own)),
    difference: sum(shown.map(row => row.difference)),
    parts: new Map(parts),
    isTotal: true,
  };
  const isNone = (row: ShownRow, index: number) =>
    compared[index]?.lines.length === 0 && ![...row.parts.values()].some(isSome);
  const rows = shown.filter((row, index) => !isNone(row, index));
  return { rows: rows.toSorted(byDifference), totals };
}

function showRow({ lines, items, parts }: ComparedRow, own: DecimalText): ShownRow {
  const places = decimalsOf(own);
  const invoiced = showAmount(sumAmounts(lines.map(line => amountOf(line.amount))), places);
  const texts = shareOut([...parts.values()], places, subtractDecimals(invoiced, own));
  const shown = new Map([...parts.keys()].map((cause, index) => [cause, texts[index] ?? ''] as const));
  const differing = [...shown].flatMap(([cause, part]) => (isDifference(cause) ? [amountOf(part)] : []));
  const project = lines.length === 0 ? projectOf(items) : onlyOne(lines.map(line => line.project));
  return {
    title: titleOf({ lines, items }),
    ...(project !== undefined && { project }),
    ...quantitiesOf(lines, items),
    ...pricesOf(lines, items),
    ...{ invoiced, own, difference: showAmount(sumAmounts(differing), places), parts: shown },
  };
}

/** The name on the invoice, or else in the price book. */
export function titleOf({ lines, items }: Pick<ComparedRow, 'lines' | 'items'>): string {
  const [first, ...others] = [...new Set(lines.map(({ description }) => description))];
  if (first !== undefined) return others.length === 0 ? first : `${first} and ${others.length} more`;
  const [{ kind, name, plan } = { kind: 'line', name: undefined, plan: undefined }] = items;
  const words = name ?? kind.replaceAll('_', ' ');
  return plan === undefined ? words : `${words}, ${plan}`;
}

function projectOf([item]: readonly BillItem[]): string | undefined {
  return item?.project?.project_name ?? item?.project?.project_id;
}

function quantitiesOf(lines: ComparedRow['lines'], items: ComparedRow['items']) {
  const invoiced = lines.flatMap(({ quantity }) => quantity ?? []);
  const own = items.flatMap(({ quantity }) => quantity ?? []);
  const places = Math.max(quantityDecimals, maxOf(invoiced.map(decimalsOf)));
  const show = (amounts: readonly Amount[]) => showAmount(sumAmounts(amounts), places);
  return {
    ...(invoiced.length > 0 && { invoicedQuantity: show(invoiced.map(quantity => amountOf(quantity))) }),
    ...(own.length > 0 && { ownQuantity: show(own) }),
  };
}

/** A price, where all have the same. */
function pricesOf(lines: ComparedRow['lines'], items: ComparedRow['items']) {
  return compact({
    invoicedPrice: onlyOne(lines.map(({ unitPrice }) => unitPrice)),
    ownPrice: onlyOne(items.map(({ price }) => price)),
  });
}

/** What all have; undefined where some have another one. */
function onlyOne(values: readonly (string | undefined)[]): string | undefined {
  const [first, ...others] = new Set(values);
  return others.length === 0 ? first : undefined;
}

function byDifference(a: ShownRow, b: ShownRow): number {
  const size = ({ difference }: ShownRow) => amountOf(difference.replace('-', ''));
  return compareAmounts(size(b), size(a));
}
