import type { Endpoint } from './endpoint.ts';
import type { Project } from './project.ts';
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

/** One action of the control plane. Instants are epoch seconds unless the name says otherwise. */
export interface Operation {
  /** Its position in the project's list. */
  readonly sequence: number;
  readonly action: string;
  readonly branchId: string;
  readonly endpoint?: Endpoint;
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

export interface OperationOrder {
  readonly action: Action;
  readonly branchId: string;
  readonly endpoint?: Endpoint;
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

export function isEnded(operation: Operation): boolean {
  return !unfinished.has(operation.status);
}

/** Starts an operation that the control plane carries through on its own. */
export function beginOperation(project: Project, order: OperationOrder): Operation {
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
      if (isEnded(operation)) return;
      changeOperation(project, operation, order.fails ? 'failed' : 'finished', order.failuresCount ?? 0);
    });
  }
  return operation;
}

/** Adds an operation that stays in `status` until somebody changes it. */
export function recordOperation(
  project: Project,
  record: Pick<
    Operation,
    'action' | 'branchId' | 'endpoint' | 'status' | 'runsAt' | 'failuresCount' | 'onEnd'
  >,
): Operation {
  const { now } = project.timeline;
  const previousMicros = project.operations.at(-1)?.createdAtMicros ?? 0;
  const operation: Operation = {
    ...record,
    sequence: project.operations.length,
    createdAtMicros: Math.max(previousMicros + 1, now * 1_000_000 + project.random.integer(0, 999)),
    updatedAt: now,
  };
  project.operations.push(operation);
  if (isEnded(operation)) countEnd(operation);
  return operation;
}

/** Sets status and failures of an unfinished operation, with the effect its end has. */
export function changeOperation(
  project: Project,
  operation: Operation,
  status: string,
  failuresCount: number,
): void {
  operation.status = status;
  operation.failuresCount = failuresCount;
  operation.updatedAt = project.timeline.now;
  if (!isEnded(operation)) return;
  project.updatedAt = project.timeline.now;
  countEnd(operation);
  operation.onEnd?.(status === 'finished');
}

function countEnd({ endpoint, action, status }: Operation): void {
  if (endpoint === undefined || status !== 'finished') return;
  if (action === 'start_compute') endpoint.starts += 1;
  if (action === 'suspend_compute') endpoint.suspends += 1;
}

/** What is shown of an operation's progress at `now`. */
export function progressAt(operation: Operation, now: number): { status: string; updatedAt: number } {
  const { status, updatedAt, runsAt } = operation;
  return status === 'scheduling' && now >= runsAt
    ? { status: 'running', updatedAt: runsAt }
    : { status, updatedAt };
}

/** A UUID made of the project's salt and the operation's position, so that ids need neither memory nor an index. */
export function operationId({ operationSalt }: Project, { sequence }: Operation): string {
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

export function findOperation(project: Project, id: string): Operation | undefined {
  const position = (Number.parseInt(id.slice(-8), 16) ^ project.operationSalt) >>> 0;
  const operation = project.operations[position];
  return operation && operationId(project, operation) === id ? operation : undefined;
}
