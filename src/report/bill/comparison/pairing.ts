import { amountOf, compareAmounts } from '../../../cost/money/money.ts';
import type { InvoiceKind } from '../../../resources/invoice-rule.ts';
import type { DecimalText } from '../../../resources/price-book.ts';
import type { BillItem } from './bill-item.ts';
import type { Sides } from './cause.ts';
import type { InvoiceLine, LineMeaning } from './invoice-line.ts';

/** A line of an invoice with what it is of ours; without a meaning nothing of ours is like it. */
export interface MeantLine {
  readonly line: InvoiceLine;
  readonly meaning: LineMeaning | undefined;
}

/** Lines of an invoice and items of a bill that are the same. */
export interface Pair extends Sides {
  readonly meaning: LineMeaning | undefined;
}

/** What lines of an invoice have in common, which items of ours must have, too. */
interface Slot {
  readonly meaning: LineMeaning;
  readonly project?: string;
  readonly lines: InvoiceLine[];
  readonly items: BillItem[];
}

/**
 * Pairs each line with the items that are the same, as finely as the invoice tells them apart: by project, plan, name and
 * price, as far as it says them. Lines that mean nothing, and items that no line is for, stay alone.
 */
export function pairUp(lines: readonly MeantLine[], items: readonly BillItem[]): readonly Pair[] {
  const slots = makeSlots(lines, new Set(items.flatMap(({ kind, project }) => (project ? [kind] : []))));
  const finestFirst = slots.toSorted((a, b) => finenessOf(b) - finenessOf(a));
  const alone: BillItem[] = [];
  for (const item of items) (finestFirst.find(slot => fits(slot, item))?.items ?? alone).push(item);
  const strange = lines.filter(({ meaning }) => meaning === undefined);
  return [
    ...slots.flatMap(splitByPrice),
    ...strange.map(({ line }) => ({ lines: [line], items: [], meaning: undefined })),
    ...groupAlike(alone).map(alike => ({ lines: [], items: alike, meaning: undefined })),
  ];
}

/** @param byProject what we charge by project: an invoice may share out a tax or a fee that we have as a whole. */
function makeSlots(lines: readonly MeantLine[], byProject: ReadonlySet<InvoiceKind>): readonly Slot[] {
  const slots = new Map<string, Slot>();
  for (const { line, meaning } of lines) {
    if (meaning === undefined) continue;
    const project = byProject.has(meaning.as) ? line.project : undefined;
    // Nothing of ours is like what is not metered: each such thing is a line of its own.
    const thing = meaning.as === 'not_metered' ? line.description : undefined;
    const key = JSON.stringify([meaning.as, meaning.plan, meaning.name, project, thing]);
    const slot = slots.get(key) ?? {
      meaning,
      ...(project !== undefined && { project }),
      lines: [],
      items: [],
    };
    slots.set(key, slot);
    slot.lines.push(line);
  }
  return [...slots.values()];
}

function finenessOf({ meaning: { plan, name }, project }: Slot): number {
  return [project, name, plan].filter(part => part !== undefined).length;
}

function fits({ meaning, project }: Slot, item: BillItem): boolean {
  return (
    meaning.as === item.kind &&
    (meaning.plan === undefined || meaning.plan === item.plan) &&
    (meaning.name === undefined || meaning.name === item.name) &&
    (project === undefined || [item.project?.project_id, item.project?.project_name].includes(project))
  );
}

/**
 * Lines beside the items of their price; those of prices that the other side has not are beside each other. Where one side
 * alone has such prices, it is another cut of the same, and stays together.
 */
function splitByPrice({ meaning, lines, items }: Slot): readonly Pair[] {
  const prices = uniquePrices(items.flatMap(({ price }) => price ?? []));
  const named = prices.filter(price => lines.some(({ unitPrice }) => isSamePrice(unitPrice, price)));
  const isNamed = (own: DecimalText | undefined) => named.some(price => isSamePrice(own, price));
  const matched = named.map(price => ({
    meaning,
    lines: lines.filter(({ unitPrice }) => isSamePrice(unitPrice, price)),
    items: items.filter(item => isSamePrice(item.price, price)),
  }));
  const rest = {
    meaning,
    lines: lines.filter(({ unitPrice }) => !isNamed(unitPrice)),
    items: items.filter(({ price }) => !isNamed(price)),
  };
  if (rest.lines.length + rest.items.length === 0) return matched;
  return rest.lines.length > 0 && rest.items.length > 0 ? [...matched, rest] : [{ meaning, lines, items }];
}

function uniquePrices(prices: readonly DecimalText[]): readonly DecimalText[] {
  return prices.filter((price, index) => prices.findIndex(other => isSamePrice(other, price)) === index);
}

function isSamePrice(one: DecimalText | undefined, other: DecimalText): boolean {
  return one !== undefined && compareAmounts(amountOf(one), amountOf(other)) === 0;
}

/** Items that are the same but for their time and price. */
function groupAlike(items: readonly BillItem[]): readonly (readonly BillItem[])[] {
  const keyOf = ({ kind, plan, name, project }: BillItem) =>
    JSON.stringify([kind, plan, name, project?.project_ref]);
  return [...Map.groupBy(items, keyOf).values()];
}
