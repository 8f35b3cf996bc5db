import type { WireItem } from '../../support/reading-builder.ts';
import { busyProjects } from './busy-set.ts';
import { branchId, endpointId, operationId, projectId, scatter } from './fleet-name.ts';

export interface WireFleetOptions {
  readonly projects: number;
  readonly busyShare: number;
  /** Epoch milliseconds: what happened, happened before. */
  readonly now: number;
}

const region_id = 'eu-central-1';
const proxy_host = `${region_id}.db.example`;
const dayMs = 86_400_000;
/** A start and a suspension every two days. */
export const operationIntervalMs = dayMs;
export const operationDurationMs = 4000;
/** Seconds of compute that a busy project uses from one list poll to the next. */
const usedPerSweepSec = 15;
const listPollMs = 15_000;
/** Operations with lower numbers are those of the days before. */
const firstOfSweeps = 1000;

/** A fleet as the service shows it: one endpoint a project, an operation a day, sizes as live services answer. */
export class WireFleet {
  readonly options: WireFleetOptions;
  readonly #usedSec: Float64Array;
  readonly #usedAt: Float64Array;
  /** The busy projects by index, and the sweep each was started in. */
  #busy: ReadonlyMap<number, number> = new Map();
  #listPoll = 0;

  constructor(options: WireFleetOptions) {
    this.options = options;
    this.#usedSec = Float64Array.from({ length: options.projects }, (_, index) => scatter(index, 1_000_000));
    this.#usedAt = new Float64Array(options.projects).fill(options.now - dayMs);
  }

  /** Time goes on by one sweep: some projects are started, the busy ones use compute. */
  advance(busyShare = this.options.busyShare): void {
    this.#listPoll += 1;
    const before = this.#busy;
    const busy = busyProjects(this.options.projects, busyShare, this.#listPoll);
    this.#busy = new Map([...busy].map(index => [index, before.get(index) ?? this.#listPoll]));
    for (const index of busy) {
      this.#usedSec[index] = this.usedSec(index) + usedPerSweepSec;
      this.#usedAt[index] = this.options.now + this.#listPoll * listPollMs;
    }
  }

  /** Items of the list of projects. */
  projects(from: number, limit: number): readonly WireItem[] {
    const length = Math.max(0, Math.min(limit, this.options.projects - from));
    return Array.from({ length }, (_, offset) => this.#project(from + offset));
  }

  usedSec(index: number): number {
    return this.#usedSec[index] ?? 0;
  }

  busy(): readonly number[] {
    return [...this.#busy.keys()];
  }

  endpoint(index: number): WireItem {
    const id = endpointId(index);
    return {
      id,
      host: `${id}.${proxy_host}`,
      project_id: projectId(index),
      branch_id: branchId(index),
      region_id,
      type: 'read_write',
      autoscaling_limit_min_cu: 0.25,
      autoscaling_limit_max_cu: 2,
      current_state: this.#busy.has(index) ? 'active' : 'idle',
      settings: { pg_settings: { max_connections: '112', work_mem: '4MB' } },
      pooler_enabled: false,
      pooler_mode: 'transaction',
      disabled: false,
      passwordless_access: false,
      last_active: instant(this.options.now - dayMs),
      created_at: instant(this.createdAt(index)),
      updated_at: instant(this.options.now - dayMs),
      proxy_host,
    };
  }

  /** The newest operations, newest first; that of a busy project is its start. */
  operations(index: number, limit: number): readonly WireItem[] {
    const { now } = this.options;
    const newest = Math.floor((now - this.createdAt(index)) / operationIntervalMs) - 1;
    const daily = Array.from({ length: newest + 1 }, (_, back) => newest - back)
      .slice(0, limit)
      .map(operation =>
        this.#operation(index, operation, operation % 2 === 0, this.operationAt(index, operation)),
      );
    const listPoll = this.#busy.get(index);
    if (listPoll === undefined) return daily;
    return [
      this.#operation(index, firstOfSweeps + listPoll, true, now + listPoll * 1000),
      ...daily.slice(0, -1),
    ];
  }

  /** Some time of the day that is the project's own, more than a year ago. */
  createdAt(index: number): number {
    return this.options.now - 400 * dayMs - scatter(index, 86_400) * 1000;
  }

  operationAt(index: number, operation: number): number {
    return this.createdAt(index) + (operation + 1) * operationIntervalMs;
  }

  #operation(index: number, operation: number, starts: boolean, createdAt: number): WireItem {
    return {
      id: operationId(index, operation),
      project_id: projectId(index),
      branch_id: branchId(index),
      endpoint_id: endpointId(index),
      action: starts ? 'start_compute' : 'suspend_compute',
      status: 'finished',
      failures_count: 0,
      created_at: instant(createdAt),
      updated_at: instant(createdAt + operationDurationMs),
    };
  }

  #project(index: number): WireItem {
    return {
      id: projectId(index),
      name: `project ${index}`,
      platform_id: 'aws',
      region_id,
      provisioner: 'k8s-pod',
      pg_version: 17,
      locked: false,
      cpu_used_sec: this.usedSec(index),
      branch_logical_size_limit: 204_800,
      proxy_host,
      created_at: instant(this.createdAt(index)),
      updated_at: instant(this.#usedAt[index] ?? 0),
    };
  }
}

function instant(at: number): string {
  return new Date(at).toISOString();
}
