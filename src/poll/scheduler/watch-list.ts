import type { Project } from '../../resources/project.ts';
import type { PollCheckpoint } from '../../resources/reading.ts';
import type { ListLag } from './list-lag.ts';
import { WatchedProject } from './project/watched-project.ts';
import type { ProjectQueues } from './queue/project-queues.ts';

/** The projects of an account that are being watched, in step with its list. */
export class WatchList {
  readonly #queues: ProjectQueues;
  readonly #lag: ListLag;
  readonly #projects = new Map<string, WatchedProject>();
  readonly #unimported = new Set<WatchedProject>();
  readonly #expected = new Map<string, PollCheckpoint>();
  readonly #suddenLoss: SuddenLoss;
  #listPoll = 0;
  #pages = 1;
  #pagesSeen = 0;

  /** @param patienceMs how long a list is doubted that lost most of its projects at once. */
  constructor(queues: ProjectQueues, lag: ListLag, patienceMs: number) {
    this.#queues = queues;
    this.#lag = lag;
    this.#suddenLoss = new SuddenLoss(patienceMs);
  }

  /** How many pages a list poll takes, as far as is known. */
  get pages(): number {
    return Math.max(this.#pages, this.#pagesSeen);
  }

  /** A project from an earlier run, which no list has shown yet. */
  add(project: Project, checkpoint: Omit<PollCheckpoint, 'project_id'>, now: number): void {
    const watched = new WatchedProject(project, now);
    watched.continueFrom(checkpoint);
    this.#watch(watched);
    this.#queues.place(watched, now);
  }

  /** Where the next poll of a project continues that the page followed next brings back. */
  expect(checkpoint: PollCheckpoint): void {
    this.#expected.set(checkpoint.project_id, checkpoint);
  }

  beginListPoll(): void {
    this.#listPoll += 1;
    this.#pagesSeen = 0;
  }

  /**
   * Follows a page of the list poll that was asked for at `askedAt`.
   *
   * @param isLate whether the list is too far behind: then those at rest are ranked by when they may start.
   */
  followPage(projects: readonly Project[], askedAt: number, isLate: boolean, now: number): void {
    this.#pagesSeen += 1;
    for (const project of projects) this.#follow(project, askedAt, isLate, now);
    this.#expected.clear();
  }

  /**
   * Ids of the projects missing for the first time in a list of several pages. Such a list is of no single instant: what
   * moves to a page that was read already, from one still to come, is on neither.
   */
  findDoubtful(listedIds: ReadonlySet<string>): ReadonlySet<string> {
    const doubtful = new Set<string>();
    for (const [project_id, { presence }] of this.#projects) {
      const isGone = presence.isMissed || presence.missingAt !== undefined;
      if (!isGone && !listedIds.has(project_id)) doubtful.add(project_id);
    }
    return doubtful;
  }

  /**
   * Whether a whole list lost too many projects at once to be believed yet; the first time, each of them
   * is to be looked at.
   *
   * @returns what it lost, of how many; undefined when it is to be believed.
   */
  doubtLoss(listedIds: ReadonlySet<string>, now: number): ListComparison | undefined {
    const known = [...this.#projects.values()].filter(({ presence }) => presence.isExpected);
    const lost = known.filter(({ project_id }) => !listedIds.has(project_id));
    const comparison = { known: known.length, lost: lost.length };
    const verdict = this.#suddenLoss.judge(comparison, now);
    if (verdict === 'first') for (const watched of lost) this.#lookAt(watched, now);
    return verdict === 'believed' ? undefined : comparison;
  }

  /**
   * Ends the list poll; only a complete list ends the watch of what it does not hold.
   *
   * @param doubtful ids of those to be looked at instead.
   */
  endListPoll(complete: boolean, doubtful: ReadonlySet<string>, now: number): void {
    this.#pages = Math.max(1, this.#pagesSeen);
    if (!complete) return;
    for (const [project_id, watched] of this.#projects) {
      if (watched.presence.listPoll === this.#listPoll) continue;
      if (doubtful.has(project_id)) {
        watched.presence.miss();
        this.#lookAt(watched, now);
      } else this.leave(project_id);
    }
  }

  /** Another project of the account that may still be there; undefined where there is none. */
  neighbourOf(project_id: string): string | undefined {
    for (const [id, { presence }] of this.#projects) {
      if (id !== project_id && presence.isExpected) return id;
    }
    return undefined;
  }

  has(project_id: string): boolean {
    return this.#projects.has(project_id);
  }

  /** Ends the watch of a project. */
  leave(project_id: string): void {
    const watched = this.#projects.get(project_id);
    if (watched === undefined) return;
    watched.presence.drop();
    watched.queue?.remove(watched);
    // One that is being polled stays known until the next list poll: it must not be polled twice at a time if it is back.
    if (!watched.polls.isRunning) this.#projects.delete(project_id);
    this.leaveImport(watched);
  }

  /** Whether the service said at or after `askedAt` that it does not exist: a list asked for then does not know yet. */
  isMissingSince(project_id: string, askedAt: number): boolean {
    const missingAt = this.#projects.get(project_id)?.presence.missingAt;
    return missingAt !== undefined && missingAt >= askedAt;
  }

  /** Follows the import of a project's operations. Answers how many projects have one that is not over. */
  noteImport(watched: WatchedProject): number {
    if (watched.polls.isImported) this.leaveImport(watched);
    return this.#unimported.size;
  }

  /** Takes the project out of those whose operations are waited for. */
  leaveImport(watched: WatchedProject): void {
    this.#unimported.delete(watched);
  }

  #lookAt(watched: WatchedProject, now: number): void {
    watched.listing.suspectChange(now);
    this.#queues.place(watched, now);
  }

  #watch(watched: WatchedProject): void {
    this.#projects.set(watched.project_id, watched);
    if (!watched.polls.isImported) this.#unimported.add(watched);
  }

  #follow(project: Project, askedAt: number, isLate: boolean, now: number): void {
    const { project_id } = project;
    if (this.isMissingSince(project_id, askedAt)) return;
    const known = this.#projects.get(project_id);
    const watched = known ?? new WatchedProject(project, now);
    const isBack = watched.presence.show(this.#listPoll);
    const isNew = known === undefined || isBack;
    if (isNew) {
      const checkpoint = this.#expected.get(project_id);
      if (checkpoint !== undefined) watched.continueFrom(checkpoint);
      this.#watch(watched);
    }
    const state = { busy: watched.polls.busy, restedAt: watched.restedAt };
    const isNoted = watched.listing.follow(project, state, this.#lag, now);
    if (isNew || isNoted) this.#queues.place(watched, now);
    else if (isLate && this.#queues.isAtRest(watched)) this.#queues.rest.rank(watched, now);
  }
}

/** A list of an account beside what was known before. */
export interface ListComparison {
  /** Projects that were there until now. */
  readonly known: number;
  /** The number of them that the list does not hold. */
  readonly lost: number;
}

/** The verdict on a list; `first` when it is the first of its kind to be doubted. */
type LossVerdict = 'believed' | 'first' | 'doubted';

/**
 * Doubts a list that lost most of its projects at once, for a while: people delete some, a gateway that went to the wrong
 * place loses all. Instants are epoch milliseconds.
 */
class SuddenLoss {
  readonly #patienceMs: number;
  #sinceAt: number | undefined;

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  judge({ known, lost }: ListComparison, now: number): LossVerdict {
    if (lost * 2 <= known) {
      this.#sinceAt = undefined;
      return 'believed';
    }
    const isFirst = this.#sinceAt === undefined;
    this.#sinceAt ??= now;
    if (now - this.#sinceAt >= this.#patienceMs) return 'believed';
    return isFirst ? 'first' : 'doubted';
  }
}
