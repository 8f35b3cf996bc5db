import { dayMs, secondMs } from '../resources/duration.ts';
import type { AccountPlan } from './account-plan.ts';

/** The figures of several exporters that share an account; the plan beside it is that of one of them. */
export interface ShardPlan {
  readonly count: number;
  /** Projects of all shards. */
  readonly projects: number;
  /** Resident memory of one shard. */
  readonly memoryBytes: number;
  /** Series of all shards, in the mode of the configuration. */
  readonly series: number;
  /** Bytes a day that an engine takes to keep these series. */
  readonly storedBytesPerDay: number;
  /** The terms of that. */
  readonly bytesPerSample: number;
  readonly scrapeMs: number;
  /** The least number of shards of which each is as large as one exporter is proven to be at most. */
  readonly proven: number;
}

/** An exporter of this many projects and series is tested and measured. */
const provenProjects = 10_000;
const provenSeries = 2_000_000;
/** As measured of 20, 1,000, 3,000 and 10,000 projects: 170, 188, 210 and 220 MiB, with peaks of a tenth more. */
const processBytes = 190 * 1024 * 1024;
const projectBytes = 5 * 1024;
/** The most that Prometheus takes, whose engine others build on. */
const bytesPerSample = 2;
const scrapeMs = 30 * secondMs;

/** @param part the plan of one of the shards of a fleet of so many projects. */
export function planShards(part: AccountPlan, projects: number): ShardPlan {
  const count = part.sharers;
  const series = (part.series[0]?.total ?? 0) * count;
  return {
    count,
    projects,
    memoryBytes: processBytes + part.fleet.projects * projectBytes,
    series,
    storedBytesPerDay: series * (dayMs / scrapeMs) * bytesPerSample,
    bytesPerSample,
    scrapeMs,
    proven: Math.max(1, Math.ceil(projects / provenProjects), Math.ceil(series / provenSeries)),
  };
}
