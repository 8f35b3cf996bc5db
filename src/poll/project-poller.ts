import type { Collector } from '../resources/collector.ts';
import type {
  OperationImportReading,
  OperationProgress,
  PollCheckpoint,
  ProjectReading,
  Reading,
} from '../resources/reading.ts';
import type { Reason } from '../resources/reason.ts';
import { commitFault, runCommittedPoll } from './committed-poll.ts';
import { NeighbourCheck } from './neighbour-check.ts';
import { LostOperations } from './poll-context.ts';
import type { PollerOptions } from './poller-options.ts';
import type { ChosenPoll } from './scheduler/chosen-poll.ts';
import type { PollScheduler } from './scheduler/poll-scheduler.ts';
import type { WatchedProject } from './scheduler/project/watched-project.ts';

/** Counts the operations that an account's imports read in this run: each once, however often it is read again. */
class ImportCount {
  /** Of projects that are still imported. */
  readonly #byProject = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  /**
   * Notes operations of a project that are in the history now.
   *
   * @param before how far they were known before.
   */
  note(reading: ProjectReading | OperationImportReading, before: OperationProgress): void {
    const { kind, project_id, operations } = reading;
    if (operations === undefined) return;
    const { items, progress } = operations;
    const { headAt } = before;
    // Without a head the import begins: what was counted of an earlier one comes again.
    if (headAt === undefined || progress.headAt === undefined) this.#forget(project_id);
    const isNew = ({ created_at }: (typeof items)[number]) =>
      kind === 'operation_import' ||
      headAt === undefined ||
      (created_at !== undefined && created_at > headAt);
    const added = items.filter(isNew).length;
    this.#byProject.set(project_id, (this.#byProject.get(project_id) ?? 0) + added);
    this.#total += added;
  }

  /** The import of a project is over. */
  end(project_id: string): void {
    this.#byProject.delete(project_id);
  }

  #forget(project_id: string): void {
    this.#total -= this.#byProject.get(project_id) ?? 0;
    this.#byProject.delete(project_id);
  }
}

/** Polls the projects of an account one by one, most urgent first, a few at the same time. */
export class ProjectPoller {
  readonly #options: PollerOptions;
  readonly #scheduler: PollScheduler;
  readonly #running = new Set<Promise<void>>();
  /** Readings the history has not written yet: the service waits for none of them. */
  #committing = 0;
  /** The service refused the key: no project is polled until a list is. */
  #refused = false;
  /** Projects that got 401 since one was read: a single one may be refused for itself. */
  readonly #refusedProjects = new Set<string>();
  /** The account is to be left alone: no project is polled until the next round. */
  #roundEnded = false;
  readonly #neighbours = new NeighbourCheck();
  readonly #imported = new ImportCount();
  readonly #lost = new LostOperations();

  constructor(options: PollerOptions, scheduler: PollScheduler) {
    this.#options = options;
    this.#scheduler = scheduler;
  }

  /** Begins polls for as long as there is room and something to poll; each one that ends goes on with the next. */
  start(signal: AbortSignal): void {
    const { now } = this.#options;
    while (!this.#refused && !this.#roundEnded && !signal.aborted && this.#hasRoom(2)) {
      const poll = this.#scheduler.next(now(), !this.#hasRoom(1));
      if (poll === undefined) return;
      const running = this.#run(poll, signal)
        .finally(() => {
          this.#running.delete(running);
          this.start(signal);
        })
        .catch(error => commitFault(this.#options, { collector: 'projects', error }));
      this.#running.add(running);
    }
  }

  /** Begins a round, in which the account need not be left alone any more. */
  beginRound(signal: AbortSignal): void {
    this.#roundEnded = false;
    const { now, budgetPerMinute } = this.#options;
    this.#scheduler.beginRound(now(), budgetPerMinute());
    this.start(signal);
  }

  /** Polls no more while the service refuses the key: the others would only fail as well. */
  refuse(): void {
    this.#refused = true;
  }

  /** The service takes the key. */
  accept(): void {
    this.#refused = false;
    this.#refusedProjects.clear();
  }

  /** Settles when no project is being polled any more. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Whether fewer than `times` the concurrency ask the service; a history that is slow is not buried either. */
  #hasRoom(times: number): boolean {
    const { concurrency } = this.#options;
    const running = this.#running.size;
    return running - this.#committing < times * concurrency && running < (times + 1) * concurrency;
  }

  /** Commits a reading, which leaves its place to the next project meanwhile. */
  async #commit(reading: Reading, signal: AbortSignal): Promise<readonly PollCheckpoint[]> {
    this.#committing += 1;
    try {
      const committed = this.#options.commit(reading);
      this.start(signal);
      return await committed;
    } finally {
      this.#committing -= 1;
    }
  }

  async #run(poll: ChosenPoll, signal: AbortSignal): Promise<void> {
    const { now } = this.#options;
    const { watched } = poll;
    const wasBusy = watched.polls.busy;
    const listeners = {
      onFailure: (reason: Reason) => this.#handle(reason, watched),
      onImport: this.#reportImport.bind(this, watched),
      onAnswer: (collector: Collector) => this.#noteAnswer(collector, watched),
      isGone: (collector: Collector) => this.#isGone(watched, collector, signal),
    };
    try {
      const commit = (reading: Reading) => this.#commit(reading, signal);
      const options = { ...this.#options, commit, lost: this.#lost };
      const outcome = await runCommittedPoll(options, poll, listeners, signal);
      if (outcome === 'gone') this.#scheduler.lose(poll, now());
      else this.#scheduler.settle(poll, outcome, { wasBusy }, now());
    } catch (error) {
      this.#scheduler.settle(poll, failedPoll, { wasBusy }, now());
      if (signal.aborted) return;
      // They are read last: they count as failed until a poll comes to its end.
      await commitFault(this.#options, { collector: 'operations', project_id: watched.project_id, error });
    }
  }

  /** With a key that is refused, or while the account is to be left alone, the others would only fail as well. */
  #handle(reason: Reason, { project_id }: WatchedProject): void {
    if (reason === 'unauthorized') this.#refusedProjects.add(project_id);
    if (this.#refusedProjects.size > 1) this.#refused = true;
    if (reason === 'rate_limited') this.#roundEnded = true;
  }

  #noteAnswer(collector: Collector, { project_id }: WatchedProject): void {
    this.#refusedProjects.clear();
    this.#neighbours.noteAnswer(collector, project_id);
  }

  /** Looks whether a neighbour of a project that is not found is. */
  async #isGone(watched: WatchedProject, collector: Collector, signal: AbortSignal): Promise<boolean> {
    const { source, onProblem } = this.#options;
    const { project_id, presence } = watched;
    if (presence.isDisputed) {
      onProblem({ collector, project_id, error: new Error(disputed) });
      return false;
    }
    const neighbour = this.#scheduler.watchList.neighbourOf(project_id);
    const isGone = await this.#neighbours.isGone({ project_id, collector, neighbour }, source, signal);
    if (!isGone) onProblem({ collector, project_id, error: new Error(describeAbsence(neighbour)) });
    return isGone;
  }

  #reportImport(watched: WatchedProject, ...read: Parameters<ImportCount['note']>): void {
    this.#imported.note(...read);
    if (watched.polls.isImported) this.#imported.end(watched.project_id);
    this.#options.onImport({
      operations: this.#imported.total,
      projectsLeft: this.#scheduler.watchList.noteImport(watched),
    });
  }
}

const disputed = '404 for this project, which the list still shows: ask the support of the service about it';

function describeAbsence(neighbour: string | undefined): string {
  const others =
    neighbour === undefined
      ? '404 for this project, and there is no other project to ask for: the list of projects will tell'
      : '404 for this project, and no answer for another one: look for a gateway or a base_url that has changed';
  return `${others}; its series keep their last values until collect.drop_after`;
}

const failedPoll = { ok: false, full: false, requests: 0, operations: [], skewMs: 0 } as const;
