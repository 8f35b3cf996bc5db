import type { Collector } from '../resources/collector.ts';
import type { Project } from '../resources/project.ts';
import type { Moment, ProjectStanding, Reading } from '../resources/reading.ts';
import type { AccountSource, Listed } from './account-source.ts';
import { refreshProject } from './project-refresh.ts';
import { orderRefreshes } from './refresh-order.ts';
import { type KnownProject, type WatchedProject, WatchList } from './watch-list.ts';

/** What a poller needs from the rest of the daemon. */
export interface PollerOptions {
  readonly account: string;
  readonly source: AccountSource;
  /**
   * Takes a reading; when it rejects, the reading is lost and will be made again. Answers what the next readings go
   * by, of the project that was read and of those that a list brought back.
   */
  readonly record: (reading: Reading) => Promise<readonly ProjectStanding[]>;
  /** Projects of the account from an earlier run: they are read although the list of projects may not be. */
  readonly knownProjects: () => Iterable<KnownProject>;
  readonly onProblem: (problem: Problem) => void;
  readonly onImport: (progress: ImportProgress) => void;
  readonly idleRefreshMs: number;
  readonly requestsPerMinute: number;
  readonly concurrency: number;
  readonly now: () => number;
}

/** How far the first reading of an account's operations has come. */
export interface ImportProgress {
  /** Read in this run. */
  readonly operations: number;
  readonly projectsLeft: number;
}

export interface Problem {
  readonly collector: Collector;
  readonly project_id?: string;
  readonly error: unknown;
}

/** Shares of the request budget: what is not yet due may use no more than this. */
const spareShare = 0.5;
const requestsPerRefresh = 2;
const firstIntervalMs = 30_000;

/**
 * Reads one account: its two lists, each on its own, and its projects one by one, most urgent first. A list that
 * hangs or fails holds up neither the other one nor the projects that are known.
 */
export class AccountPoller {
  readonly #options: PollerOptions;
  readonly #watchList = new WatchList();
  readonly #running = new Set<string>();
  #queue: string[] = [];
  #workers: Promise<void>[] = [];
  #lastRefreshAt: number | undefined;
  #intervalMs = firstIntervalMs;
  /** The service refused the key: no project is read until a list is. */
  #refused = false;
  #importedOperations = 0;

  constructor(options: PollerOptions) {
    this.#options = options;
    this.#watchList.add(options.knownProjects());
  }

  /** Reads the list of projects, then sets the order in which the projects are read. */
  async readProjects(signal: AbortSignal): Promise<void> {
    const askedAt = this.#options.now();
    const read = () => this.#options.source.projects(signal);
    const asReading = (list: Listed<Project>, moment: Moment): Reading => {
      const items = list.items.filter(
        ({ project_id }) => !this.#watchList.isMissingSince(project_id, askedAt),
      );
      return { kind: 'projects', ...moment, ...list, items };
    };
    const list = await this.#readList('projects', read, asReading, signal);
    if (list !== undefined) {
      this.#refused = false;
      this.#watchList.update(list, askedAt);
    }
    this.#startRefreshes(signal);
  }

  async readApiKeys(signal: AbortSignal): Promise<void> {
    const read = () => this.#options.source.apiKeys(signal);
    await this.#readList(
      'api_keys',
      read,
      (list, moment) => ({ kind: 'api_keys', ...moment, ...list }),
      signal,
    );
  }

  /** Reads what is due of the projects that are known; call it as often as the lists are read. */
  refreshProjects(signal: AbortSignal): void {
    const now = this.#options.now();
    if (this.#lastRefreshAt !== undefined) this.#intervalMs = now - this.#lastRefreshAt;
    this.#lastRefreshAt = now;
    this.#startRefreshes(signal);
  }

  /** Settles when no project is being read any more. */
  async idle(): Promise<void> {
    await Promise.all(this.#workers);
  }

  async #readList<Item>(
    collector: 'projects' | 'api_keys',
    read: () => Promise<Listed<Item>>,
    asReading: (list: Listed<Item>, moment: Moment) => Reading,
    signal: AbortSignal,
  ): Promise<Listed<Item> | undefined> {
    const { account, source, now } = this.#options;
    const startedAt = now();
    const moment = (): Moment => {
      const readAt = now();
      return { account, readAt, servedAt: readAt, durationMs: readAt - startedAt };
    };
    try {
      const list = await read();
      return (await this.#record(asReading(list, moment()), collector)) ? list : undefined;
    } catch (error) {
      if (signal.aborted) return undefined;
      const reason = source.reasonOf(error);
      if (reason === 'unauthorized' && collector === 'projects') this.#refused = true;
      if (reason !== undefined)
        await this.#record({ kind: 'failure', collector, reason, ...moment() }, collector);
      this.#options.onProblem({ collector, error });
      return undefined;
    }
  }

  #startRefreshes(signal: AbortSignal): void {
    this.#queue = this.#refused ? [] : [...this.#order()];
    const wanted = Math.min(this.#options.concurrency - this.#running.size, this.#queue.length);
    for (let started = 0; started < wanted; started += 1) {
      const worker = this.#work(signal).finally(() => {
        this.#workers = this.#workers.filter(other => other !== worker);
      });
      this.#workers.push(worker);
    }
  }

  #order(): readonly string[] {
    const { idleRefreshMs, requestsPerMinute, now } = this.#options;
    const candidates = this.#watchList.candidates(this.#running);
    const requests = (requestsPerMinute * spareShare * this.#intervalMs) / 60_000;
    const capacity = Math.floor(requests / requestsPerRefresh);
    return orderRefreshes(candidates, now(), { idleRefreshMs, capacity });
  }

  async #work(signal: AbortSignal): Promise<void> {
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      if (signal.aborted) return;
      const watched = this.#watchList.get(next);
      if (watched === undefined || this.#running.has(next)) continue;
      this.#running.add(next);
      try {
        await this.#refresh(next, watched, signal);
      } catch (error) {
        if (!signal.aborted) this.#options.onProblem({ collector: 'operations', project_id: next, error });
      } finally {
        this.#running.delete(next);
      }
    }
  }

  async #refresh(project_id: string, watched: WatchedProject, signal: AbortSignal): Promise<void> {
    const { account, source, now } = this.#options;
    const readAs = JSON.stringify(watched.project);
    const { known } = watched.standing;
    const imports = known.headAt === undefined || known.tailCursor !== undefined;
    const { rounds: round } = watched;
    const onFailure = (collector: Collector, error: unknown) =>
      this.#options.onProblem({ collector, project_id, error });
    watched.rounds += 1;
    let failed = false;
    const context = { account, project_id, source, known, round, now, signal, onFailure };
    for await (const reading of refreshProject(context)) {
      if (reading.kind === 'failure') {
        if (reading.reason === 'unauthorized') this.#refused = true;
        // With a key that is refused, or while the account is to be left alone, the others would only fail as well.
        if (reading.reason === 'unauthorized' || reading.reason === 'rate_limited') this.#queue = [];
        if (reading.reason === 'not_found' && !watched.disputed) {
          watched.missingAt = now();
          const { readAt, servedAt, durationMs } = reading;
          const gone: Reading = { kind: 'project_gone', account, project_id, readAt, servedAt, durationMs };
          await this.#record(gone, 'projects', project_id);
          return;
        }
        failed = true;
      }
      const recorded = await this.#record(reading, 'operations', project_id);
      if (!recorded) failed = true;
      if (!recorded && reading.kind === 'operation_import') break;
      if (imports) this.#reportImport(watched, reading);
    }
    const readAt = now();
    if (failed) {
      watched.failing = { since: watched.failing?.since ?? readAt, lastTriedAt: readAt };
    } else {
      watched.readAs = readAs;
      watched.lastReadAt = readAt;
      watched.imported = true;
      delete watched.failing;
    }
  }

  #reportImport(watched: WatchedProject, reading: Reading): void {
    if (reading.kind !== 'project' && reading.kind !== 'operation_import') return;
    if (reading.operations === undefined) return;
    this.#importedOperations += reading.operations.items.length;
    const { headAt, tailCursor } = reading.operations.progress;
    watched.imported = headAt !== undefined && tailCursor === undefined;
    this.#options.onImport({
      operations: this.#importedOperations,
      projectsLeft: this.#watchList.importsLeft(),
    });
  }

  /** @returns whether it was written; the history says why not. */
  async #record(reading: Reading, collector: Collector, project_id?: string): Promise<boolean> {
    try {
      this.#watchList.follow(await this.#options.record(reading));
      return true;
    } catch (error) {
      this.#options.onProblem({ collector, error, ...(project_id !== undefined && { project_id }) });
      return false;
    }
  }
}
