import type { AccountSource, OperationPage, ProjectPage } from '../../src/poll/account-source.ts';
import type { Endpoint } from '../../src/resources/endpoint.ts';
import type { Operation } from '../../src/resources/operation.ts';
import type { Project } from '../../src/resources/project.ts';
import type { ProjectUsage } from '../../src/resources/project-usage.ts';
import type { Reading } from '../../src/resources/reading.ts';
import type { Reason } from '../../src/resources/reason.ts';

class ScriptedFailure extends Error {
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(`${reason}: scripted`);
    this.reason = reason;
  }
}

/** Time of the service and of this host alike. */
export const startAt = Date.UTC(2026, 0, 1);

export function operation(id: string, ageSeconds: number, more: Partial<Operation> = {}): Operation {
  const created_at = startAt - ageSeconds * 1000;
  return { operation_id: id, action: 'apply_config', status: 'finished', created_at, ...more } as Operation;
}

export const project = (project_id: string, more: Partial<Project> = {}): Project =>
  ({ project_id, project_name: project_id, ...more }) as Project;

/** An account without a network: what it holds can be changed, and each of its calls can be made to fail or wait. */
export function scriptedAccount() {
  const state = {
    now: startAt,
    projects: [] as Project[],
    complete: true,
    /** Projects that the list names instead of showing them. */
    unavailableIds: [] as string[],
    /** Projects a page of their list has at most. */
    projectPageSize: 1000,
    endpoints: new Map<string, Endpoint[]>(),
    /** Newest first. */
    operations: new Map<string, Operation[]>(),
    single: new Map<string, Operation>(),
    /** Whether each cursor leads to the first page of operations again. */
    ignoresCursors: false,
    /** The operation whose page leads to itself again. */
    loopsAt: Number.POSITIVE_INFINITY,
    /** Operations on each page that cannot be used. */
    unusableOperations: 0,
    usage: new Map<string, ProjectUsage>(),
    /** Items a page has at most, whatever was asked for. */
    pageSize: 1000,
  };
  const calls: string[] = [];
  const failures = new Map<string, Error>();
  const gates = new Map<string, Promise<void>>();
  const listeners = new Map<string, () => void>();

  async function answer<Value>(call: string, signal: AbortSignal, read: () => Value): Promise<Value> {
    calls.push(call);
    listeners.get(call)?.();
    await gates.get(call);
    signal.throwIfAborted();
    const failure = failures.get(call);
    if (failure !== undefined) throw failure;
    return read();
  }

  const listed = <Item>(items: readonly Item[]) => ({
    items,
    rejected: 0,
    complete: state.complete,
    servedAt: state.now,
  });

  const source: AccountSource = {
    async *projects(signal) {
      for (let from = 0; ; from += state.projectPageSize) {
        const call = from === 0 ? 'projects' : `projects from ${from}`;
        const page = await answer(call, signal, (): ProjectPage => {
          const items = state.projects.slice(from, from + state.projectPageSize);
          const isLast = from + state.projectPageSize >= state.projects.length;
          const { complete, unavailableIds } = state;
          const end = { rejected: 0, complete, unavailableIds };
          return { items, servedAt: state.now, ...(isLast && { end }) };
        });
        yield page;
        if (page.end !== undefined) return;
      }
    },
    apiKeys: signal => answer('api_keys', signal, () => listed([])),
    endpoints: (project_id, signal) =>
      answer(`endpoints ${project_id}`, signal, () => listed(state.endpoints.get(project_id) ?? [])),
    async *operationPages(project_id, { cursor, limit }, signal) {
      const all = state.operations.get(project_id) ?? [];
      const size = Math.min(limit, state.pageSize);
      const first = cursor === undefined ? 0 : Number(cursor.slice('from '.length));
      for (let from = first; ; from += size) {
        const call = `operations ${project_id} from ${from}`;
        yield await answer(call, signal, (): OperationPage => {
          if (state.ignoresCursors && from > 0)
            return {
              ...{ items: cursor === undefined ? [] : all.slice(0, size), rejected: 0, servedAt: state.now },
              ...{ cursor: undefined, end: 'repeated_cursor' },
            };
          const next = from + size;
          const items = all.slice(from, next);
          return {
            items,
            rejected: state.unusableOperations,
            servedAt: state.now,
            cursor: next < all.length && from < state.loopsAt ? `from ${next}` : undefined,
            ...(from >= state.loopsAt && { end: 'repeated_cursor' }),
          };
        });
        if (from >= state.loopsAt || from + size >= all.length || (state.ignoresCursors && from > 0)) return;
      }
    },
    operation: (project_id, operation_id, signal) =>
      answer(`operation ${project_id} ${operation_id}`, signal, () => {
        const found = state.single.get(operation_id);
        if (found === undefined) throw new ScriptedFailure('not_found');
        return { operation: found, servedAt: state.now };
      }),
    usage: (project_id, signal) =>
      answer(`usage ${project_id}`, signal, () => {
        const usage = state.usage.get(project_id);
        if (usage === undefined) throw new ScriptedFailure('not_found');
        return { usage, servedAt: state.now };
      }),
    reasonOf: error => (error instanceof ScriptedFailure ? error.reason : 'internal'),
  };

  return {
    source,
    state,
    calls,
    fail: (call: string, reason: Reason) => failures.set(call, new ScriptedFailure(reason)),
    breakDown: (call: string, error: Error) => failures.set(call, error),
    mend: (call: string) => failures.delete(call),
    /** Lets something happen just before a call is answered. */
    onCall: (call: string, happen: () => void) => listeners.set(call, happen),
    /** Makes a call wait until the answer is called. */
    hold(call: string): () => void {
      const gate = Promise.withResolvers<void>();
      gates.set(call, gate.promise);
      return () => {
        gates.delete(call);
        gate.resolve();
      };
    },
    /** The calls since the last time this was asked. */
    takeCalls: () => calls.splice(0),
  };
}

export type ScriptedAccount = ReturnType<typeof scriptedAccount>;

/** A reading in a few words: kind, collector and reason, how many operations, where the import stands. */
export function describeReading(reading: Reading): string {
  if (reading.kind === 'failure') return `failure of ${reading.collector}: ${reading.reason}`;
  if (reading.kind === 'project' || reading.kind === 'operation_import') {
    const endpoints = reading.kind === 'project' && reading.endpoints !== undefined;
    const { operations } = reading;
    const parts = [
      ...(endpoints ? ['endpoints'] : []),
      ...(operations ? [`${operations.items.length} operations`] : []),
      ...(operations?.progress.tailCursor !== undefined ? [`more ${operations.progress.tailCursor}`] : []),
      ...(operations !== undefined && operations.progress.headAt === undefined ? ['import reset'] : []),
    ];
    return `${reading.kind}: ${parts.join(', ')}`;
  }
  return reading.kind;
}
