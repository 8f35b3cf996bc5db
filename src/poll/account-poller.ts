import type { PollCheckpoint, Reading } from '../resources/reading.ts';
import type { Reason } from '../resources/reason.ts';
import type { RequestPressure } from '../resources/request-pressure.ts';
import { listPollIntervalMs } from '../scheduler/budget-share.ts';
import { measurePressure } from '../scheduler/pressure.ts';
import type { ProjectPoll } from '../scheduler/project-poll.ts';
import { RefreshScheduler } from '../scheduler/refresh-scheduler.ts';
import type { WatchedProject } from '../scheduler/watched-project.ts';
import { type ListOutcome, ListReader } from './list-reader.ts';
import type { PollerOptions } from './poller-options.ts';
import { runProjectPoll } from './project-poll-reader.ts';

/**
 * Reads one account: its two lists, each on its own, and its projects one by one, most urgent first. A list that
 * hangs or fails holds up neither the other one nor the projects that are known.
 */
export class AccountPoller {
  readonly #options: PollerOptions;
  readonly #scheduler: RefreshScheduler;
  readonly #lists: ListReader;
  readonly #running = new Set<Promise<void>>();
  /** Readings the history has not written yet: the service waits for none of them. */
  #recording = 0;
  /** The service refused the key: no project is read until a list is. */
  #refused = false;
  /** The account is to be left alone: no project is read until the next round. */
  #roundEnded = false;
  #listFailed = false;
  /** When the last sweep that went well began. */
  #listReadAt = Number.NEGATIVE_INFINITY;
  #importedOperations = 0;
  #skippedListPolls = 0;

  constructor(options: PollerOptions) {
    this.#options = options;
    this.#scheduler = new RefreshScheduler(options);
    this.#lists = new ListReader(options, this.#scheduler);
    for (const { project, checkpoint } of options.knownProjects()) {
      this.#scheduler.watchList.add(project, checkpoint, options.now());
    }
  }

  /**
   * Reads the list of projects, and the projects it gives a reason to read. When the budget does not allow a list as
   * often as this is called, it goes on with the next one as soon as it does.
   */
  async readProjects(signal: AbortSignal): Promise<void> {
    const { now, sleep } = this.#options;
    for (;;) {
      const startedAt = now();
      const outcome = await this.#lists.readProjects(signal, () => this.#startRefreshes(signal));
      this.#handleList(outcome, startedAt);
      this.#startRefreshes(signal);
      const { terms } = this.#scheduler;
      const intervalMs = listPollIntervalMs(terms);
      if (outcome !== 'read' || intervalMs <= terms.scheduleMs || signal.aborted) return;
      // A clock that is set back must not stretch the wait.
      const waitMs = Math.min(Math.max(0, startedAt + intervalMs - now()), intervalMs);
      const isOver = await sleep(waitMs, signal).then(
        () => signal.aborted,
        () => true,
      );
      if (isOver) return;
    }
  }

  /** Counts a sweep that was left out because the one before it was not over, or the budget did not allow it. */
  skipListPoll(): void {
    this.#skippedListPolls += 1;
  }

  /** Reads the list of API keys if it is due. */
  readApiKeys(signal: AbortSignal): Promise<void> {
    return this.#lists.readApiKeys(signal);
  }

  /** Begins a round: reads what is due of the projects that are known. Call it as often as the lists are to be read. */
  refreshProjects(signal: AbortSignal): void {
    this.#roundEnded = false;
    const { now, budgetPerMinute } = this.#options;
    this.#scheduler.beginRound(now(), budgetPerMinute());
    this.#startRefreshes(signal);
  }

  /** Settles when no project is being read any more. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** How hard the account's budget is pressed, and how many sweeps were left out since the start. */
  pressure(now: number): RequestPressure {
    return { ...measurePressure(this.#scheduler, now), skippedListPolls: this.#skippedListPolls };
  }

  #startRefreshes(signal: AbortSignal): void {
    const { now } = this.#options;
    while (!this.#refused && !this.#roundEnded && !signal.aborted && this.#hasRoom(2)) {
      const turn = this.#scheduler.next(now(), !this.#hasRoom(1));
      if (turn === undefined) return;
      const reading = this.#read(turn, signal).finally(() => {
        this.#running.delete(reading);
        this.#startRefreshes(signal);
      });
      this.#running.add(reading);
    }
  }

  /** Whether fewer than so many times the concurrency ask the service; a history that is slow is not buried either. */
  #hasRoom(times: number): boolean {
    const { concurrency } = this.#options;
    const running = this.#running.size;
    return running - this.#recording < times * concurrency && running < (times + 1) * concurrency;
  }

  /** What is being written leaves its place to the next project. */
  async #record(reading: Reading, signal: AbortSignal): Promise<readonly PollCheckpoint[]> {
    this.#recording += 1;
    try {
      const recorded = this.#options.record(reading);
      this.#startRefreshes(signal);
      return await recorded;
    } finally {
      this.#recording -= 1;
    }
  }

  async #read(turn: ProjectPoll, signal: AbortSignal): Promise<void> {
    const { now, onProblem } = this.#options;
    const { watched } = turn;
    const wasBusy = watched.busy;
    const listeners = {
      onFailure: (reason: Reason) => this.#handle(reason),
      onImport: (operations: number) => this.#reportImport(watched, operations),
    };
    try {
      const options = { ...this.#options, record: (reading: Reading) => this.#record(reading, signal) };
      const outcome = await runProjectPoll(options, turn, listeners, signal);
      if (outcome === 'gone') this.#scheduler.lose(turn, now());
      else this.#scheduler.settle(turn, outcome, { wasBusy }, now());
    } catch (error) {
      const { project_id } = watched;
      this.#scheduler.settle(turn, failedPoll, { wasBusy }, now());
      if (!signal.aborted) onProblem({ collector: 'operations', project_id, error });
    }
  }

  /** With a key that is refused, or while the account is to be left alone, the others would only fail as well. */
  #handle(reason: Reason): void {
    if (reason === 'unauthorized') this.#refused = true;
    if (reason === 'rate_limited') this.#roundEnded = true;
  }

  /** When the list can be read again, what failed meanwhile need not wait as long as if it alone had failed. */
  #handleList(outcome: ListOutcome, startedAt: number): void {
    if (outcome === 'refused') this.#refused = true;
    if (outcome !== 'read') {
      this.#listFailed = true;
      return;
    }
    this.#refused = false;
    if (this.#listFailed) {
      this.#scheduler.queues.retryAtOnce(this.#listReadAt, this.#options.now());
      this.#lists.retryApiKeysAtOnce();
    }
    this.#listFailed = false;
    this.#listReadAt = startedAt;
  }

  #reportImport(watched: WatchedProject, operations: number): void {
    this.#importedOperations += operations;
    this.#options.onImport({
      operations: this.#importedOperations,
      projectsLeft: this.#scheduler.watchList.noteImport(watched),
    });
  }
}

const failedPoll = { ok: false, full: false, requests: 0, operations: [], skewMs: 0 } as const;
