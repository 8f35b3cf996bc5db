import { type ListSource, readList, readPages } from '../../api/list.ts';
import { findUnusable } from '../../api/message/list-page.ts';
import type { Collector } from '../../resources/collector.ts';
import { type Endpoint, endpointList } from '../../resources/endpoint.ts';
import { operationList } from '../../resources/operation.ts';
import type { Answer, ListedProjects, SampledProjects } from './answers.ts';
import { ask } from './question.ts';

/** Projects that are looked at, fewer on a small budget. */
const usualSample = 5;
const smallSample = 2;
const smallBudget = 120;
/** Operations of a project that are asked for. */
const operationLimit = 100;

/** Ids of projects from all over the list. */
export function chooseSample({ watched }: ListedProjects, requestsPerMinute: number): readonly string[] {
  const size = Math.min(watched.length, requestsPerMinute < smallBudget ? smallSample : usualSample);
  return Array.from({ length: size }, (_, index) => {
    const middle = Math.floor(((index + 0.5) * watched.length) / size);
    return watched[middle]?.project_id ?? '';
  });
}

/**
 * Asks for endpoints and operations of single projects. Throws the signal's reason.
 *
 * @param onProgress told how far it is, 0 to 1.
 */
export async function sampleProjects(
  source: ListSource,
  ids: readonly string[],
  collectors: readonly Collector[],
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (done: number) => void },
): Promise<SampledProjects> {
  const endpoints: Answer<readonly Endpoint[]>[] = [];
  const operations: Answer<number>[] = [];
  for (const [index, project_id] of ids.entries()) {
    const options = { params: { project_id }, priority: 'refresh', signal } as const;
    if (collectors.includes('endpoints')) {
      endpoints.push(await ask(signal, async () => (await readList(source, endpointList, options)).items));
    }
    if (collectors.includes('operations')) {
      operations.push(await ask(signal, () => countRecentOperations(source, options)));
    }
    onProgress((index + 1) / ids.length);
  }
  const isThere = (answer: Answer<unknown>) => 'value' in answer || answer.error.reason !== 'not_found';
  return {
    projects: ids.length,
    endpoints: endpoints.filter(isThere),
    operations: operations.filter(isThere),
  };
}

async function countRecentOperations(
  source: ListSource,
  options: Pick<Parameters<typeof readPages>[2], 'params' | 'priority' | 'signal'>,
): Promise<number> {
  for await (const page of readPages(source, operationList, { ...options, limit: operationLimit })) {
    const unusable = findUnusable(operationList.route, page);
    if (unusable !== undefined) throw unusable;
    return page.items.length;
  }
  return 0;
}
