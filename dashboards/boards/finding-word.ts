import type { BranchFinding, FindingKind } from '../../src/resources/finding.ts';

interface FindingWord {
  /** The reason, as people say it. */
  readonly reason: string;
  /** The change to make. */
  readonly advice: string;
}

const findingWords: Readonly<Record<FindingKind, FindingWord>> = {
  awake_unused: { reason: 'Awake but unused', advice: 'delete it, or let it auto-suspend' },
  woken_by_checks: { reason: 'Woken by checks only', advice: 'delete its branch, or disable it' },
  never_suspends: {
    reason: 'Never suspends',
    advice: 'shorten its delay, or find what uses it',
  },
  woken_on_period: { reason: 'Woken by a schedule', advice: 'run that job less often, or elsewhere' },
  idle_tail: { reason: 'Awake long after its work', advice: 'shorten its auto-suspend delay' },
  longer_than_needed: { reason: 'Sleeps too late', advice: 'shorten its auto-suspend delay' },
  floor_size: { reason: 'Larger than it needs', advice: 'lower its smallest size: it can still scale up' },
};

const projectReasons: Readonly<Record<BranchFinding['kind'], string>> = {
  branch_sprawl: 'Branches nobody uses',
};

const entries = Object.entries(findingWords);

/** The reason of each finding, by its kind. */
export const findingReasons: Readonly<Record<string, string>> = {
  ...Object.fromEntries(entries.map(([kind, { reason }]) => [kind, reason])),
  ...projectReasons,
};

/** The reason of each finding of endpoints and what to do, by its kind. */
export const findingAdvice: Readonly<Record<string, string>> = Object.fromEntries(
  entries.map(([kind, { reason, advice }]) => [kind, `${reason}: ${advice}`]),
);
