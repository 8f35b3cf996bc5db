import { dayMs } from '../../resources/duration.ts';
import type { UsageLedger, UsageProject } from '../../resources/usage/ledger.ts';

/** Findings are of so much of the past, and so are their savings: no more is claimed than was used in it. */
export const findingWindowMs = 30 * dayMs;

/**
 * CU-milliseconds a project used in the window of findings, or since it is known; 0 for one that is gone.
 *
 * @param knownFromAt epoch milliseconds from which the use of its account is known.
 * @param untilAt end of the window.
 */
export function readMonthUse(
  ledger: Pick<UsageLedger, 'usedUntil'>,
  { project_ref, created_at = 0, gone_at }: UsageProject,
  { knownFromAt, untilAt }: { readonly knownFromAt: number; readonly untilAt: number },
): number {
  const fromAt = Math.max(untilAt - findingWindowMs, knownFromAt, created_at);
  if (gone_at !== undefined || fromAt >= untilAt) return 0;
  return Math.round(ledger.usedUntil(project_ref, untilAt) - ledger.usedUntil(project_ref, fromAt));
}
