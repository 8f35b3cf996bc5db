import type { Emit } from '../family.ts';

/** Lines of a bill: what was used, and the charges. */
const billLines = [
  'compute',
  'storage',
  'transfer',
  'branches',
  'base_fee',
  'minimum',
  'counted',
  'line',
  'allowance',
  'credit',
  'adjustment',
  'tax',
  'rounding',
] as const;
export type BillLine = (typeof billLines)[number];

/** Cost of a line of a bill, in the display currency. */
export interface LineCost {
  readonly line: BillLine;
  readonly cost: number;
}

/** Something that has cost by the line of the bill. */
interface HasLineCosts {
  readonly currency?: string;
  readonly lineCosts?: readonly LineCost[];
}

/** A sample of what something costs, where there is a currency. */
export function emitCost(
  { currency, cost }: { readonly currency?: string; readonly cost?: number },
  emit: Emit,
): void {
  if (currency !== undefined) emit(cost, currency);
}

/** A sample for each line there is. */
export function emitLines({ currency, lineCosts = [] }: HasLineCosts, emit: Emit): void {
  if (currency !== undefined) for (const { line, cost } of lineCosts) emit(cost, currency, line);
}
