import type { AwakeSpan, EndpointHistory } from '../../src/resources/endpoint-history.ts';
import { countUsage, lastActiveAt, suspendDelaySeconds } from '../../src/simulator/model/endpoint.ts';
import {
  liveEndpoints,
  type SimulatedEndpoint,
  type SimulatedOperation,
} from '../../src/simulator/model/project.ts';

/** What a client remembers of an endpoint of the model: whole seconds, and what finished operations tell. */
export function rememberEndpoint(endpoint: SimulatedEndpoint, window: Window): EndpointHistory {
  const { project, settings } = endpoint;
  const past = {
    account: 'simulated',
    project_id: project.id,
    endpoint_id: endpoint.id,
    fromAt: Math.max(endpoint.createdAt, window.fromSecond) * 1000,
    untilAt: window.untilSecond * 1000,
  };
  const operations = project.operations.filter(operation => operation.endpoint === endpoint);
  const quarterCuSeconds = quarterCuSecondsOf(endpoint) - (window.quarterCuSecondsBefore.get(endpoint) ?? 0);
  return {
    ...past,
    minCu: settings.minCu,
    maxCu: settings.maxCu,
    awake: readAwakeSpans(endpoint, operations, past).map(({ lastActiveAt: readAt, ...span }) => ({
      ...span,
      ...(window.isLastUseRead && readAt !== undefined && { lastActiveAt: readAt }),
    })),
    ...(endpoint.busyUntil !== undefined && { lastActiveAt: lastActiveAt(endpoint) * 1000 }),
    checks: operations
      .filter(({ action }) => action === 'check_availability')
      .map(({ createdAtMicros }) => Math.floor(createdAtMicros / 1_000_000) * 1000)
      .filter(at => at >= past.fromAt),
    ...(liveEndpoints(project).length === 1 && { usedCuMs: quarterCuSeconds * 250 }),
  };
}

interface Window {
  /** Epoch seconds. */
  readonly fromSecond: number;
  readonly untilSecond: number;
  /** Whether each sleeping endpoint was read before it woke again, so that the last use of each span is known. */
  readonly isLastUseRead: boolean;
  /** What endpoints had used when it began. */
  readonly quarterCuSecondsBefore: ReadonlyMap<SimulatedEndpoint, number>;
}

export function quarterCuSecondsOf(endpoint: SimulatedEndpoint): number {
  countUsage(endpoint);
  return endpoint.quarterCuSeconds;
}

/** From the end of a start to the end of the suspend after it, cut to the window. */
function readAwakeSpans(
  endpoint: SimulatedEndpoint,
  operations: readonly SimulatedOperation[],
  { fromAt, untilAt }: Pick<EndpointHistory, 'fromAt' | 'untilAt'>,
): AwakeSpan[] {
  const spans: AwakeSpan[] = [];
  let awakeFromAt: number | undefined;
  const add = (endAt: number, lastUseAt: number | undefined): void => {
    if (awakeFromAt === undefined || endAt <= fromAt) return;
    const span = { fromAt: Math.max(awakeFromAt, fromAt), untilAt: endAt };
    spans.push({ ...span, ...(lastUseAt !== undefined && { lastActiveAt: lastUseAt }) });
  };
  for (const { action, status, updatedAt, createdAtMicros } of operations) {
    if (status !== 'finished') continue;
    if (action === 'start_compute') awakeFromAt = updatedAt * 1000;
    if (action !== 'suspend_compute' || awakeFromAt === undefined) continue;
    // While it sleeps it is read with the last use, which was its delay before the suspend began.
    const suspendedAt = Math.floor(createdAtMicros / 1_000_000);
    add(updatedAt * 1000, (suspendedAt - suspendDelaySeconds(endpoint.settings)) * 1000);
    awakeFromAt = undefined;
  }
  if (awakeFromAt !== undefined && awakeFromAt < untilAt) {
    const lastUseAt = lastActiveAt(endpoint) * 1000;
    add(untilAt, lastUseAt >= Math.max(awakeFromAt, fromAt) ? lastUseAt : undefined);
  }
  return spans;
}
