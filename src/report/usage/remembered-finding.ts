import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { AccountSpan } from './account-span.ts';
import type { UsageAnalysis } from './analysis.ts';
import type { UsageSnapshot } from './snapshot.ts';

/** The currency amounts are shown in; empty without a price book, as there are no amounts then. */
export type Money = { readonly currency: string } | Record<string, never>;

export type AnalyzedSnapshot = UsageSnapshot & { readonly analysis: UsageAnalysis };

type FindIn<Snapshot, Finding> = (
  snapshot: Snapshot,
  span: AccountSpan,
  projects: readonly UsageProject[],
  money: Money,
) => readonly Finding[] | undefined;

/**
 * Has the findings of each account worked out once for each analysis: neither they nor what they save change sooner.
 *
 * @param find undefined where they were not looked for.
 * @returns the same, also for a snapshot from before the first analysis, of which they are undefined.
 */
export function rememberFindings<Finding>(
  find: FindIn<AnalyzedSnapshot, Finding>,
): FindIn<UsageSnapshot, Finding> {
  const found = new WeakMap<UsageAnalysis, Map<string, readonly Finding[] | undefined>>();
  return (snapshot, span, projects, money) => {
    const { analysis } = snapshot;
    if (analysis === undefined) return undefined;
    const known = found.get(analysis) ?? new Map<string, readonly Finding[] | undefined>();
    found.set(analysis, known);
    const { account } = span;
    if (!known.has(account)) known.set(account, find({ ...snapshot, analysis }, span, projects, money));
    return known.get(account);
  };
}
