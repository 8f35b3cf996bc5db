import type { ComputeLedger } from '../../resources/price-book.ts';
import { KnownReadings } from '../../resources/usage/known-reading.ts';
import type { UsageLedger, UsageProject } from '../../resources/usage/ledger.ts';
import { clip, type Period } from '../calendar/calendar.ts';

/**
 * The ledger that compute is charged by: the one that a price book names, or else the meter of the service as far as it is
 * complete. Before that it is what the service reported, and after it that or what the meter told so far, whichever is more.
 */
export function chooseLedger(known: UsageLedger, choice: ComputeLedger | undefined): UsageLedger {
  const ledger = withOthers(known);
  if (choice === 'reconstructed') {
    return {
      ...keepFacts(ledger),
      usedUntil: (project_ref, at) => ledger.reconstructedUntil?.(project_ref, at) ?? 0,
    };
  }
  const { metered } = ledger;
  if (choice === 'metered' || (choice === undefined && metered !== undefined))
    return meteredLedger(ledger, choice === undefined);
  return ledger;
}

/** A ledger with the projects that nothing but the meter tells of. */
function withOthers(ledger: UsageLedger): UsageLedger {
  const others = ledger.metered?.others ?? [];
  if (others.length === 0) return ledger;
  return {
    ...keepFacts(ledger),
    projects: [...ledger.projects, ...others],
    usedUntil: (project_ref, at) => ledger.usedUntil(project_ref, at),
  };
}

/** @param isCompleted whether what is reported counts in time that is not metered: otherwise the meter alone does. */
function meteredLedger(ledger: UsageLedger, isCompleted: boolean): UsageLedger {
  const { metered } = ledger;
  const projects = new Map(ledger.projects.map(project => [project.project_ref, project]));
  const spans = new Map<string, Period | undefined>();
  const spanOf = (account: string) => {
    if (!spans.has(account)) spans.set(account, metered?.knownSpan(account));
    return spans.get(account);
  };
  const meteredCuMs = (project_ref: number, at: number) =>
    1000 * (metered?.meteredUntil(project_ref, 'compute_unit_seconds', at) ?? 0);
  const reported: UsageLedger['usedUntil'] = (project_ref, at) =>
    isCompleted ? ledger.usedUntil(project_ref, at) : 0;
  /**
   * What had been reported when the meter ends. The two do not tell to the second when something was used: of a project that both
   * know from its beginning it is what was metered by then, as far as the readings around leave that open.
   */
  const seamOf = (project: UsageProject, span: Period, settled: number) => {
    const { project_ref, account, created_at = Number.NEGATIVE_INFINITY } = project;
    const knownFromAt = Math.max(span.fromAt, ledger.knownFrom(account) ?? Number.POSITIVE_INFINITY);
    const used = reported(project_ref, span.untilAt);
    if (used === settled || created_at < knownFromAt || ledger.boundsAt === undefined) return used;
    const { least, most } = ledger.boundsAt(project_ref, span.untilAt);
    return Math.max(least, Math.min(settled, most));
  };
  const seams = new Map<number, number>();
  return {
    ...keepFacts(ledger),
    knownFrom: account => {
      const [own, meteredFromAt] = [ledger.knownFrom(account), spanOf(account)?.fromAt];
      return own === undefined ? meteredFromAt : Math.min(own, meteredFromAt ?? own);
    },
    usedUntil: (project_ref, at) => {
      const project = projects.get(project_ref);
      const span = project && spanOf(project.account);
      if (project === undefined || span === undefined || at <= span.fromAt) return reported(project_ref, at);
      const { untilAt } = span;
      const counted = meteredCuMs(project_ref, Math.min(at, untilAt)) - meteredCuMs(project_ref, span.fromAt);
      const settled = reported(project_ref, span.fromAt) + counted;
      if (at <= untilAt) return settled;
      // Of newer time the meter tells less than was used, and what was reported is not known for time without readings.
      const told = meteredCuMs(project_ref, at) - meteredCuMs(project_ref, untilAt);
      if (!isCompleted) return settled + told;
      const seam = seams.get(project_ref) ?? seamOf(project, span, settled);
      seams.set(project_ref, seam);
      return settled + Math.max(told, reported(project_ref, at) - seam);
    },
  };
}

/** All that a ledger knows besides how much was used when. */
export function keepFacts(ledger: UsageLedger): Omit<UsageLedger, 'usedUntil'> {
  const { projects, metered } = ledger;
  return {
    projects,
    ...(ledger.endpointLives && { endpointLives: () => ledger.endpointLives?.() ?? [] }),
    ...(ledger.reconstructedUntil && {
      reconstructedUntil: (project_ref, at) => ledger.reconstructedUntil?.(project_ref, at) ?? 0,
    }),
    ...(ledger.boundsAt && {
      boundsAt: (project_ref, at) => ledger.boundsAt?.(project_ref, at) ?? { least: 0, most: 0 },
    }),
    ...(metered && { metered }),
    knownFrom: account => ledger.knownFrom(account),
    knownUntil: account => ledger.knownUntil(account),
  };
}

/** Whether compute of an account is by the meter, in all of a stretch of time. */
export function isByMeter(
  { metered }: Pick<UsageLedger, 'metered'>,
  choice: ComputeLedger | undefined,
  account: string,
  { fromAt, untilAt }: Period,
): boolean {
  if (choice !== undefined && choice !== 'metered') return false;
  const span = metered?.knownSpan(account);
  return span !== undefined && span.fromAt <= fromAt && untilAt <= span.untilAt;
}

/** A part of a period, and the ledger that compute in it is charged by; undefined where nothing is known of it. */
export interface LedgerPart extends Period {
  readonly ledger: ComputeLedger | undefined;
  /** The meter may still tell more of it, and counts where it tells more than was reported. */
  readonly isOpen?: true;
}

/** Which ledger the compute of an account is charged by, in order of time. */
export function ledgerParts(
  { metered }: Pick<UsageLedger, 'metered'>,
  choice: ComputeLedger | undefined,
  account: string,
  period: Period,
): LedgerPart[] {
  if (choice === 'reported' || choice === 'reconstructed') return [{ ...period, ledger: choice }];
  const other = choice === 'metered' ? undefined : 'reported';
  const span = metered?.knownSpan(account);
  if (span === undefined) return [{ ...period, ledger: other }];
  const meteredUntilAt = choice === 'metered' ? period.untilAt : span.untilAt;
  const parts: readonly LedgerPart[] = [
    { fromAt: period.fromAt, untilAt: Math.min(span.fromAt, period.untilAt), ledger: other },
    { ...clip({ fromAt: span.fromAt, untilAt: meteredUntilAt }, period), ledger: 'metered' },
    { fromAt: Math.max(meteredUntilAt, period.fromAt), untilAt: period.untilAt, ledger: other, isOpen: true },
  ];
  return parts.filter(({ fromAt, untilAt }) => fromAt < untilAt);
}

/**
 * A ledger that keeps each figure it has looked up: costs, groups and budgets of one moment ask for the same instants.
 */
export function cacheReadings(ledger: UsageLedger): UsageLedger {
  const readings = new KnownReadings((project_ref, at) => ledger.usedUntil(project_ref, at));
  return { ...keepFacts(ledger), usedUntil: (project_ref, at) => readings.get(project_ref, at) };
}
