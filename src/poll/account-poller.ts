import type { RequestPressure } from '../resources/request-budget.ts';
import { commitFault } from './committed-poll.ts';
import { ListPoller, type ListPollOutcome } from './list-poller.ts';
import type { PollerOptions } from './poller-options.ts';
import { ProjectPoller } from './project-poller.ts';
import { listPollIntervalMs } from './scheduler/budget-share.ts';
import { measurePressure, PollScheduler } from './scheduler/poll-scheduler.ts';

/**
 * Polls one account: its two lists, each on its own, and its projects one by one, most urgent first. A list that
 * hangs or fails holds up neither the other one nor the projects that are known.
 */
export class AccountPoller {
  readonly #options: PollerOptions;
  readonly #scheduler: PollScheduler;
  readonly #lists: ListPoller;
  readonly #projects: ProjectPoller;
  #listFailed = false;
  /** When the last list poll that went well began. */
  #listReadAt: number | undefined;
  #skippedListPolls = 0;

  constructor(options: PollerOptions) {
    this.#options = options;
    this.#scheduler = new PollScheduler(options);
    this.#lists = new ListPoller(options, this.#scheduler);
    this.#projects = new ProjectPoller(options, this.#scheduler);
    for (const { project, checkpoint } of options.knownProjects()) {
      this.#scheduler.watchList.add(project, checkpoint, options.now());
    }
  }

  /**
   * Polls the list of projects, and the projects it gives a reason to poll. When the budget does not allow a list poll
   * as often as this is called, it goes on with the next one as soon as it does.
   */
  async pollProjectList(signal: AbortSignal): Promise<void> {
    const { now, sleep } = this.#options;
    for (;;) {
      const startedAt = now();
      const outcome = await this.#lists.pollProjectList(signal, () => this.#projects.start(signal));
      this.#handle(outcome, startedAt);
      this.#projects.start(signal);
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

  /** Counts a list poll that was left out because the one before it was not over, or the budget did not allow it. */
  skipListPoll(): void {
    this.#skippedListPolls += 1;
  }

  /** Polls the list of API keys if it is due. */
  pollApiKeys(signal: AbortSignal): Promise<void> {
    return this.#lists.pollApiKeys(signal);
  }

  /** Begins a round: polls what is due of the projects that are known. Call it as often as the lists are to be polled. */
  beginRound(signal: AbortSignal): void {
    try {
      this.#projects.beginRound(signal);
    } catch (error) {
      void commitFault(this.#options, { collector: 'projects', error });
    }
  }

  /** Settles when no project is being polled any more. */
  idle(): Promise<void> {
    return this.#projects.idle();
  }

  /** How hard the account's budget is pressed, and how many list polls were left out since the start. */
  pressure(now: number): RequestPressure {
    return { ...measurePressure(this.#scheduler, now), skippedListPolls: this.#skippedListPolls };
  }

  /** When the list can be read again, what failed meanwhile need not wait as long as if it alone had failed. */
  #handle(outcome: ListPollOutcome, startedAt: number): void {
    if (outcome === 'refused') this.#projects.refuse();
    if (outcome !== 'read') {
      this.#listFailed = true;
      return;
    }
    this.#projects.accept();
    if (this.#listFailed) {
      this.#scheduler.queues.retryAtOnce(this.#listReadAt, this.#options.now());
      this.#lists.retryApiKeysAtOnce();
    }
    this.#listFailed = false;
    this.#listReadAt = startedAt;
  }
}
