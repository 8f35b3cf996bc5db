import type { UsageLedger } from '../../resources/usage/ledger.ts';

/**
 * A ledger that keeps each figure it has looked up: costs, groups and budgets of one moment ask for the same instants.
 */
export function cacheReadings(ledger: UsageLedger): UsageLedger {
  const readings = new Map<number, Map<number, number>>();
  return {
    projects: ledger.projects,
    ...(ledger.endpointLives && { endpointLives: () => ledger.endpointLives?.() ?? [] }),
    ...(ledger.reconstructedUntil && {
      reconstructedUntil: (project_ref, at) => ledger.reconstructedUntil?.(project_ref, at) ?? 0,
    }),
    ...(ledger.metered && { metered: ledger.metered }),
    knownUntil: account => ledger.knownUntil(account),
    knownFrom: account => ledger.knownFrom(account),
    usedUntil(project_ref, at) {
      const known = readings.get(at) ?? new Map<number, number>();
      readings.set(at, known);
      const used = known.get(project_ref) ?? ledger.usedUntil(project_ref, at);
      known.set(project_ref, used);
      return used;
    },
  };
}
