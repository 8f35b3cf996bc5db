import type { EndpointView } from '../../resources/endpoint.ts';
import type { MeterAmounts } from '../../resources/meter.ts';
import type { OperationTotals } from '../../resources/operation.ts';
import type { Project } from '../../resources/project.ts';
import type { HasPeriodUse } from '../../resources/project-usage.ts';
import type { OperationProgress } from '../../resources/reading.ts';
import type { CpuCounter } from '../ledger/cpu-counter.ts';
import type { PartTotals } from './part-query.ts';

/** A project as it was last reported, with its counters. */
export interface StoredProject extends RefreshedProject, HasPeriodUse {
  readonly project_ref: number;
  readonly project: Project;
  /** Absent while `cpu_used_sec` was never reported. */
  readonly cpu?: CpuCounter;
  /** Amounts that the service ever metered; absent while nothing was read of them. */
  readonly metered?: MeterAmounts;
  /** When its use was last read for itself, by the service's clock; absent while the counter is one over the list. */
  readonly usageReadAt?: number;
}

/** A project as its own polls found it, without its entry in the list. */
export interface RefreshedProject {
  readonly lastRefreshAt?: number;
  readonly endpoints: readonly EndpointView[];
  readonly operations?: OperationTotals;
  /** What its lists of other resources come to; absent until one was read. */
  readonly parts?: PartTotals;
  readonly progress: OperationProgress;
  /** Operations that have not ended. */
  readonly openIds: readonly string[];
}
