import {
  type Amount,
  addAmounts,
  amountOf,
  compareAmounts,
  isNothing,
  negateAmount,
  noAmount,
  subtractAmounts,
  sumAmounts,
} from '../../../cost/money/money.ts';
import { timesAmountRatio } from '../../../cost/money/ratio.ts';
import type { InvoiceKind, InvoiceLineRule } from '../../../resources/invoice-rule.ts';
import type { BillItem } from './bill-item.ts';
import {
  type Cause,
  type CauseParts,
  causes,
  differenceOf,
  halfUnit,
  hiddenIn,
  isWithin,
  type Pairing,
  roundingOf,
  type Sides,
  sizeOf,
  splitDifference,
} from './cause.ts';
import { findMeaning, type InvoiceLine, type LineMeaning } from './invoice-line.ts';
import { type MeantLine, type Pair, pairUp } from './pairing.ts';

/** An invoice beside a bill. */
export interface ComparedBill {
  readonly rows: readonly ComparedRow[];
  /** Lines that are sums of others. */
  readonly leftOut: readonly InvoiceLine[];
  /** Lines that name included hours, and take nothing off. */
  readonly free: readonly InvoiceLine[];
}

/** Lines of an invoice beside what is the same of ours, and why they differ. */
export interface ComparedRow extends Sides {
  /** They add up to what the invoice has more. */
  readonly parts: CauseParts;
}

export interface ComparisonCase {
  readonly lines: readonly InvoiceLine[];
  readonly items: readonly BillItem[];
  readonly rules: readonly InvoiceLineRule[];
  /** Decimals the currency is written with. */
  readonly decimals: number;
  /** Whether the history knows a project by this id or name. */
  readonly isProject: (text: string) => boolean;
  /**
   * Hours of a project, by its id or name, or of all, that gaps in observation can hide at most; undefined where nothing
   * bounds them.
   */
  readonly hiddenAtMost: (project: string | undefined) => Amount | undefined;
}

/** Compares an invoice with a bill: the parts of all rows add up exactly to the difference of the two sums. */
export function compareBills(given: ComparisonCase): ComparedBill {
  const meant = given.lines.map(line => ({ line, meaning: findMeaning(line, given.rules, given.items) }));
  const { compared = [], left_out = [], free = [] } = Object.groupBy(meant, roleOf);
  const paired = pairUp(compared, given.items);
  const isOf = (kind: InvoiceKind) => (pair: Pair) =>
    pair.meaning?.as === kind || pair.items.some(item => item.kind === kind);
  const [isMinimum, isTax] = [isOf('minimum'), isOf('tax')];
  const others = paired.filter(pair => !isMinimum(pair) && !isTax(pair));
  const takeHidden = hiddenOnce(given);
  const rows = others.map(({ lines, items, meaning }) => {
    return { lines, items, parts: explain({ lines, items }, meaning, given, takeHidden) };
  });
  // A minimum is what use comes short of: where that differs, so does the minimum, the other way round.
  const balanced = paired.filter(isMinimum).map(({ lines, items }) => {
    return { lines, items, parts: explainMinimum({ lines, items }, rows, given) };
  });
  const base = sumParts([...rows, ...balanced]);
  const taxes = paired.filter(isTax).map(({ lines, items, meaning }) => {
    const pairing = { lines, items, decimals: given.decimals };
    const parts = splitTax(pairing, base, given.items) ?? explain(pairing, meaning, given, takeHidden);
    return { lines, items, parts };
  });
  const isShown = ({ lines, parts }: ComparedRow) => lines.length > 0 || parts.size > 0;
  const linesOf = (some: readonly MeantLine[]) => some.map(({ line }) => line);
  return {
    rows: [...rows, ...balanced, ...taxes].filter(isShown),
    leftOut: linesOf(left_out),
    free: linesOf(free),
  };
}

function roleOf({ line, meaning }: MeantLine): 'compared' | 'left_out' | 'free' {
  if (meaning?.as === 'left_out') return 'left_out';
  return meaning?.as === 'included' && !takesOff(line) ? 'free' : 'compared';
}

/** Whether a line of included hours takes an amount off. */
export function takesOff({ amount }: Pick<InvoiceLine, 'amount'>): boolean {
  return !isNothing(amountOf(amount));
}

/** The sum of each cause. */
export function sumParts(rows: readonly ComparedRow[]): CauseParts {
  const sums = causes.map((cause): [Cause, Amount] => [
    cause,
    sumAmounts(rows.flatMap(({ parts }) => parts.get(cause) ?? [])),
  ]);
  return new Map(sums.filter(([, sum]) => !isNothing(sum)));
}

/** Gives a pairing with what is left of the hours that gaps in a project, or in all, can hide: each is taken once. */
type TakeHidden = (project: string | undefined, sides: Omit<Pairing, 'hiddenAtMost'>) => Pairing;

function hiddenOnce({ hiddenAtMost }: ComparisonCase): TakeHidden {
  const takenOf = new Map<string | undefined, Amount>();
  return (project, sides) => {
    const most = hiddenAtMost(project);
    if (most === undefined) return sides;
    const taken = takenOf.get(project) ?? noAmount;
    const pairing = { ...sides, hiddenAtMost: subtractAmounts(most, taken) };
    takenOf.set(project, addAmounts(taken, hiddenIn(pairing)));
    return pairing;
  };
}

function explain(
  { lines, items }: Sides,
  meaning: LineMeaning | undefined,
  { decimals, isProject }: ComparisonCase,
  takeHidden: TakeHidden,
): CauseParts {
  const difference = differenceOf({ lines, items });
  const whole = (cause: Cause): CauseParts => new Map(isNothing(difference) ? [] : [[cause, difference]]);
  const kind = meaning?.as ?? items[0]?.kind;
  if (kind === 'rounding' || kind === 'not_metered') return whole(kind);
  if (lines.length === 0) return whole('not_invoiced');
  const { project } = lines[0] ?? {};
  if (items.length === 0 && !(kind === 'compute' && (project === undefined || isProject(project))))
    return whole('not_modelled');
  const isPriced = lines.every(line => line.quantity !== undefined && line.unitPrice !== undefined);
  if (items.length === 0 && !isPriced) return whole('quantity');
  const sides = { lines, items, decimals };
  return splitDifference(
    kind === 'compute' ? takeHidden(project, sides) : { ...sides, hiddenAtMost: noAmount },
  );
}

function explainMinimum(
  sides: Sides,
  rows: readonly ComparedRow[],
  { decimals }: ComparisonCase,
): CauseParts {
  const parts = new Map<Cause, Amount>();
  let left = differenceOf(sides);
  if (isWithin(left, roundingOf({ ...sides, decimals }))) {
    if (!isNothing(left)) parts.set('rounding', left);
    return parts;
  }
  const compute = rows.filter(({ items }) => items.some(({ kind }) => kind === 'compute'));
  const ofCompute = sumParts(compute);
  for (const cause of ['gap', 'quantity', 'price'] as const) {
    const opposite = negateAmount(ofCompute.get(cause) ?? noAmount);
    if (isNothing(left) || isNothing(opposite) || isNegative(left) !== isNegative(opposite)) continue;
    const part = compareAmounts(sizeOf(opposite), sizeOf(left)) < 0 ? opposite : left;
    parts.set(cause, part);
    left = subtractAmounts(left, part);
  }
  if (isNothing(left)) return parts;
  const cause =
    sides.lines.length === 0 ? 'not_invoiced' : sides.items.length === 0 ? 'not_modelled' : 'price';
  return parts.set(cause, addAmounts(parts.get(cause) ?? noAmount, left));
}

function isNegative(amount: Amount): boolean {
  return compareAmounts(amount, noAmount) < 0;
}

/**
 * Splits what a tax differs by as that differs which it is on; what is left is another rate. Undefined where that explains
 * nothing, such as for a tax that is on other things or that is not invoiced.
 *
 * @param base why all differs that is no tax.
 * @param items the whole bill.
 */
function splitTax(pairing: Pairing, base: CauseParts, items: readonly BillItem[]): CauseParts | undefined {
  const difference = differenceOf(pairing);
  const rounding = roundingOf(pairing);
  const taxed = sumAmounts(items.filter(({ kind }) => kind !== 'tax').map(({ amount }) => amount));
  const isAlone = pairing.lines.length === 0 || pairing.items.length === 0;
  if (isAlone || isNothing(taxed) || isWithin(difference, rounding)) return undefined;
  // Several lines are rounded each, and ours as a whole.
  if (pairing.lines.length > 1 && isWithin(difference, addAmounts(rounding, halfUnit(pairing.decimals))))
    return new Map([['rounding', difference]]);
  const tax = sumAmounts(pairing.items.map(({ amount }) => amount));
  const parts = new Map(
    [...base].map(([cause, amount]): [Cause, Amount] => [cause, timesAmountRatio(amount, tax, taxed)]),
  );
  const left = subtractAmounts(difference, sumAmounts([...parts.values()]));
  if (compareAmounts(sizeOf(left), sizeOf(difference)) >= 0) return undefined;
  const cause = isWithin(left, addAmounts(rounding, rounding)) ? 'rounding' : 'price';
  const last = addAmounts(parts.get(cause) ?? noAmount, left);
  return new Map([...parts, [cause, last] as const].filter(([, amount]) => !isNothing(amount)));
}
