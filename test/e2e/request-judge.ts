import { startGateway } from './fault/gateway.ts';

interface SeenRequest {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly route: string;
  readonly target: string;
  /** Absent until it is answered. */
  status?: number;
}

/** What the service refuses because the request is wrong, not because of who asks or when. */
const blaming = new Set([400, 405, 406, 413, 414, 415]);

/** What stands between a daemon and a service, passes everything on, and counts and judges every request. */
interface RequestJudge {
  readonly base_url: string;
  /** In the order they came. */
  readonly seen: readonly SeenRequest[];
  /** What was wrong, one line each; empty is what a daemon should come to. */
  faults(): readonly string[];
  /** The most requests of matching routes within any minute. */
  busiestMinute(routes?: RegExp): number;
  close(): Promise<void>;
}

export async function startRequestJudge(service: string, api: ServedApi): Promise<RequestJudge> {
  const gateway = await startGateway({ service });
  const root = new URL(service).pathname.replace(/\/$/, '');
  const seen: SeenRequest[] = [];
  const faults: string[] = [];
  gateway.misbehave((incoming, _response, pass) => {
    const { pathname, searchParams: query } = new URL(incoming.url ?? '', service);
    const { method = '', headers } = incoming;
    const path = pathname.startsWith(`${root}/`) ? pathname.slice(root.length) : pathname;
    const target = `${method} ${path}${query.size > 0 ? `?${query}` : ''}`;
    faults.push(...listFaults(api, { method, path, query, headers }).map(fault => `${target}: ${fault}`));
    const request: SeenRequest = { at: Date.now(), route: routeOf(api, path) ?? path, target };
    seen.push(request);
    pass(answer => {
      request.status = answer.status;
      if (blaming.has(answer.status)) faults.push(`${target}: ${answer.status} ${answer.body}`);
      return answer;
    });
  });
  return {
    base_url: gateway.base_url,
    seen,
    faults: () => faults,
    busiestMinute: (routes = /./) => mostWithin(60_000, timesOf(seen, routes)),
    close: () => gateway.close(),
  };
}

function timesOf(seen: readonly SeenRequest[], routes: RegExp): readonly number[] {
  return seen.filter(({ route }) => routes.test(route)).map(({ at }) => at);
}

/** The most of ascending instants that lie within a span of milliseconds. */
export function mostWithin(milliseconds: number, instants: readonly number[]): number {
  let most = 0;
  let first = 0;
  for (const [index, at] of instants.entries()) {
    while (at - (instants[first] ?? at) >= milliseconds) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

/** Which version of the service a request is made to. */
export type ServedApi = 'contract' | 'later';

/** A request as far as it can be wrong. */
interface JudgedRequest {
  readonly method: string;
  /** Below the version segment. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** What is wrong with the values of a parameter; undefined if nothing is. */
type ParameterRule = (values: readonly string[]) => string | undefined;

interface RouteRule {
  readonly parameters: Readonly<Record<string, ParameterRule>>;
  readonly required?: readonly string[];
}

const once =
  (isRight: (value: string) => boolean, expected: string): ParameterRule =>
  values =>
    values.length === 1 && values.every(isRight) ? undefined : `is not ${expected}`;
const upTo = (most: number) =>
  once(value => /^[1-9]\d*$/.test(value) && Number(value) <= most, `one whole number up to ${most}`);
const text = once(value => value !== '', 'one text');
const instant = once(value => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value), 'one instant');
const listUpTo =
  (most: number): ParameterRule =>
  values => {
    const items = values.flatMap(value => value.split(','));
    return items.length <= most && items.every(item => item !== '') && new Set(items).size === items.length
      ? undefined
      : `is not a list of up to ${most}`;
  };

const contractRules: Readonly<Record<string, RouteRule>> = {
  '/api_keys': { parameters: {} },
  '/projects': { parameters: { limit: upTo(400), cursor: text } },
  '/projects/{project_id}/endpoints': { parameters: {} },
  '/projects/{project_id}/operations': { parameters: { limit: upTo(1000), cursor: text } },
  '/projects/{project_id}/operations/{operation_id}': { parameters: {} },
};

const range = {
  org_id: text,
  from: instant,
  to: instant,
  granularity: once(value => /^(hourly|daily|monthly)$/.test(value), 'a granularity'),
  limit: upTo(100),
  cursor: text,
  project_ids: listUpTo(100),
};

const laterRules: Readonly<Record<string, RouteRule>> = {
  ...contractRules,
  '/projects': {
    parameters: { limit: upTo(400), cursor: text, org_id: text, search: text, timeout: upTo(30_000) },
  },
  '/projects/{project_id}': { parameters: {} },
  '/projects/{project_id}/branches': { parameters: {} },
  '/consumption_history/v2/projects': {
    parameters: { ...range, metrics: listUpTo(8) },
    required: ['from', 'to', 'granularity'],
  },
  '/consumption_history/projects': { parameters: range, required: ['from', 'to', 'granularity'] },
};

const rulesOf = { contract: contractRules, later: laterRules } as const;

/** The route of a path, such as `/projects/{project_id}`; undefined if the version has none. */
function routeOf(api: ServedApi, path: string): string | undefined {
  const segments = path.split('/');
  return Object.keys(rulesOf[api]).find(route => {
    const parts = route.split('/');
    return (
      parts.length === segments.length &&
      parts.every(
        (part, index) => part === segments[index] || (part.startsWith('{') && segments[index] !== ''),
      )
    );
  });
}

/** Everything in a request that the version does not know or allow to a daemon, which reads only. */
export function listFaults(api: ServedApi, { method, path, query, headers }: JudgedRequest): string[] {
  const faults: string[] = [];
  if (method !== 'GET') faults.push(`${method} changes what it should read`);
  if (!/^Bearer \S+$/.test(String(headers.authorization))) faults.push('it carries no key');
  if (!String(headers.accept).includes('application/json')) faults.push('it does not accept JSON');
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) {
    faults.push('it has a body');
  }
  const route = routeOf(api, path);
  const rule = route === undefined ? undefined : rulesOf[api][route];
  if (rule === undefined) return [...faults, 'there is no such path'];
  for (const name of new Set(query.keys())) {
    const check = rule.parameters[name];
    const fault = check === undefined ? 'is unknown' : check(query.getAll(name));
    if (fault !== undefined) faults.push(`${name} ${fault}`);
  }
  for (const name of rule.required ?? []) if (!query.has(name)) faults.push(`${name} is missing`);
  return faults;
}
