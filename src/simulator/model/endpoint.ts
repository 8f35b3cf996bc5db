import type { Operation } from './operation.ts';
import type { Branch, Project } from './project.ts';
import { avalanche } from './random.ts';

export type EndpointState = 'init' | 'active' | 'idle' | 'stopped';

/** What a client may choose of an endpoint. */
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

/** What an autoscaling endpoint has to do: from nothing much to all it can, or so little that its smallest size is enough. */
export type Load = 'varying' | 'low';

/** A compute endpoint. Instants are epoch seconds. */
export interface Endpoint {
  readonly id: string;
  readonly project: Project;
  branch: Branch;
  settings: EndpointSettings;
  state: EndpointState;
  /** Where it goes; present exactly while an operation takes it there. */
  pendingState: EndpointState | undefined;
  /** The last operation that was to take it somewhere: one that was overtaken ends without effect. */
  transition: Operation | undefined;
  stateSince: number;
  /** Of the states it has left. */
  readonly stateSeconds: Map<EndpointState, number>;
  /** Until when clients are or were connected; absent if it was never active. */
  busyUntil: number | undefined;
  /** How long the clients stay that wait for it to be active. */
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

export const defaultSettings: EndpointSettings = {
  minCu: 0.25,
  maxCu: 0.25,
  suspendTimeoutSeconds: 0,
  disabled: false,
  poolerEnabled: false,
  poolerMode: 'transaction',
  passwordlessAccess: true,
  pgSettings: {},
};

/** Seconds of inactivity after which it is suspended; infinite for never. */
export function suspendDelaySeconds({ suspendTimeoutSeconds }: EndpointSettings): number {
  if (suspendTimeoutSeconds === -1) return Number.POSITIVE_INFINITY;
  return suspendTimeoutSeconds === 0 ? 300 : suspendTimeoutSeconds;
}

/** The load, and with it the size of an autoscaling endpoint, changes once in so many seconds. */
const loadSeconds = 600;

/** Adds the use since it was last counted. Call it before state or size change and before reading. */
export function countUsage(endpoint: Endpoint): void {
  const until = endpoint.deletedAt ?? endpoint.project.timeline.now;
  if (endpoint.state === 'active') {
    const { minCu, maxCu } = endpoint.settings;
    let from = endpoint.usageCountedUntil;
    while (from < until) {
      const to =
        minCu === maxCu ? until : Math.min(until, (Math.floor(from / loadSeconds) + 1) * loadSeconds);
      endpoint.quarterCuSeconds += quarterCuAt(endpoint, from) * (to - from);
      from = to;
    }
  }
  endpoint.usageCountedUntil = until;
}

function quarterCuAt({ settings: { minCu, maxCu }, loadSalt, load }: Endpoint, second: number): number {
  if (load === 'low') return minCu * 4;
  const steps = (maxCu - minCu) * 4;
  return minCu * 4 + (avalanche(loadSalt + Math.floor(second / loadSeconds)) % (steps + 1));
}

/** Seconds in each state so far, the present one up to now (up to its deletion if it is deleted). */
export function stateSecondsOf(endpoint: Endpoint): Partial<Record<EndpointState, number>> {
  const present = (endpoint.deletedAt ?? endpoint.project.timeline.now) - endpoint.stateSince;
  const seconds = new Map(endpoint.stateSeconds);
  seconds.set(endpoint.state, (seconds.get(endpoint.state) ?? 0) + present);
  return Object.fromEntries(seconds);
}

/** When a client last used it; its creation if none ever did. */
export function lastActiveAt(endpoint: Endpoint): number {
  return Math.min(
    endpoint.busyUntil ?? endpoint.createdAt,
    endpoint.deletedAt ?? endpoint.project.timeline.now,
  );
}
