import { KnownReadings } from '../../resources/usage/known-reading.ts';
import type { UsageLedger } from '../../resources/usage/ledger.ts';
import { keepFacts } from './chosen-ledger.ts';

/**
 * A ledger that keeps each figure it has looked up: costs, groups and budgets of one moment ask for the same instants.
 */
export function cacheReadings(ledger: UsageLedger): UsageLedger {
  const readings = new KnownReadings((project_ref, at) => ledger.usedUntil(project_ref, at));
  return { ...keepFacts(ledger), usedUntil: (project_ref, at) => readings.get(project_ref, at) };
}
