import type { SimulatedEndpoint, SimulatedOperation, SimulatedProject } from './project.ts';
import { avalanche } from './random.ts';

/** The actions of the specification; the word itself is an open set. */
export const actions = [
  'apply_config',
  'check_availability',
  'create_branch',
  'create_timeline',
  'delete_tenant',
  'start_compute',
  'suspend_compute',
] as const;

export type Action = (typeof actions)[number];

export interface OperationOrder {
  readonly action: Action;
  readonly branchId: string;
  readonly endpoint?: SimulatedEndpoint;
  /** Seconds in `scheduling` before it is `running`; 0 starts it as running. */
  readonly waitSeconds?: number;
  /** From creation to end; absent for one that gets stuck. At least 1. */
  readonly totalSeconds?: number;
  readonly fails?: boolean;
  /** Attempts that failed, shown once it has ended. */
  readonly failuresCount?: number;
  readonly onEnd?: (succeeded: boolean) => void;
}

const unfinished: ReadonlySet<string> = new Set(['scheduling', 'running', 'cancelling']);

export function hasOperationEnded(operation: SimulatedOperation): boolean {
  return !unfinished.has(operation.status);
}

/** Starts an operation that the control plane carries through on its own. */
export function beginOperation(project: SimulatedProject, order: OperationOrder): SimulatedOperation {
  const { now } = project.timeline;
  const waitSeconds = order.waitSeconds ?? 0;
  const operation = recordOperation(project, {
    action: order.action,
    branchId: order.branchId,
    status: waitSeconds > 0 ? 'scheduling' : 'running',
    runsAt: now + waitSeconds,
    failuresCount: 0,
    ...(order.endpoint && { endpoint: order.endpoint }),
    ...(order.onEnd && { onEnd: order.onEnd }),
  });
  if (order.totalSeconds !== undefined) {
    project.timeline.schedule(now + order.totalSeconds, () => {
      if (hasOperationEnded(operation)) return;
      changeOperation(project, operation, order.fails ? 'failed' : 'finished', order.failuresCount ?? 0);
    });
  }
  return operation;
}

/** Adds an operation that stays in `status` until it is changed. */
export function recordOperation(
  project: SimulatedProject,
  record: Pick<
    SimulatedOperation,
    'action' | 'branchId' | 'endpoint' | 'status' | 'runsAt' | 'failuresCount' | 'onEnd'
  >,
): SimulatedOperation {
  const { now } = project.timeline;
  const previousMicros = project.operations.at(-1)?.createdAtMicros ?? 0;
  const operation: SimulatedOperation = {
    ...record,
    sequence: project.operations.length,
    createdAtMicros: Math.max(previousMicros + 1, now * 1_000_000 + project.random.integer(0, 999)),
    updatedAt: now,
  };
  project.operations.push(operation);
  if (hasOperationEnded(operation)) countEnd(operation);
  return operation;
}

/** Sets status and failures of an unfinished operation, with the effect its end has. */
export function changeOperation(
  project: SimulatedProject,
  operation: SimulatedOperation,
  status: string,
  failuresCount: number,
): void {
  operation.status = status;
  operation.failuresCount = failuresCount;
  operation.updatedAt = project.timeline.now;
  if (!hasOperationEnded(operation)) return;
  project.updatedAt = project.timeline.now;
  countEnd(operation);
  operation.onEnd?.(status === 'finished');
}

function countEnd({ endpoint, action, status }: SimulatedOperation): void {
  if (endpoint === undefined || status !== 'finished') return;
  if (action === 'start_compute') endpoint.starts += 1;
  if (action === 'suspend_compute') endpoint.suspends += 1;
}

/** The progress of an operation as clients see it at `now`. */
export function progressAt(
  operation: SimulatedOperation,
  now: number,
): { status: string; updatedAt: number } {
  const { status, updatedAt, runsAt } = operation;
  return status === 'scheduling' && now >= runsAt
    ? { status: 'running', updatedAt: runsAt }
    : { status, updatedAt };
}

/** A UUID made of the project's salt and the operation's position, so that ids need neither memory nor an index. */
export function operationId({ operationSalt }: SimulatedProject, { sequence }: SimulatedOperation): string {
  const words = [1, 2, 3].map(part =>
    avalanche(avalanche(operationSalt + part) + Math.imul(sequence, 0x9e3779b9)),
  );
  const [first, second, third] = words.map(word => word.toString(16).padStart(8, '0')) as [
    string,
    string,
    string,
  ];
  const position = ((sequence ^ operationSalt) >>> 0).toString(16).padStart(8, '0');
  return `${first}-${second.slice(0, 4)}-4${second.slice(5)}-a${third.slice(1, 4)}-${third.slice(4)}${position}`;
}

export function findOperation(project: SimulatedProject, id: string): SimulatedOperation | undefined {
  const position = (Number.parseInt(id.slice(-8), 16) ^ project.operationSalt) >>> 0;
  const operation = project.operations[position];
  return operation && operationId(project, operation) === id ? operation : undefined;
}
