import { apiKeyList } from '../../src/resources/api-key.ts';
import { branchList } from '../../src/resources/branch.ts';
import { endpointList } from '../../src/resources/endpoint.ts';
import type { ListDefinition } from '../../src/resources/list-definition.ts';
import { operationList } from '../../src/resources/operation.ts';
import { projectList } from '../../src/resources/project.ts';
import { decodeProjectUsage } from '../../src/resources/project-usage.ts';
import type {
  ApiKeysReading,
  FailedReading,
  OperationImportReading,
  OperationProgress,
  PartReading,
  ProjectGoneReading,
  ProjectReading,
  ProjectsReading,
  ProjectUsageReading,
} from '../../src/resources/reading.ts';

/** Items as they come over the wire; readings decode them as the daemon does. */
export type WireItem = Readonly<Record<string, unknown>>;

interface ReadingOptions {
  readonly account?: string;
  readonly durationMs?: number;
  /** The service's clock, when it is not this host's. */
  readonly servedAt?: number;
}
interface ListOptions extends ReadingOptions {
  readonly complete?: boolean;
}
interface OperationOptions extends ReadingOptions {
  readonly vanishedIds?: readonly string[];
  readonly progress?: OperationProgress;
}

/** The moment most tests begin: 2026-11-21T10:00:00Z. */
export const startAt = Date.UTC(2026, 10, 21, 10);
export const second = 1000;
export const minute = 60 * second;
export const day = 24 * 60 * minute;

export function instant(at: number): string {
  return new Date(at).toISOString();
}

export function projectsReading(at: number, items: readonly unknown[], options: ListOptions = {}) {
  return {
    kind: 'projects',
    ...moment(at, options),
    ...decode(projectList, items, options),
  } satisfies ProjectsReading;
}

export function apiKeysReading(at: number, items: readonly unknown[], options: ListOptions = {}) {
  return {
    kind: 'api_keys',
    ...moment(at, options),
    ...decode(apiKeyList, items, options),
  } satisfies ApiKeysReading;
}

export function branchesReading(
  at: number,
  project_id: string,
  items: readonly unknown[],
  options: ListOptions = {},
): PartReading {
  const list = decode(branchList, items, options);
  return { kind: 'project_part', collector: 'branches', ...moment(at, options), project_id, list };
}

export function projectReading(
  at: number,
  project_id: string,
  read: { readonly endpoints?: readonly unknown[]; readonly operations?: readonly unknown[] },
  options: ListOptions & OperationOptions = {},
): ProjectReading {
  return {
    kind: 'project',
    ...moment(at, options),
    project_id,
    ...(read.endpoints && { endpoints: decode(endpointList, read.endpoints, options) }),
    ...(read.operations && { operations: decodeOperations(at, read.operations, options) }),
  };
}

/** @param project as the answer for it holds it. */
export function usageReading(
  at: number,
  project_id: string,
  project: WireItem,
  options: ReadingOptions = {},
): ProjectUsageReading {
  const usage = decodeProjectUsage({ project });
  const { compute_time_seconds } = usage ?? {};
  if (compute_time_seconds === undefined) throw new Error('no use in the answer');
  return {
    kind: 'project_usage',
    ...moment(at, options),
    project_id,
    usage: { ...usage, compute_time_seconds },
  };
}

export function importReading(
  at: number,
  project_id: string,
  operations: readonly unknown[],
  options: OperationOptions = {},
): OperationImportReading {
  return {
    kind: 'operation_import',
    ...moment(at, options),
    project_id,
    operations: decodeOperations(at, operations, options),
  };
}

export function failedReading(
  at: number,
  collector: FailedReading['collector'],
  reason: FailedReading['reason'],
  project_id?: string,
  durationMs = 0,
): FailedReading {
  return {
    kind: 'failure',
    ...moment(at, { durationMs }),
    collector,
    reason,
    ...(project_id && { project_id }),
  };
}

export function projectGoneReading(at: number, project_id: string): ProjectGoneReading {
  return { kind: 'project_gone', ...moment(at, {}), project_id };
}

export function wireProject(id: string, fields: WireItem = {}): WireItem {
  return { id, name: `name of ${id}`, cpu_used_sec: 0, created_at: '2026-11-01T00:00:00Z', ...fields };
}

export function wireEndpoint(id: string, fields: WireItem = {}): WireItem {
  return { id, branch_id: 'br-1', type: 'read_write', current_state: 'idle', ...fields };
}

/** A finished start_compute of `ep-1`, unless the fields say otherwise. */
export function wireOperation(id: string, fields: WireItem = {}): WireItem {
  return {
    id,
    endpoint_id: 'ep-1',
    action: 'start_compute',
    status: 'finished',
    failures_count: 0,
    created_at: '2026-11-21T09:00:00Z',
    updated_at: '2026-11-21T09:00:02Z',
    ...fields,
  };
}

export function wireKey(id: number, fields: WireItem = {}): WireItem {
  return { id, name: `key ${id}`, created_at: '2026-11-01T00:00:00Z', ...fields };
}

function moment(at: number, { account = 'main', durationMs = 120, servedAt = at }: ReadingOptions) {
  return { account, readAt: at, servedAt, durationMs };
}

function decode<Item>(
  list: ListDefinition<Item>,
  wire: readonly unknown[],
  { complete = true }: Pick<ListOptions, 'complete'>,
) {
  const items = wire.map(item => list.decode(item)).filter(item => item !== undefined);
  return { items, rejected: wire.length - items.length, complete };
}

function decodeOperations(at: number, wire: readonly unknown[], options: OperationOptions) {
  const { items, rejected } = decode(operationList, wire, {});
  const { servedAt = at, vanishedIds = [], progress = { headAt: at } } = options;
  return { items, servedAt, rejected, vanishedIds, progress };
}
