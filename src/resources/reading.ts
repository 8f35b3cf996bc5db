import type { ApiKey } from './api-key.ts';
import type { Collector, PartCollector } from './collector.ts';
import type { ProjectConsumption } from './consumption.ts';
import type { Endpoint } from './endpoint.ts';
import type { Granularity } from './meter.ts';
import type { Operation } from './operation.ts';
import type { Project } from './project.ts';
import type { NamedProject } from './project-filter.ts';
import type { CpuSource, ProjectUsage } from './project-usage.ts';
import type { Reason } from './reason.ts';

/** When a reading happened, by two clocks in epoch milliseconds: this host's, and the service's own. */
export interface Moment {
  readonly account: string;
  readonly readAt: number;
  readonly servedAt: number;
  readonly durationMs: number;
}

/** A list that was read: its items, and whether an item not in it is gone. */
export interface ListReading<Item> {
  readonly items: readonly Item[];
  /** Items that could not be used. */
  readonly rejected: number;
  /** Whether an item that the list does not hold is gone. */
  readonly complete: boolean;
}

interface ProjectListing {
  /** Where their use is read; absent while that is this list. */
  readonly cpuSource?: CpuSource;
  /** Listed, but not to be watched any more: neither shown nor gone. */
  readonly leftOut?: readonly NamedProject[];
}

/** A page of the list of projects with more to come: committed at once, it says of nothing that it is gone. */
export interface ProjectPageReading extends Moment, ProjectListing {
  readonly kind: 'project_page';
  readonly items: readonly Project[];
}

/** The end of the list of projects: its last page, or all of a list that came in one. */
export interface ProjectsReading extends Moment, ListReading<Project>, ProjectListing {
  readonly kind: 'projects';
  /**
   * Ids that pages committed before held, or that are not to be taken for gone though none did. `rejected` and
   * `complete` are those of the whole list.
   */
  readonly earlierIds?: readonly string[];
  /** How many projects the service names as unavailable instead of listing them; absent where it names none. */
  readonly unavailable?: number;
  /** Whether the service is asked for its meter. */
  readonly awaitsMeter?: true;
}

export interface ApiKeysReading extends Moment, ListReading<ApiKey> {
  readonly kind: 'api_keys';
}

/**
 * How far the operations of a project are known. They are listed newest first: everything from the newest
 * one known (`headAt`) back to `tailCursor` is in the history; without a `tailCursor`, back to the beginning.
 */
export interface OperationProgress {
  /** `created_at` of the newest operation up to which nothing is missing; absent before the first page. */
  readonly headAt?: number;
  /** Where the import goes on; absent when it reached the end. */
  readonly tailCursor?: string;
}

/** The knowledge that the next poll of a project continues from. */
export interface PollCheckpoint {
  readonly project_id: string;
  /** How far its operations are known, and which known ones have not ended. */
  readonly known: OperationProgress & { readonly openIds: readonly string[] };
  /** An endpoint is not at rest or an operation has not ended. */
  readonly busy: boolean;
  /** When its use was last read for itself, by the service's clock; absent where it never was. */
  readonly usageReadAt?: number;
}

export interface OperationsReading {
  readonly items: readonly Operation[];
  /** When the last of them were served, by the clock of the service: later than the endpoints read before them. */
  readonly servedAt: number;
  readonly rejected: number;
  /** Operations known as unfinished that the service no longer has. */
  readonly vanishedIds: readonly string[];
  /** How far the operations are known once these are committed. */
  readonly progress: OperationProgress;
}

/** One project read again; endpoints first, so that every change of state up to `servedAt` is among the operations. */
export interface ProjectReading extends Moment {
  readonly kind: 'project';
  readonly project_id: string;
  /** Absent when they could not be read; a failed reading of its own says why. Likewise `operations`. */
  readonly endpoints?: ListReading<Endpoint>;
  readonly operations?: OperationsReading;
  /** Its operations show nothing new since the last reading, so its endpoints are as they were. */
  readonly unchanged?: true;
}

/** The use of one project, of an account whose list of projects does not tell it. */
export interface ProjectUsageReading extends Moment {
  readonly kind: 'project_usage';
  readonly project_id: string;
  readonly usage: ProjectUsage & { readonly compute_time_seconds: number };
}

/** A further page of older operations, while those of a project are imported. */
export interface OperationImportReading extends Moment {
  readonly kind: 'operation_import';
  readonly project_id: string;
  readonly operations: OperationsReading;
}

/** The list that one project has of a resource. */
export interface PartReading extends Moment {
  readonly kind: 'project_part';
  readonly collector: PartCollector;
  readonly project_id: string;
  readonly list: ListReading<object>;
}

/** The service says that a project which was listed does not exist. */
export interface ProjectGoneReading extends Moment {
  readonly kind: 'project_gone';
  readonly project_id: string;
}

/** The part of the account that the meter is read of: after another one it is read from the beginning. */
interface MeterScope {
  readonly scope: string;
}

/** A page of what the service metered, by hour, day or month. */
export interface ConsumptionReading extends Moment, MeterScope {
  readonly kind: 'consumption';
  readonly granularity: Granularity;
  /** From when on it was asked for, in epoch milliseconds by the service's clock. */
  readonly fromAt: number;
  readonly items: readonly ProjectConsumption[];
  /** Set with the last page, for all of them. */
  readonly end?: Pick<ListReading<ProjectConsumption>, 'rejected' | 'complete'>;
}

/** The service does not offer its meter: it answered 403 or 404. */
export interface ConsumptionRefusal extends Moment, MeterScope {
  readonly kind: 'consumption_refused';
  readonly reason: Reason;
}

export interface FailedReading extends Moment {
  readonly kind: 'failure';
  readonly collector: Collector;
  readonly reason: Reason;
  /** The project that was being read, for the collectors that read one at a time. */
  readonly project_id?: string;
  /** The use of the project alone could not be read: an error, which says nothing of the list. */
  readonly ofUse?: true;
}

/** How far one granularity of the meter is read. */
interface MeterPass {
  /** Timeframes that begin before have stopped growing; by the service's clock. Absent until all were read once. */
  readonly settledUntilAt?: number;
  /** When it was last read to its end, by this host's clock. */
  readonly readAt?: number;
}

/** The state from which the next reading of the meter goes on. */
export interface MeterState {
  readonly scope: string;
  /** When the service last said that it does not offer its meter, by this host's clock; absent once it does. */
  readonly refusedAt?: number;
  readonly passes: Readonly<Partial<Record<Granularity, MeterPass>>>;
}

/** An answer of the service as polling hands it to the history: committed whole or not at all. */
export type Reading =
  | ProjectPageReading
  | ProjectsReading
  | ApiKeysReading
  | ProjectReading
  | ProjectUsageReading
  | OperationImportReading
  | ProjectGoneReading
  | PartReading
  | ConsumptionReading
  | ConsumptionRefusal
  | FailedReading;

/** Fields of the service whose values are held back when they cannot be true. */
export const implausibleFields = [
  'cpu_used_sec',
  'created_at',
  'updated_at',
  'last_active',
  'last_used_at',
] as const;
export type ImplausibleField = (typeof implausibleFields)[number];

/** A value of the service that cannot be true. */
export interface ImplausibleValue {
  readonly field: ImplausibleField;
  /** The id of the project or the key that has it. */
  readonly id: string;
  /** Compute seconds, or an instant in epoch milliseconds. */
  readonly value: number;
}
