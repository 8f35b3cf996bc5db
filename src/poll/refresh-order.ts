/** What the order of refreshing needs to know of a project; instants in epoch milliseconds by this host's clock. */
export interface RefreshCandidate {
  readonly project_id: string;
  /** Absent when it was not read since the daemon started. */
  readonly lastReadAt?: number;
  /** The list of projects shows it differently than when it was last read. */
  readonly changed: boolean;
  /** An endpoint is not at rest or an operation has not ended. */
  readonly busy: boolean;
  /** Absent while its last reading succeeded. */
  readonly failing?: { readonly since: number; readonly lastTriedAt: number };
}

export interface RefreshLimits {
  readonly idleRefreshMs: number;
  /** How many projects the request budget can refresh until the next sweep, those not yet due included. */
  readonly capacity: number;
}

/**
 * The first and then one in so many goes to whoever waited longest, whatever the others need: nothing starves,
 * even when only one project can be read between two sweeps.
 */
const longestWaitingShare = 4;
const longestRetryMs = 5 * 60_000;

/**
 * The projects to read until the next sweep, most urgent first: what changed, what was never read, what is busy,
 * what is idle and due or keeps failing. Spare capacity goes to those that are not due yet, longest unread first.
 */
export function orderRefreshes(
  candidates: readonly RefreshCandidate[],
  now: number,
  { idleRefreshMs, capacity }: RefreshLimits,
): readonly string[] {
  const ready = candidates.filter(candidate => mayTry(candidate, now));
  const due = ready.filter(candidate => isDue(candidate, now, idleRefreshMs));
  const byAge = (a: RefreshCandidate, b: RefreshCandidate) => lastTouchedAt(a) - lastTouchedAt(b);
  const urgent = due.toSorted((a, b) => urgency(a) - urgency(b) || byAge(a, b));
  const oldest = due.toSorted(byAge);
  const dueIds = new Set(due.map(({ project_id }) => project_id));
  const spare = ready.filter(({ project_id }) => !dueIds.has(project_id)).sort(byAge);
  const ordered = interleave(urgent, oldest).map(({ project_id }) => project_id);
  const spareIds = spare.slice(0, Math.max(0, capacity - ordered.length));
  return [...ordered, ...spareIds.map(({ project_id }) => project_id)];
}

function isDue({ changed, busy, lastReadAt, failing }: RefreshCandidate, now: number, idleRefreshMs: number) {
  if (changed || busy || failing !== undefined || lastReadAt === undefined) return true;
  return hasPassed(lastReadAt, idleRefreshMs, now);
}

/** An instant of the future was noted before the clock was set back: what waits for it has waited long enough. */
function hasPassed(sinceAt: number, durationMs: number, now: number): boolean {
  return sinceAt > now || now - sinceAt >= durationMs;
}

/** A failed attempt takes its turn like a reading, so that those that keep failing do not hold up the others. */
function lastTouchedAt({ lastReadAt = 0, failing }: RefreshCandidate): number {
  return Math.max(lastReadAt, failing?.lastTriedAt ?? 0);
}

/** A project that keeps failing is tried less and less often: again after as long as it has been failing. */
function mayTry({ failing }: RefreshCandidate, now: number): boolean {
  if (failing === undefined) return true;
  const waitMs = Math.min(failing.lastTriedAt - failing.since, longestRetryMs);
  return hasPassed(failing.lastTriedAt, waitMs, now);
}

function urgency({ changed, busy, lastReadAt, failing }: RefreshCandidate): number {
  if (failing !== undefined) return 3;
  if (lastReadAt !== undefined && changed) return 0;
  if (lastReadAt === undefined) return 1;
  return busy ? 2 : 3;
}

function interleave(
  urgent: readonly RefreshCandidate[],
  oldest: readonly RefreshCandidate[],
): readonly RefreshCandidate[] {
  const taken = new Set<RefreshCandidate>();
  const rest = { urgent: urgent.values(), oldest: oldest.values() };
  for (let turn = 1; taken.size < urgent.length; turn += 1) {
    for (const candidate of turn % longestWaitingShare === 1 ? rest.oldest : rest.urgent) {
      if (taken.has(candidate)) continue;
      taken.add(candidate);
      break;
    }
  }
  return [...taken];
}
