import { onTestFinished } from 'vitest';
import { type SimulatorOptions, startSimulator } from '../../src/simulator/server.ts';

/** A Monday morning. */
export const startedAt = Date.parse('2026-03-02T10:00:00Z');

interface Reply<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface EndpointBody {
  readonly id: string;
  readonly branch_id: string;
  readonly current_state: string;
  readonly pending_state?: string;
  readonly last_active?: string;
  readonly updated_at: string;
  readonly autoscaling_limit_min_cu: number;
  readonly autoscaling_limit_max_cu: number;
  readonly pooler_enabled: boolean;
}

export interface OperationBody {
  readonly id: string;
  readonly branch_id: string;
  readonly endpoint_id?: string;
  readonly action: string;
  readonly status: string;
  readonly failures_count: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface ProjectBody {
  readonly id: string;
  readonly name: string;
  readonly cpu_used_sec: number;
  readonly branches: readonly { readonly id: string }[];
  readonly endpoints: readonly EndpointBody[];
  readonly operations: readonly OperationBody[];
}

export interface Change {
  readonly endpoint: EndpointBody;
  readonly operations: readonly OperationBody[];
}

export interface OperationPage {
  readonly operations: readonly OperationBody[];
  readonly pagination?: { readonly cursor: string };
}

export interface ErrorBody {
  readonly request_id: string;
  readonly code: string;
  readonly message: string;
}

export interface TruthBody {
  readonly now: string;
  readonly projects: readonly {
    readonly project_id: string;
    readonly deleted: boolean;
    readonly cpu_used_sec_ever: number;
    readonly operations: readonly {
      readonly action: string;
      readonly status: string;
      readonly count: number;
    }[];
    readonly endpoints: readonly {
      readonly endpoint_id: string;
      readonly deleted: boolean;
      readonly starts: number;
      readonly suspends: number;
      readonly cu_seconds: number;
      readonly state_seconds: Readonly<Record<string, number>>;
    }[];
  }[];
}

/** Starts a simulator whose wall clock stands still, empty unless asked otherwise, and closes it after the test. */
export async function openService(options: Partial<SimulatorOptions> = {}) {
  const simulator = await startSimulator({
    apiKey: 'first-key',
    projects: 0,
    historyDays: 0,
    wallClock: () => startedAt,
    ...options,
  });
  onTestFinished(() => simulator.close());
  const authorization = `Bearer ${simulator.api_key}`;
  const call = <Body>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    send<Body>(simulator.base_url + path.slice(1), method, body, { authorization, ...headers });
  const control = <Body>(method: string, path: string, body?: unknown) =>
    send<Body>(simulator.control_url + path, method, body, {});
  const advance = (seconds: number) => control<{ now: string }>('POST', '/advance', { seconds });
  return {
    simulator,
    call,
    control,
    advance,
    addProject: async (body: object = {}) => (await control<ProjectBody>('POST', '/projects', body)).body,
    listOperations: async (projectId: string) =>
      (await call<OperationPage>('GET', `/projects/${projectId}/operations`)).body.operations,
    listEndpoints: async (projectId: string) =>
      (await call<{ endpoints: EndpointBody[] }>('GET', `/projects/${projectId}/endpoints`)).body.endpoints,
    tellTruth: async () => (await control<TruthBody>('GET', '/truth')).body,
  };
}

export type Service = Awaited<ReturnType<typeof openService>>;

/** A project with one active endpoint, a free branch and no clients of its own. */
export async function openProject(options: Partial<SimulatorOptions> = {}) {
  const service = await openService(options);
  const project = await service.addProject({ name: 'shop' });
  const freeBranch = await service.control<{ id: string }>('POST', `/projects/${project.id}/branches`, {
    endpoint: false,
  });
  await service.advance(10);
  const endpointId = first(project.endpoints).id;
  const endpointPath = `/projects/${project.id}/endpoints/${endpointId}`;
  return { ...service, project, endpointId, endpointPath, freeBranchId: freeBranch.body.id };
}

/** The first of a list that must not be empty. */
export function first<T>(items: readonly T[]): T {
  const [item] = items;
  if (item === undefined) throw new Error('expected at least one item');
  return item;
}

async function send<Body>(
  url: string,
  method: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Reply<Body>> {
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
  return {
    status: response.status,
    headers: response.headers,
    body: (isJson ? JSON.parse(text) : text) as Body,
  };
}
