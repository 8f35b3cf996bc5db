import type { Endpoint } from './endpoint.ts';
import type { Operation } from './operation.ts';
import type { Random } from './random.ts';
import type { Timeline } from './timeline.ts';

export interface Branch {
  readonly id: string;
  readonly name: string;
}

/** A project with all that ever belonged to it; a deleted one is kept for the truth. Instants are epoch seconds. */
export interface Project {
  readonly id: string;
  readonly name: string;
  readonly platformId: string;
  readonly regionId: string;
  readonly pgVersion: number;
  readonly createdAt: number;
  updatedAt: number;
  deletedAt: number | undefined;
  /** The first one is the primary branch, main. */
  readonly branches: Branch[];
  /** In order of creation, deleted ones included. */
  readonly endpoints: Endpoint[];
  /** In order of creation. */
  readonly operations: Operation[];
  /** What `cpu_used_sec` was last set to, and how many quarter CU seconds had been used by then. */
  cpuSetting: { readonly seconds: number; readonly atQuarterCuSeconds: number };
  /** What `cpu_used_sec` had added up to before it was last set back. */
  cpuSecondsBeforeReset: number;
  readonly timeline: Timeline;
  readonly random: Random;
  /** Sets this project's operation ids apart from all others. */
  readonly operationSalt: number;
}

export function liveEndpoints(project: Project): Endpoint[] {
  return project.endpoints.filter(endpoint => endpoint.deletedAt === undefined);
}
