import { type ListSource, readList, readListPages, readPages } from '../../api/list.ts';
import { findUnusable } from '../../api/message/list-page.ts';
import type { Account, Config } from '../../config/config.ts';
import { apiKeyList } from '../../resources/api-key.ts';
import type { Collector } from '../../resources/collector.ts';
import { type Endpoint, endpointList } from '../../resources/endpoint.ts';
import { operationList } from '../../resources/operation.ts';
import { type Project, projectList } from '../../resources/project.ts';
import { createProjectFilter, type ProjectGlobs } from '../../resources/project-filter.ts';
import { decodeProjectUsage, projectRoute } from '../../resources/project-usage.ts';
import type { Reason } from '../../resources/reason.ts';
import { sumOf } from '../../resources/sum.ts';
import { AccountSource } from './account-source.ts';
import {
  type Answer,
  type Answers,
  ask,
  type ListedProjects,
  type SampledProjects,
  type ToldUse,
} from './answers.ts';

/** After these no other question has a better answer. */
const hopeless: ReadonlySet<Reason> = new Set([
  'unauthorized',
  'not_found',
  'network',
  'timeout',
  'rate_limited',
]);

export interface QuestionOptions {
  readonly collect: Config['collect'];
  readonly userAgent: string;
  readonly signal: AbortSignal;
  /** Told how far the questions are, 0 to 1. */
  readonly onProgress: (done: number) => void;
}

/** Parts of all questions that are done after each list; the rest are those to single projects. */
const listsDone = { projects: 0.2, apiKeys: 0.3 };

/** Asks an account for everything that the daemon would: its lists, and some of its projects. Throws the signal's reason. */
export async function askAccount(account: Account, options: QuestionOptions): Promise<Answers> {
  const { collect, userAgent, signal, onProgress } = options;
  const { collectors } = collect;
  const source = new AccountSource(account, collect, userAgent);
  try {
    const projects = await ask(signal, () => listProjects(source, account.projects, signal));
    onProgress(listsDone.projects);
    const goesOn = 'value' in projects || !hopeless.has(projects.error.reason);
    let apiKeys: Answer<number> | undefined;
    if (goesOn && collectors.includes('api_keys')) {
      const read = () => readList(source, apiKeyList, { priority: 'list', signal });
      apiKeys = await ask(signal, async () => (await read()).items.length);
    }
    onProgress(listsDone.apiKeys);
    let sample: SampledProjects | undefined;
    let use: ToldUse | undefined;
    if ('value' in projects) {
      use = await askUse(source, account, projects.value, { collectors, signal });
      sample = await sampleProjects(
        source,
        chooseSample(projects.value, account.requestsPerMinute),
        collectors,
        { signal, onProgress: done => onProgress(listsDone.apiKeys + (1 - listsDone.apiKeys) * done) },
      );
    }
    const { requests, clockSkewMs, certificate } = source;
    const { name, base_url, org_id } = account;
    return {
      ...{ account: name, base_url, collectors, projects, requests },
      ...(org_id !== undefined && { org_id }),
      ...(apiKeys && { apiKeys }),
      ...(use && { use }),
      ...(sample && { sample }),
      ...(clockSkewMs !== undefined && { clockSkewMs }),
      ...(certificate && { certificate }),
    };
  } finally {
    await source.close();
  }
}

/** A list is read to its end unless it has more pages than this: a check takes few requests. */
const mostPages = 50;

/** Reads the list of projects. Throws an ApiError or the signal's reason. */
async function listProjects(
  source: ListSource,
  globs: ProjectGlobs,
  signal: AbortSignal,
): Promise<ListedProjects> {
  const isWatched = createProjectFilter(globs);
  const watched: Project[] = [];
  const pageSizes: number[] = [];
  let end = { rejected: 0, complete: false, unavailableIds: [] as readonly string[] };
  const options = { priority: 'list', signal, maxPages: mostPages } as const;
  for await (const page of readListPages(source, projectList, options)) {
    for (const project of page.items.filter(isWatched)) watched.push(project);
    if (page.items.length > 0) pageSizes.push(page.items.length);
    end = page.end ?? end;
  }
  return {
    watched,
    listed: sumOf(pageSizes),
    rejected: end.rejected,
    unavailable: end.unavailableIds.length,
    pages: pageSizes.length,
    pageSize: pageSizes[0] ?? 0,
    isWhole: end.complete,
  };
}

/** Projects that are looked at, fewer on a small budget. */
const usualSample = 5;
const smallSample = 2;
const smallBudget = 120;
/** Operations of a project that are asked for. */
const operationLimit = 100;

/** Ids of projects from all over the list. */
function chooseSample({ watched }: ListedProjects, requestsPerMinute: number): readonly string[] {
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
async function sampleProjects(
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

/**
 * Looks whether the list of projects tells how much compute they use, and else asks one of them. Throws the signal's reason.
 *
 * @returns undefined where the list tells it and is to tell it, or there is no project.
 */
async function askUse(
  source: ListSource,
  { cpuSource = 'auto' }: Account,
  { watched }: ListedProjects,
  { collectors, signal }: { readonly collectors: readonly Collector[]; readonly signal: AbortSignal },
): Promise<ToldUse | undefined> {
  const [first] = watched;
  const isTold = watched.some(({ cpu_used_sec }) => cpu_used_sec !== undefined);
  if (first === undefined || (isTold && cpuSource !== 'project')) return undefined;
  if (cpuSource === 'list' || !collectors.some(each => each === 'endpoints' || each === 'operations')) {
    return { isTold };
  }
  const { project_id } = first;
  const ofProject = await ask(signal, async () => {
    const request = { route: projectRoute, params: { project_id }, priority: 'refresh', signal } as const;
    const { body } = await source.get(request);
    return decodeProjectUsage(body)?.compute_time_seconds !== undefined;
  });
  return { isTold, ofProject };
}
