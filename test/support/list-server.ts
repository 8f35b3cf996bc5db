import type { GetRequest } from '../../src/api/client.ts';
import type { ListSource } from '../../src/api/list.ts';
import type { ListDefinition } from '../../src/resources/list-definition.ts';

export interface Thing {
  readonly id: string;
}

export const thingList: ListDefinition<Thing> = {
  route: '/projects/{project_id}/things',
  itemsKey: 'things',
  pageLimit: 400,
  decode(item) {
    if (typeof item !== 'object' || item === null || !('id' in item)) return undefined;
    return typeof item.id === 'string' ? { id: item.id } : undefined;
  },
  identify: thing => thing.id,
};

/** A source that answers a list request without a network: `serve` is given the query and the number of the request. */
export function listSource(serve: (query: Readonly<Record<string, string>>, count: number) => unknown) {
  const requests: GetRequest[] = [];
  const source: ListSource = {
    routesWithoutLimit: new Set(),
    async get(request) {
      request.signal.throwIfAborted();
      requests.push(request);
      return { body: serve(request.query ?? {}, requests.length), servedAt: requests.length * 1000 };
    },
  };
  return { source, requests, queries: () => requests.map(({ query }) => query) };
}

export const things = (...ids: string[]): readonly Thing[] => ids.map(id => ({ id }));
