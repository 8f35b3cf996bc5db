import type { LaterProject } from './later/later-project.ts';
import type { Random } from './random.ts';
import type { Timeline } from './timeline.ts';

export interface Branch {
  readonly id: string;
  readonly name: string;
}

export type EndpointState = 'init' | 'active' | 'idle' | 'stopped';

/** The settings of an endpoint that a client may choose. */
export interface EndpointSettings {
  /** Multiples of 0.25; equal for a fixed size. */
  readonly minCu: number;
  readonly maxCu: number;
  /** 0 is the default of 300 seconds, -1 is never. */
  readonly suspendTimeoutSeconds: number;
  readonly disabled: boolean;
  readonly poolerEnabled: boolean;
  readonly poolerMode: string;
  readonly passwordlessAccess: boolean;
  readonly pgSettings: Readonly<Record<string, unknown>>;
}

/**
 * The load of an autoscaling endpoint: from nearly none to all it can take, or so little that its smallest size is
 * enough.
 */
export type Load = 'varying' | 'low';

/** A compute endpoint. Instants are epoch seconds. */
export interface SimulatedEndpoint {
  readonly id: string;
  readonly project: SimulatedProject;
  branch: Branch;
  settings: EndpointSettings;
  state: EndpointState;
  /** Where it goes; present exactly while an operation takes it there. */
  pendingState: EndpointState | undefined;
  /** The last operation that was to take it somewhere: one that was overtaken ends without effect. */
  transition: SimulatedOperation | undefined;
  stateSince: number;
  /** When it was last started and last suspended; absent if it never was. */
  startedAt: number | undefined;
  suspendedAt: number | undefined;
  /** Seconds in the states it has left. */
  readonly stateSeconds: Map<EndpointState, number>;
  /** Until when clients are or were connected; absent if it was never active. */
  busyUntil: number | undefined;
  /** How long the clients that wait for it to be active will stay, in seconds. */
  waitingSeconds: number | undefined;
  /** When it is next looked at for inactivity. */
  inactivityCheckAt: number | undefined;
  readonly createdAt: number;
  updatedAt: number;
  deletedAt: number | undefined;
  /** Finished start_compute and suspend_compute operations. */
  starts: number;
  suspends: number;
  /** Quarters of a CU are the smallest size, so that use adds up exactly in whole numbers. */
  quarterCuSeconds: number;
  usageCountedUntil: number;
  /** Drives the size of an autoscaling endpoint. */
  readonly loadSalt: number;
  readonly load: Load;
}

/** One action of the control plane. Instants are epoch seconds unless the name says otherwise. */
export interface SimulatedOperation {
  /** Its position in the project's list. */
  readonly sequence: number;
  readonly action: string;
  readonly branchId: string;
  readonly endpoint?: SimulatedEndpoint;
  /** Unique in the project, so that a cursor made of it neither loses nor repeats operations of the same second. */
  readonly createdAtMicros: number;
  /** When `scheduling` turns into `running`; infinite for one that stays as it is. */
  readonly runsAt: number;
  /** As last set; `statusAt` is what is shown. */
  status: string;
  updatedAt: number;
  failuresCount: number;
  readonly onEnd?: (succeeded: boolean) => void;
}

/** A project with all that ever belonged to it; a deleted one is kept for the truth. Instants are epoch seconds. */
export interface SimulatedProject {
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
  readonly endpoints: SimulatedEndpoint[];
  /** In order of creation. */
  readonly operations: SimulatedOperation[];
  /** The last value that `cpu_used_sec` was set to, and the quarter CU seconds used by then. */
  cpuSetting: { readonly seconds: number; readonly atQuarterCuSeconds: number };
  /** The sum of all growth of `cpu_used_sec` before it was last set back. */
  cpuSecondsBeforeReset: number;
  readonly timeline: Timeline;
  readonly random: Random;
  /** Sets this project's operation ids apart from all others. */
  readonly operationSalt: number;
  /** Absent where the service keeps to the contract. */
  readonly later: LaterProject | undefined;
}

/** The endpoints of a project that are not deleted. */
export function liveEndpoints(project: SimulatedProject): SimulatedEndpoint[] {
  return project.endpoints.filter(endpoint => endpoint.deletedAt === undefined);
}
