import type { Reading } from '../resources/reading.ts';
import type { ProjectPage } from './account-source.ts';
import { commitFailure, tryCommit } from './committed-poll.ts';
import { momentOf } from './poll-context.ts';
import type { PollerOptions } from './poller-options.ts';
import { failAgain, hasPassed, type RepeatedFailure, retryWaitMs } from './scheduler/due-time.ts';
import type { PollScheduler } from './scheduler/poll-scheduler.ts';
import type { ListComparison } from './scheduler/watch-list.ts';

type ProjectEnd = NonNullable<ProjectPage['end']>;

/** How a list poll ended; `refused` when the service did not take the key. */
export type ListPollOutcome = 'read' | 'failed' | 'refused';

/** Polls the two lists of an account, each at its own pace. */
export class ListPoller {
  readonly #options: PollerOptions;
  readonly #scheduler: PollScheduler;
  #keysReadAt: number | undefined;
  #keysFailure: RepeatedFailure | undefined;

  constructor(options: PollerOptions, scheduler: PollScheduler) {
    this.#options = options;
    this.#scheduler = scheduler;
  }

  /**
   * Polls the list of projects; every page is committed and followed as soon as it is there.
   *
   * @param onPage called after each page, as there may be something to poll now.
   */
  async pollProjectList(signal: AbortSignal, onPage: () => void): Promise<ListPollOutcome> {
    const { source, now } = this.#options;
    const startedAt = now();
    const earlierIds: string[] = [];
    this.#scheduler.watchList.beginListPoll();
    this.#scheduler.cpuSource.beginList();
    try {
      for await (const page of source.projects(signal)) {
        const end = this.#believedEnd(page, earlierIds);
        const doubtful = this.#findDoubtful(page.items, end, earlierIds);
        const reading = this.#readPage({ ...page, end }, earlierIds, doubtful, startedAt);
        const checkpoints = await tryCommit(this.#options, reading, 'projects');
        if (checkpoints === undefined) return 'failed';
        for (const { project_id } of reading.items) earlierIds.push(project_id);
        this.#scheduler.followPage(page.items, startedAt, now(), checkpoints);
        this.#scheduler.cpuSource.notePage(page.items);
        for (const { project_id } of page.leftOut ?? []) this.#scheduler.watchList.leave(project_id);
        if (end !== undefined) this.#endListPoll(end, doubtful);
        onPage();
      }
      return 'read';
    } catch (error) {
      return this.#fail('projects', error, startedAt, signal);
    }
  }

  /** Polls the list of API keys when it is due: at its own pace, sooner while it cannot be read. */
  async pollApiKeys(signal: AbortSignal): Promise<void> {
    const { source, now } = this.#options;
    const startedAt = now();
    if (!this.#areKeysDue(startedAt)) return;
    const outcome = await source.apiKeys(signal).then(
      async list => {
        const reading: Reading = { kind: 'api_keys', ...momentOf(this.#options, startedAt), ...list };
        return (await tryCommit(this.#options, reading, 'api_keys')) === undefined ? 'failed' : 'read';
      },
      error => this.#fail('api_keys', error, startedAt, signal),
    );
    const at = now();
    if (outcome === 'read') this.#keysReadAt = at;
    this.#keysFailure = outcome === 'read' ? undefined : failAgain(this.#keysFailure, at);
  }

  /** Lets the keys be tried again at once: the reason why they could not be read may be over. */
  retryApiKeysAtOnce(): void {
    const now = this.#options.now();
    if (this.#keysFailure !== undefined) this.#keysFailure = { sinceAt: now, lastTriedAt: now };
  }

  #areKeysDue(now: number): boolean {
    const { apiKeysRefreshMs, collectors } = this.#options;
    if (!collectors.includes('api_keys')) return false;
    if (this.#keysFailure !== undefined) {
      const waitMs = Math.min(retryWaitMs(this.#keysFailure), apiKeysRefreshMs);
      return hasPassed(this.#keysFailure.lastTriedAt, waitMs, now);
    }
    return this.#keysReadAt === undefined || hasPassed(this.#keysReadAt, apiKeysRefreshMs, now);
  }

  #endListPoll({ complete }: ProjectEnd, doubtful: ReadonlySet<string>): void {
    const { watchList, cpuSource } = this.#scheduler;
    const now = this.#options.now();
    watchList.endListPoll(complete, doubtful, now);
    if (complete) cpuSource.endList(project_id => watchList.has(project_id), now);
  }

  /** The end of the list as far as it is to be believed: one that lost most of its projects at once is not whole. */
  #believedEnd({ items, leftOut = [], end }: ProjectPage, earlierIds: readonly string[]) {
    const { now, onProblem } = this.#options;
    if (end === undefined) return undefined;
    const report = (problem: string) =>
      onProblem({ collector: 'projects', isPartial: true, error: new Error(problem) });
    if (!end.complete) {
      report(describeGaps(end));
      return end;
    }
    const shown = [...items, ...leftOut].map(({ project_id }) => project_id);
    const loss = this.#scheduler.watchList.doubtLoss(new Set([...earlierIds, ...shown]), now());
    if (loss === undefined) return end;
    report(describeLoss(loss));
    return { ...end, complete: false };
  }

  /** Ids that are not to be taken for gone although the list, now read to its end, does not hold them. */
  #findDoubtful(
    items: ProjectPage['items'],
    end: ProjectEnd | undefined,
    earlierIds: readonly string[],
  ): ReadonlySet<string> {
    if (!end?.complete || earlierIds.length === 0) return new Set();
    return this.#scheduler.watchList.findDoubtful(
      new Set([...earlierIds, ...items.map(({ project_id }) => project_id)]),
    );
  }

  #readPage(
    page: Omit<ProjectPage, 'end'> & { readonly end: ProjectEnd | undefined },
    earlierIds: readonly string[],
    doubtful: ReadonlySet<string>,
    startedAt: number,
  ) {
    const { watchList } = this.#scheduler;
    const { servedAt, end } = page;
    const items = page.items.filter(({ project_id }) => !watchList.isMissingSince(project_id, startedAt));
    // The history cares about those it shows alone, and they are watched until it hears of them.
    const leftOut = (page.leftOut ?? [])
      .filter(({ project_id }) => watchList.has(project_id))
      .map(({ project_id, project_name }) => ({ project_id, project_name }));
    const { current } = this.#scheduler.cpuSource;
    const listed = {
      ...{ ...momentOf(this.#options, startedAt), servedAt, items },
      ...(leftOut.length > 0 && { leftOut }),
      ...(current !== 'list' && { cpuSource: current }),
    };
    if (end === undefined) return { kind: 'project_page', ...listed } as const;
    const { rejected, complete, unavailableIds = [] } = end;
    const earlier = earlierIds.length > 0 ? { earlierIds: [...earlierIds, ...doubtful] } : {};
    const unavailable = unavailableIds.length > 0 ? { unavailable: unavailableIds.length } : {};
    const meter = this.#options.awaitsMeter?.() ? ({ awaitsMeter: true } as const) : {};
    return { kind: 'projects', ...listed, rejected, complete, ...earlier, ...unavailable, ...meter } as const;
  }

  async #fail(
    collector: 'projects' | 'api_keys',
    error: unknown,
    startedAt: number,
    signal: AbortSignal,
  ): Promise<ListPollOutcome> {
    if (signal.aborted) return 'failed';
    const reason = this.#options.source.reasonOf(error);
    await commitFailure(this.#options, { collector, error }, reason, startedAt);
    return reason === 'unauthorized' ? 'refused' : 'failed';
  }
}

function describeLoss({ known, lost }: ListComparison): string {
  return `the list of projects lost ${lost} of ${known} projects at once: each is looked at, and keeps its last values until collect.drop_after`;
}

function describeGaps({ rejected, unavailableIds = [] }: ProjectEnd): string {
  const causes = [
    ...(rejected > 0 ? [`${rejected} of its projects could not be read`] : []),
    ...(unavailableIds.length > 0 ? [describeUnavailable(unavailableIds)] : []),
  ];
  const cause =
    causes.join(' and ') || 'the service left projects out, or never came to the end of its pages';
  return `the list of projects is not whole: ${cause}; what is missing keeps its last values until collect.drop_after, and what is new may not be seen`;
}

const mostNamed = 5;
const longestNamed = 100;

function describeUnavailable(ids: readonly string[]): string {
  const named = ids.slice(0, mostNamed).map(id => id.slice(0, longestNamed));
  const more = ids.length > mostNamed ? ', …' : '';
  return `the service calls ${ids.length} of its projects unavailable (${named.join(', ')}${more})`;
}
