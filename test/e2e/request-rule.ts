/** Which version of the service a request is made to. */
export type ServedApi = 'contract' | 'later';

/** A request as far as it can be wrong. */
export interface JudgedRequest {
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
export function routeOf(api: ServedApi, path: string): string | undefined {
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
