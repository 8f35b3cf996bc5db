import { dayMs, secondMs } from '../../resources/duration.ts';
import type { AccountPlan } from './account-plan.ts';

/** The figures of several exporters that share an account; the plan beside it is of one of them. */
export interface ShardPlan {
  readonly count: number;
  /** Projects of all shards. */
  readonly projects: number;
  /** Resident memory of one shard. */
  readonly memoryBytes: number;
  /** Series of all shards, in the mode of the configuration. */
  readonly series: number;
  /** Storage of each engine for these series, scraped at this interval. */
  readonly stored: Readonly<Record<StorageEngine, StoredBytes>>;
  readonly scrapeMs: number;
  /** The fewest shards that keep each within what one exporter is proven to take. */
  readonly proven: number;
}

interface StoredBytes {
  readonly perSample: number;
  readonly perDay: number;
}

/** An exporter of this many projects and series is tested and measured. */
const provenProjects = 10_000;
const provenSeries = 2_000_000;
/** As measured of 20, 1,000, 3,000 and 10,000 projects: 170, 188, 210 and 220 MiB, with peaks of a tenth more. */
const processBytes = 190 * 1024 * 1024;
const projectBytes = 5 * 1024;
const scrapeMs = 30 * secondMs;

/** @param part the plan of one of the shards of a fleet with this number of projects. */
export function planShards(part: AccountPlan, projects: number): ShardPlan {
  const count = part.sharers;
  const series = (part.series[0]?.total ?? 0) * count;
  const stored = (engine: StorageEngine): StoredBytes => {
    const perSample = storedBytesPerSample[engine];
    return { perSample, perDay: series * (dayMs / scrapeMs) * perSample };
  };
  return {
    count,
    projects,
    memoryBytes: processBytes + part.fleet.projects * projectBytes,
    series,
    stored: { prometheus: stored('prometheus'), victoriametrics: stored('victoriametrics') },
    scrapeMs,
    proven: Math.max(1, Math.ceil(projects / provenProjects), Math.ceil(series / provenSeries)),
  };
}

/**
 * Bytes that a sample takes in the engines that are measured, with its share of their index, where scrapes are late by some
 * milliseconds; rounded up. The benchmark `stored-sample` measures them. Where scrapes come on time it is about a third.
 */
export const storedBytesPerSample = {
  prometheus: 2.5,
  victoriametrics: 0.2,
} as const;

export type StorageEngine = keyof typeof storedBytesPerSample;
