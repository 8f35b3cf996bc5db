import { startGateway } from './fault/gateway.ts';
import { listFaults, routeOf, type ServedApi } from './request-rule.ts';

export interface SeenRequest {
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
export interface RequestJudge {
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

/** The most of ascending instants that lie within so many milliseconds. */
export function mostWithin(milliseconds: number, instants: readonly number[]): number {
  let most = 0;
  let first = 0;
  for (const [index, at] of instants.entries()) {
    while (at - (instants[first] ?? at) >= milliseconds) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}
