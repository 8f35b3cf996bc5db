import type { Branch } from '../resources/branch.ts';
import { dayMs } from '../resources/duration.ts';
import type { ListReading, Reading } from '../resources/reading.ts';
import type { Reason } from '../resources/reason.ts';
import { type PollerOptions, tryRecord } from './poller-options.ts';
import { failAgain, hasPassed, mayRetry, type RepeatedFailure } from './scheduler/due-time.ts';
import { branchRefreshMs } from './scheduler/separate-budget.ts';

export interface BranchPollerOptions extends Pick<PollerOptions, 'account' | 'now' | 'record' | 'onProblem'> {
  /** Ids of the watched projects, as they were listed last. */
  readonly projectIds: () => readonly string[];
  /** The branches of a project. Throws when they cannot be read; `reasonOf` names why. */
  readonly branches: (
    project_id: string,
    signal: AbortSignal,
  ) => Promise<ListReading<Branch> & { readonly servedAt: number }>;
  readonly reasonOf: (error: unknown) => Reason;
  /** Told when the service says that it does not list branches. */
  readonly onRefused: (error: unknown) => void;
}

/** Requests of one call, which is made with every list poll. */
const mostAtOnce = 10;
/** One project may have been deleted a moment ago; several in a row are the service's answer to all. */
const refusalsInRow = 3;

/** Reads the branches of the projects of one account, a request a project, the ones read longest ago first. */
export class BranchPoller {
  readonly #options: BranchPollerOptions;
  readonly #readAt = new Map<string, number>();
  /** One that fails comes after the others. */
  readonly #triedAt = new Map<string, number>();
  #failure: RepeatedFailure | undefined;
  #refusals = 0;
  #refusedAt: number | undefined;

  constructor(options: BranchPollerOptions) {
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
      .filter(id => !this.#readAt.has(id) || hasPassed(readAt(id), branchRefreshMs, now()))
      .sort((one, other) => triedAt(one) - triedAt(other))
      .slice(0, mostAtOnce);
  }

  /** @returns whether to go on with the next one. */
  async #readOne(project_id: string, signal: AbortSignal): Promise<boolean> {
    const { account, now, branches } = this.#options;
    const startedAt = now();
    this.#triedAt.set(project_id, startedAt);
    const moment = () => ({ account, readAt: now(), servedAt: now(), durationMs: now() - startedAt });
    try {
      const { servedAt, items, rejected, complete } = await branches(project_id, signal);
      const list = { items, rejected, complete };
      const reading = { kind: 'branches', project_id, branches: list, ...moment(), servedAt } as const;
      const isRecorded = (await tryRecord(this.#options, reading, 'branches', project_id)) !== undefined;
      if (isRecorded) this.#readAt.set(project_id, now());
      this.#refusals = 0;
      this.#failure = undefined;
      return isRecorded;
    } catch (error) {
      if (signal.aborted) return false;
      return this.#fail(error, { project_id, moment: moment() });
    }
  }

  async #fail(
    error: unknown,
    { project_id, moment }: { readonly project_id: string; readonly moment: Omit<Reading, 'kind'> },
  ): Promise<boolean> {
    const { reasonOf, onProblem, onRefused, now } = this.#options;
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
    const failure = { kind: 'failure', collector: 'branches', reason, project_id, ...moment } as const;
    onProblem({ collector: 'branches', project_id, error });
    await tryRecord(this.#options, failure, 'branches', project_id);
    this.#failure = failAgain(this.#failure, now());
    return false;
  }
}
