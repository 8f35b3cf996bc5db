import type { PartCollector } from '../resources/collector.ts';
import { dayMs } from '../resources/duration.ts';
import type { ListReading } from '../resources/reading.ts';
import type { Reason } from '../resources/reason.ts';
import { commitFailure, tryCommit } from './committed-poll.ts';
import { momentOf } from './poll-context.ts';
import type { PollerOptions } from './poller-options.ts';
import { failAgain, hasPassed, mayRetry, partRefreshMs, type RepeatedFailure } from './scheduler/due-time.ts';

export interface PartPollerOptions extends Pick<PollerOptions, 'account' | 'now' | 'commit' | 'onProblem'> {
  /** Ids of the watched projects, as they were listed last. */
  readonly projectIds: () => readonly string[];
  /** The resource that each project has a list of. */
  readonly collector: PartCollector;
  /** The list of a project. Throws when it cannot be read; `reasonOf` names why. */
  readonly readPart: (
    project_id: string,
    signal: AbortSignal,
  ) => Promise<ListReading<object> & { readonly servedAt: number }>;
  readonly reasonOf: (error: unknown) => Reason;
  /** Told when the service says that it has no such lists. */
  readonly onRefused: (error: unknown) => void;
}

/** Requests of one call, which is made with every list poll. */
const mostAtOnce = 10;
/** One project may have been deleted a moment ago; several in a row are the service's answer to all. */
const refusalsInRow = 3;

/** Reads the lists that the projects of one account have of a resource, a request a project, the one that was read longest ago first. */
export class PartPoller {
  readonly #options: PartPollerOptions;
  readonly #readAt = new Map<string, number>();
  /** One that fails comes after the others. */
  readonly #triedAt = new Map<string, number>();
  #failure: RepeatedFailure | undefined;
  #refusals = 0;
  #refusedAt: number | undefined;

  get collector(): PartCollector {
    return this.#options.collector;
  }

  constructor(options: PartPollerOptions) {
    this.#options = options;
  }

  /** Reads what is due; call it as often as the lists are to be polled. Throws nothing that the service is to blame for. */
  async poll(signal: AbortSignal): Promise<void> {
    const { now } = this.#options;
    if (this.#refusedAt !== undefined && !hasPassed(this.#refusedAt, dayMs, now())) return;
    if (!mayRetry(this.#failure, now())) return;
    this.#refusedAt = undefined;
    for (const project_id of this.#listDue()) {
      if (signal.aborted || !(await this.#readOne(project_id, signal))) return;
    }
  }

  #listDue(): readonly string[] {
    const { projectIds, now } = this.#options;
    const ids = new Set(projectIds());
    for (const times of [this.#readAt, this.#triedAt]) {
      for (const known of times.keys()) if (!ids.has(known)) times.delete(known);
    }
    const readAt = (id: string) => this.#readAt.get(id) ?? 0;
    const triedAt = (id: string) => this.#triedAt.get(id) ?? 0;
    return [...ids]
      .filter(id => !this.#readAt.has(id) || hasPassed(readAt(id), partRefreshMs, now()))
      .sort((one, other) => triedAt(one) - triedAt(other))
      .slice(0, mostAtOnce);
  }

  /** @returns whether to go on with the next one. */
  async #readOne(project_id: string, signal: AbortSignal): Promise<boolean> {
    const { now, collector, readPart } = this.#options;
    const startedAt = now();
    this.#triedAt.set(project_id, startedAt);
    try {
      const { servedAt, items, rejected, complete } = await readPart(project_id, signal);
      const list = { items, rejected, complete };
      const moment = { ...momentOf(this.#options, startedAt), servedAt };
      const reading = { kind: 'project_part', collector, project_id, list, ...moment } as const;
      const isCommitted = (await tryCommit(this.#options, reading, collector, project_id)) !== undefined;
      if (isCommitted) this.#readAt.set(project_id, now());
      this.#refusals = 0;
      this.#failure = undefined;
      return isCommitted;
    } catch (error) {
      if (signal.aborted) return false;
      return this.#fail(error, project_id, startedAt);
    }
  }

  async #fail(error: unknown, project_id: string, startedAt: number): Promise<boolean> {
    const { collector, reasonOf, onRefused, now } = this.#options;
    const reason = reasonOf(error);
    if (reason === 'not_found' || reason === 'forbidden') {
      this.#refusals += 1;
      if (this.#refusals < refusalsInRow) {
        this.#readAt.set(project_id, now());
        return true;
      }
      this.#refusals = 0;
      this.#refusedAt = now();
      onRefused(error);
      return false;
    }
    await commitFailure(this.#options, { collector, project_id, error }, reason, startedAt);
    this.#failure = failAgain(this.#failure, now());
    return false;
  }
}
