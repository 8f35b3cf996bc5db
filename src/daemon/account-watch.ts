import { setTimeout as sleepFor } from 'node:timers/promises';
import { ApiClient } from '../api/client.ts';
import type { ClientOptions } from '../api/client-options.ts';
import { readList, readListPages, readPages } from '../api/list.ts';
import { ApiError, reasonOf } from '../api/message/api-error.ts';
import type { Account } from '../config/config.ts';
import { redactText } from '../log/redaction.ts';
import { AccountPoller } from '../poll/account-poller.ts';
import { type AccountSource, selectProjects } from '../poll/account-source.ts';
import type { MeterPoller } from '../poll/meter-poller.ts';
import type { PartPoller } from '../poll/part-poller.ts';
import type { PollerOptions } from '../poll/poller-options.ts';
import type { Schedule } from '../poll/schedule.ts';
import { apiKeyList } from '../resources/api-key.ts';
import { endpointList } from '../resources/endpoint.ts';
import { compact } from '../resources/field.ts';
import {
  decodeOperationAnswer,
  type Operation,
  operationList,
  operationRoute,
} from '../resources/operation.ts';
import { projectList } from '../resources/project.ts';
import { createProjectFilter } from '../resources/project-filter.ts';
import { decodeProjectUsage, projectRoute } from '../resources/project-usage.ts';
import type { RequestBudgetState } from '../resources/request-budget.ts';
import { ListEvidence } from './list-evidence.ts';
import { type MeterWatchOptions, type PartWatchOptions, watchMeter, watchPart } from './meter-watch.ts';

interface WatchOptions
  extends Omit<
    PollerOptions,
    | 'account'
    | 'cpuSource'
    | 'source'
    | 'requestsPerMinute'
    | 'concurrency'
    | 'sleep'
    | 'urgentSource'
    | 'budgetPerMinute'
    | 'awaitsMeter'
  > {
  /** Settings of the clients that the service is asked through. */
  readonly client: Omit<
    ClientOptions,
    'base_url' | 'readApiKey' | 'requestsPerMinute' | 'connections' | 'budget' | 'proxy'
  >;
  /** To the service at a time; as many as the polls need, where there is no such bound. */
  readonly mostConnections?: number;
  /** Told for how many milliseconds the list of projects is left alone, as the request budget asks for it. */
  readonly onListRest?: (ms: number) => void;
  /** The request budget as an earlier run left it. */
  readonly budget: RequestBudgetState | undefined;
  /** How the service's meter is read; absent where it is not. */
  readonly meter?: MeterWatchOptions;
  /** How lists of single projects are read, for each resource that is. */
  readonly parts?: readonly PartWatchOptions[];
}

/** Urgent polls come on top of the others at times, and the lists besides. */
const connectionsPerPoll = 3;

/** One account being watched: a client of its own and a poller that uses it. */
export interface AccountWatch {
  readonly account: string;
  readonly poller: AccountPoller;
  /** Absent where the meter is not read. */
  readonly meter?: MeterPoller;
  /** Those of lists of single projects. */
  readonly parts: readonly PartPoller[];
  /** How its list of projects is polled, once it is. */
  listSchedule?: Schedule;
  budgetPerMinute(): number;
  /** Until when the service wants the account left alone, by the clock that paces it; undefined when it does not. */
  pausedUntil(): number | undefined;
  budget(): RequestBudgetState;
  close(): Promise<void>;
}

const leastConcurrency = 4;
const mostConcurrency = 200;

/** Number of projects of an account polled at the same time: as many as the budget would begin in a second. */
function concurrencyFor(requestsPerMinute: number): number {
  return Math.min(Math.max(Math.floor(requestsPerMinute / 60), leastConcurrency), mostConcurrency);
}

/** Makes a client for the account, and a poller that asks through it; nothing is asked yet. */
export function watchAccount(account: Account, options: WatchOptions): AccountWatch {
  const { base_url, org_id, cpuSource, readApiKey, readProxy, ca, requestsPerMinute } = account;
  const { client: given, mostConnections, onListRest, budget, meter, parts = [], ...pollerOptions } = options;
  const concurrency = concurrencyFor(requestsPerMinute);
  const shared = {
    ...{ ...given, base_url, readApiKey },
    ...(readProxy && { proxy: readProxy() }),
    ...compact({ sharers: account.projects.shard?.count, readCa: ca?.read, org_id }),
  };
  const client = new ApiClient({
    ...shared,
    connections: Math.min(connectionsPerPoll * concurrency, mostConnections ?? Number.POSITIVE_INFINITY),
    requestsPerMinute,
    ...(budget && { budget }),
  });
  const { now, onProblem } = pollerOptions;
  const evidence = new ListEvidence(now);
  const watched = { account, client: shared, evidence, now, onProblem };
  const meterWatch = meter && watchMeter(meter, watched);
  const partWatches = parts.map(part => watchPart(part, watched));
  const isWatched = createProjectFilter(account.projects);
  return {
    account: account.name,
    ...(meterWatch && { meter: meterWatch.poller }),
    parts: partWatches.map(({ poller }) => poller),
    poller: new AccountPoller({
      ...pollerOptions,
      account: account.name,
      cpuSource,
      ...(meterWatch && { awaitsMeter: meterWatch.isWanted }),
      source: listenTo(
        selectProjects(createSource(client, 'refresh', readApiKey, evidence), isWatched),
        evidence,
      ),
      urgentSource: createSource(client, 'urgent', readApiKey, evidence),
      requestsPerMinute,
      budgetPerMinute: () => client.budgetPerMinute(),
      concurrency,
      sleep: (ms, signal) => {
        onListRest?.(ms);
        return sleepFor(ms, undefined, { signal });
      },
    }),
    budgetPerMinute: () => client.budgetPerMinute(),
    pausedUntil: () => client.pausedUntil(projectList.route),
    budget: () => client.budget(),
    async close() {
      await Promise.all([client, meterWatch, ...partWatches].map(each => each?.close()));
    },
  };
}

/** A source whose lists of projects are evidence, too. */
function listenTo(source: AccountSource, evidence: ListEvidence): AccountSource {
  return { ...source, projects: signal => evidence.follow(source.projects(signal)) };
}

/** The lists and items of an account, asked for through a client. */
function createSource(
  client: ApiClient,
  priority: 'urgent' | 'refresh',
  readApiKey: () => string,
  evidence: ListEvidence,
): AccountSource {
  const projects: typeof projectList = {
    ...projectList,
    decode(item) {
      evidence.noteItem(item);
      return projectList.decode(item);
    },
  };
  const clean = (operation: Operation) => cleanError(operation, readApiKey);
  const cleanList = {
    ...operationList,
    decode(item: unknown) {
      const operation = operationList.decode(item);
      return operation && clean(operation);
    },
  };
  return {
    projects: signal => readListPages(client, projects, { priority: 'list', signal }),
    apiKeys: signal => readList(client, apiKeyList, { priority: 'list', signal }),
    endpoints: (project_id, signal) =>
      readList(client, endpointList, { params: { project_id }, priority, signal }),
    operationPages(project_id, { cursor, limit }, signal) {
      const options = { params: { project_id }, priority, limit, signal } as const;
      return readPages(client, cleanList, { ...options, ...(cursor !== undefined && { cursor }) });
    },
    async operation(project_id, operation_id, signal) {
      const params = { project_id, operation_id };
      const request = { route: operationRoute, params, priority, signal } as const;
      const { body, servedAt } = await client.get(request);
      const operation = decodeOperationAnswer(body);
      if (operation !== undefined) return { operation: clean(operation), servedAt };
      throw new ApiError('malformed', operationRoute, `GET ${operationRoute} answered without an operation`);
    },
    async usage(project_id, signal) {
      const request = { route: projectRoute, params: { project_id }, priority, signal } as const;
      const { body, servedAt } = await client.get(request);
      const usage = decodeProjectUsage(body);
      if (usage !== undefined) return { usage, servedAt };
      throw new ApiError('malformed', projectRoute, `GET ${projectRoute} answered without a project`);
    },
    reasonOf,
  };
}

const longestError = 500;

/**
 * The operation with the service's words on its error as they may be written down: one line, nothing invisible, without
 * the key, should the service repeat it, and cut.
 */
export function cleanError(operation: Operation, readApiKey: () => string): Operation {
  const { error, ...others } = operation;
  if (error === undefined) return operation;
  const apiKey = tryKey(readApiKey);
  // Words that may hold a key that is not known here are not kept.
  if (apiKey === undefined) return others;
  const visible = error.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim();
  const characters = [...redactText(visible, [apiKey])];
  if (characters.length === 0) return others;
  const isLong = characters.length > longestError;
  const kept = isLong ? `${characters.slice(0, longestError - 1).join('')}…` : characters.join('');
  return { ...others, error: kept };
}

function tryKey(readApiKey: () => string): string | undefined {
  try {
    return readApiKey();
  } catch {
    return undefined;
  }
}
