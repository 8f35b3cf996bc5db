import { negateAmount, showAmount } from '../../../cost/money/money.ts';
import { differenceOf, isWithin, roundingOf } from '../comparison/cause.ts';
import type { ComparedRow } from '../comparison/comparison.ts';
import { titleOf } from './shown-row.ts';

/**
 * A sentence for each line of the invoice that nothing of ours is like, where one thing that is not invoiced has the same
 * amount: they may be the same under two names, which a rule says.
 */
export function suggestRules(rows: readonly ComparedRow[], decimals: number): readonly string[] {
  const missing = rows.filter(({ lines, items }) => lines.length === 0 && items[0]?.kind !== 'rounding');
  return rows.flatMap(({ lines: [line, ...more], items }) => {
    if (line === undefined || more.length + items.length > 0) return [];
    const [same, ...others] = missing.filter(row => {
      const both = { lines: [line], items: row.items };
      return isWithin(differenceOf(both), roundingOf({ ...both, decimals }));
    });
    const [item] = same?.items ?? [];
    if (same === undefined || item === undefined || others.length > 0) return [];
    const { kind, plan, name } = item;
    const amount = showAmount(negateAmount(differenceOf(same)), decimals);
    const rule = [
      `match: ${JSON.stringify(line.description)}`,
      `as: ${kind}`,
      ...(plan === undefined ? [] : [`plan: ${writeWord(plan)}`]),
      ...(name === undefined ? [] : [`name: ${writeWord(name)}`]),
    ];
    return [
      `"${line.description}" (${line.amount}) may be "${titleOf(same)}" (${amount}): if it is, write {${rule.join(', ')}} under reconcile.lines.`,
    ];
  });
}

/** A word of YAML, in quotes where it needs them. */
function writeWord(text: string): string {
  return /^[a-z][\w ]*$/i.test(text) ? text : JSON.stringify(text);
}
