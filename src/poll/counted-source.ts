import type { AccountSource } from './account-source.ts';

/** A source that is the same as another one and counts the requests it is asked for, retries not among them. */
export function countRequests(source: AccountSource): { readonly source: AccountSource; count(): number } {
  let requests = 0;
  return {
    source: {
      ...source,
      endpoints(project_id, signal) {
        requests += 1;
        return source.endpoints(project_id, signal);
      },
      async *operationPages(project_id, options, signal) {
        requests += 1;
        let isFirst = true;
        for await (const page of source.operationPages(project_id, options, signal)) {
          if (!isFirst) requests += 1;
          isFirst = false;
          yield page;
        }
      },
      usage(project_id, signal) {
        requests += 1;
        return source.usage(project_id, signal);
      },
      operation(project_id, operation_id, signal) {
        requests += 1;
        return source.operation(project_id, operation_id, signal);
      },
    },
    count: () => requests,
  };
}
