import type { Span } from '../duration.ts';
import type { MeterMetric } from '../meter.ts';
import type { MatchedProject } from '../project-match.ts';

/** When a project was there: epoch milliseconds by the service's clock, as all instants here. */
export interface ProjectLife {
  /** Of a project that moved to its account from another one, when it did. */
  readonly created_at?: number;
  readonly gone_at?: number;
  /** The name it had last. */
  readonly project_name?: string | undefined;
}

/** A project that used compute, still there or not. */
export interface UsageProject extends MatchedProject, ProjectLife {
  /** Its number in the history. */
  readonly project_ref: number;
  /**
   * Lives of deleted projects in whose place it was created with the same id, and its own before it was in another account
   * meanwhile, oldest first; absent where there were none.
   */
  readonly former?: readonly ProjectLife[];
}

/** All lives of a project, oldest first. */
export function livesOf(project: UsageProject): readonly ProjectLife[] {
  return [...(project.former ?? []), project];
}

/**
 * Whether a project was there in a stretch, in any of its lives.
 *
 * @param knownFromAt since when it is taken to have been there where its creation is not known.
 */
export function wasThere(project: UsageProject, { fromAt, untilAt }: Span, knownFromAt: number): boolean {
  return livesOf(project).some(
    ({ created_at = knownFromAt, gone_at = Number.POSITIVE_INFINITY }) =>
      created_at < untilAt && gone_at > fromAt,
  );
}

/** An endpoint that is or was there; instants as those of its project. */
export interface EndpointLife {
  readonly project_ref: number;
  readonly branch_id?: string;
  readonly created_at?: number;
  readonly gone_at?: number;
}

/** The least and the most that can have been used, in CU-milliseconds. */
export interface UseBounds {
  readonly least: number;
  readonly most: number;
}

/**
 * The growth of each project's `cpu_used_sec`, spread over the time it was used in. Amounts are whole CU-milliseconds:
 * 3,600,000 of them are one compute hour. The usage between two instants is the difference of two figures, so that
 * periods add up however time is cut.
 */
export interface UsageLedger {
  /** All that were ever seen. */
  readonly projects: readonly UsageProject[];
  /**
   * The instant up to which usage of every project of an account that still exists is known; undefined before the
   * first.
   */
  knownUntil(account: string): number | undefined;
  /** The instant from which usage of the projects of an account is known; undefined while none is. */
  knownFrom(account: string): number | undefined;
  /** Usage of a project before an instant: never less for a later one. */
  usedUntil(project_ref: number, at: number): number;
  /** Usage of a project before an instant, as far as the readings around that leave open when it was; absent where they do not. */
  boundsAt?(project_ref: number, at: number): UseBounds;
  /** The endpoints that were ever seen, each life of one id by itself; absent where they are not known. */
  endpointLives?(): readonly EndpointLife[];
  /** Usage of a project before an instant, from the time its endpoints were awake; absent where that is not known. */
  reconstructedUntil?(project_ref: number, at: number): number;
  /** Absent where the service metered nothing. */
  readonly metered?: MeteredLedger | undefined;
}

/** The metered ledger: amounts of projects in the service's own units. Instants are epoch milliseconds by the service's clock. */
export interface MeteredLedger {
  /** Projects that nothing but the meter tells of: they were gone before anything else was read of them. */
  readonly others: readonly UsageProject[];
  /** The stretch in which what an account was metered will not change any more; undefined while there is none. */
  knownSpan(account: string): Span | undefined;
  /** The whole amount of a metric before an instant: never less for a later one. Within a timeframe it grows evenly. */
  meteredUntil(project_ref: number, metric: MeterMetric, at: number): number;
}

/** CU-milliseconds of a compute hour. */
export const computeHourMs = 3_600_000;
