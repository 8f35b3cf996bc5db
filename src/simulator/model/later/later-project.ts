import { createMeterBook, type MeterBook } from '../meter/meter-book.ts';
import { createProjectMeter, type ProjectMeter } from '../meter/project-meter.ts';
import type { Random } from '../random.ts';

/** Limits of a project for the present period, under their names in answers; absent where there is none. */
export const quotaLimits = [
  'active_time_seconds',
  'compute_time_seconds',
  'written_data_bytes',
  'data_transfer_bytes',
  'logical_size_bytes',
] as const;

export type QuotaLimit = (typeof quotaLimits)[number];
export type Quota = Readonly<Partial<Record<QuotaLimit, number>>>;

/** The part of a project that only later versions of the service know. Instants are epoch seconds. */
export interface LaterProject {
  readonly meter: ProjectMeter;
  readonly book: MeterBook;
  /** Absent for a project of a person. */
  readonly orgId: string | undefined;
  quota: Quota;
  /** When the service found a limit reached; it keeps the endpoints suspended until the period ends. */
  quotaReachedAt: number | undefined;
  /** How often a limit was found reached. */
  quotasReached: number;
  /** Whether the list leaves it out and names it as unavailable. */
  isUnavailable: boolean;
}

export function createLaterProject(
  { id, createdAt }: { readonly id: string; readonly createdAt: number },
  orgId: string | undefined,
  quota: Quota,
): LaterProject {
  const meter = createProjectMeter(id, createdAt);
  return {
    meter,
    book: createMeterBook(meter),
    orgId,
    quota,
    quotaReachedAt: undefined,
    quotasReached: 0,
    isUnavailable: false,
  };
}

/** One project in twelve has a limit of compute time for a period, which some of them reach. */
export function drawQuota(random: Random): Quota {
  if (!random.chance(1 / 12)) return {};
  return { compute_time_seconds: 10_000 * random.integer(5, 200), logical_size_bytes: 2 ** 37 };
}
