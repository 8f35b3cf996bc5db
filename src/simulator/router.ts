import { Refusal } from './model/refusal.ts';
import type { BodyFields } from './request-body.ts';

/** A request as a handler sees it. */
export interface Call {
  /** The value of a `{name}` of the route's path. */
  param(name: string): string;
  readonly query: URLSearchParams;
  /** Empty for methods without a body. */
  readonly body: BodyFields;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** For example `/projects/{project_id}`. */
  readonly path: string;
  /** The fields its body may have; absent where others are ignored. */
  readonly fields?: readonly string[];
  /** Of its answer; 200 by default. */
  readonly status?: number;
  /** Makes the body of its answer. */
  readonly answer: (call: Call) => unknown;
}

export function get(path: string, answer: Route['answer']): Route {
  return { method: 'GET', path, answer };
}

export function post(
  path: string,
  options: Pick<Route, 'fields' | 'status'>,
  answer: Route['answer'],
): Route {
  return { method: 'POST', path, ...options, answer };
}

export function remove(path: string, answer: Route['answer']): Route {
  return { method: 'DELETE', path, answer };
}

interface Match {
  readonly route: Route;
  readonly params: ReadonlyMap<string, string>;
}

/** The route of a request. Throws a `Refusal`: 404 for an unknown path, 405 with `Allow` for another method. */
export function findRoute(routes: readonly Route[], method: string, path: string): Match {
  const segments = splitPath(path);
  const matches = routes.flatMap(route => {
    const params = matchPath(route.path.split('/'), segments);
    return params === undefined ? [] : [{ route, params }];
  });
  const match = matches.find(({ route }) => route.method === method);
  if (match !== undefined) return match;
  const allowed = matches.map(({ route }) => route.method).join(', ');
  if (allowed === '') throw new Refusal(404, `there is nothing at ${path}`);
  throw new Refusal(405, `${method} is not possible at ${path}, only ${allowed}`, { allow: allowed });
}

function splitPath(path: string): string[] {
  try {
    return path.split('/').map(decodeURIComponent);
  } catch {
    throw new Refusal(400, `the path ${path} is not correctly percent-encoded`);
  }
}

function matchPath(
  pattern: readonly string[],
  segments: readonly string[],
): ReadonlyMap<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params = new Map<string, string>();
  for (const [index, expected] of pattern.entries()) {
    const actual = segments[index] ?? '';
    const isParam = expected.startsWith('{');
    if (isParam && actual === '') return undefined;
    if (isParam) params.set(expected.slice(1, -1), actual);
    else if (expected !== actual) return undefined;
  }
  return params;
}
