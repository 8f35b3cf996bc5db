import { dayMs } from '../../resources/duration.ts';
import type { UsageLedger, UsageProject } from '../../resources/usage/ledger.ts';

/** Findings and savings are made from so much of the past. */
export const findingWindowMs = 28 * dayMs;
const monthMs = 30 * dayMs;
/** The use of a younger project is not taken for that of a month. */
const leastKnownMs = 3 * dayMs;

/**
 * CU-milliseconds a project uses in 30 days if it goes on as in the window of findings, or since it is known; 0 for one
 * that is gone.
 *
 * @param knownFromAt epoch milliseconds from which the use of its account is known.
 * @param untilAt end of the window.
 */
export function estimateMonthUse(
  ledger: UsageLedger,
  { project_ref, created_at = 0, gone_at }: UsageProject,
  { knownFromAt, untilAt }: { readonly knownFromAt: number; readonly untilAt: number },
): number {
  const fromAt = Math.max(untilAt - findingWindowMs, knownFromAt, created_at);
  if (gone_at !== undefined || fromAt >= untilAt) return 0;
  const used = ledger.usedUntil(project_ref, untilAt) - ledger.usedUntil(project_ref, fromAt);
  return Math.round((used * monthMs) / Math.max(untilAt - fromAt, leastKnownMs));
}
