import { ApiClient } from '../api/client.ts';
import type { ClientOptions } from '../api/client-options.ts';
import { type ListSource, readList, readListPages } from '../api/list.ts';
import { reasonOf } from '../api/message/api-error.ts';
import type { Account } from '../config/config.ts';
import { type ConsumptionPage, MeterPoller, type MeterPollerOptions } from '../poll/meter-poller.ts';
import { PartPoller, type PartPollerOptions } from '../poll/part-poller.ts';
import { meterPageSize, meterRequestsPerMinute, partRequestsPerMinute } from '../poll/scheduler/due-time.ts';
import { consumptionList } from '../resources/consumption.ts';
import { type MeterSpan, meterMetrics } from '../resources/meter.ts';
import type { AnyProjectPart } from '../resources/project-part.ts';
import { shareOfRate } from '../resources/shard.ts';
import type { ListEvidence } from './list-evidence.ts';

/** When the meter is asked: once the service shows that it may have one, or in any case. */
export type MeterMode = 'auto' | 'on';

export interface MeterWatchOptions extends Pick<MeterPollerOptions, 'known' | 'commit' | 'onRefused'> {
  readonly mode: MeterMode;
}

/** What is watched besides of an account, and how its clients ask. */
interface WatchedAccount extends Pick<MeterPollerOptions, 'now' | 'onProblem'> {
  readonly account: Account;
  readonly client: Omit<ClientOptions, 'requestsPerMinute' | 'connections'>;
  readonly evidence: ListEvidence;
}

/** A poller with a client of its own: what slows it slows nothing else. */
interface OwnWatch<Poller> {
  readonly poller: Poller;
  close(): Promise<void>;
}

interface MeterWatch extends OwnWatch<MeterPoller> {
  /** Whether there is reason to ask at all. */
  readonly isWanted: () => boolean;
}

/** Watches the meter of an account. */
export function watchMeter(
  { mode, ...options }: MeterWatchOptions,
  { account, client: given, evidence, now, onProblem }: WatchedAccount,
): MeterWatch {
  const { include, exclude, shard } = account.projects;
  const client = new ApiClient({
    ...given,
    requestsPerMinute: shareOfRate(meterRequestsPerMinute, shard),
    connections: 1,
  });
  const isWhole = include.includes('*') && exclude.length === 0 && shard === undefined;
  const pages = isWhole
    ? (span: MeterSpan, signal: AbortSignal) => readPages(client, evidence, span, signal)
    : (span: MeterSpan, signal: AbortSignal) => readNamed(client, evidence, span, signal);
  const isWanted = () => mode === 'on' || evidence.isLater;
  return {
    isWanted,
    poller: new MeterPoller({
      ...options,
      ...{ now, onProblem, pages, isWanted },
      account: account.name,
      scope: JSON.stringify([account.org_id ?? null, include, exclude, ...(shard ? [shard] : [])]),
      reasonOf,
      serviceNow: () => evidence.serviceNow(),
    }),
    close: () => client.close(),
  };
}

/** The consumption of the whole account, or of some of its projects. */
function readPages(
  client: ApiClient,
  evidence: ListEvidence,
  { granularity, fromAt, untilAt }: MeterSpan,
  signal: AbortSignal,
  project_ids: readonly string[] = [],
): AsyncIterable<ConsumptionPage> {
  const source: ListSource = {
    routesWithoutLimit: client.routesWithoutLimit,
    org_id: client.org_id ?? evidence.org_id,
    get: request => client.get(request),
  };
  const query = {
    granularity,
    from: writeInstant(fromAt),
    to: writeInstant(untilAt),
    metrics: meterMetrics.join(','),
    ...(project_ids.length > 0 && { project_ids: project_ids.join(',') }),
  };
  return readListPages(source, consumptionList(granularity), { query, priority: 'refresh', signal });
}

/** The consumption of the watched projects alone. */
async function* readNamed(
  client: ApiClient,
  evidence: ListEvidence,
  span: MeterSpan,
  signal: AbortSignal,
): AsyncGenerator<ConsumptionPage> {
  const ids = evidence.projectIds;
  let rejected = 0;
  let complete = true;
  for (let first = 0; first < ids.length; first += meterPageSize) {
    const named = ids.slice(first, first + meterPageSize);
    const isLast = first + meterPageSize >= ids.length;
    for await (const { items, servedAt, end } of readPages(client, evidence, span, signal, named)) {
      rejected += end?.rejected ?? 0;
      complete &&= end?.complete ?? true;
      const page = { items: items.filter(({ project_id }) => named.includes(project_id)), servedAt };
      yield isLast && end !== undefined ? { ...page, end: { rejected, complete } } : page;
    }
  }
}

/** In whole seconds, as the service writes instants. */
function writeInstant(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

export interface PartWatchOptions extends Pick<PartPollerOptions, 'commit' | 'onRefused'> {
  readonly part: AnyProjectPart;
}

/** Watches a resource of the projects of an account. */
export function watchPart(
  { part, ...options }: PartWatchOptions,
  { account, client: given, evidence, now, onProblem }: WatchedAccount,
): OwnWatch<PartPoller> {
  const requestsPerMinute = shareOfRate(partRequestsPerMinute, account.projects.shard);
  const client = new ApiClient({ ...given, requestsPerMinute, connections: 1 });
  return {
    poller: new PartPoller({
      ...options,
      ...{ account: account.name, collector: part.collector, now, onProblem },
      projectIds: () => evidence.projectIds,
      readPart: (project_id, signal) =>
        readList(client, part.list, { params: { project_id }, priority: 'refresh', signal }),
      reasonOf,
    }),
    close: () => client.close(),
  };
}
