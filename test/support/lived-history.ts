import type { History } from '../../src/history/history.ts';
import type { Reading } from '../../src/resources/reading.ts';
import { liveProjects, type SimulatedAccount } from '../../src/simulator/model/account.ts';
import { createFleet, type FleetOptions } from '../../src/simulator/model/fleet.ts';
import { showListedProject } from '../../src/simulator/model/later/project-form.ts';
import { progressAt } from '../../src/simulator/model/operation.ts';
import { liveEndpoints, type SimulatedProject } from '../../src/simulator/model/project.ts';
import { describeTruth } from '../../src/simulator/model/truth.ts';
import { showApiKey, showEndpoint, showOperation, showProject } from '../../src/simulator/model/wire-form.ts';
import { HistoryFolder } from './history-folder.ts';
import { apiKeysReading, projectReading, projectsReading, type WireItem } from './reading-builder.ts';

interface LifeOptions extends Partial<FleetOptions> {
  /** Where the watching begins, epoch seconds. */
  readonly now: number;
  /** The account that is watched, where it is not `main`. */
  readonly name?: string;
  /** A history that is there already, and knows of this account. */
  readonly within?: LivedHistory;
  /** Accounts that the history knows, where they are several. */
  readonly accounts?: readonly string[];
}

interface Pace {
  readonly listEverySeconds: number;
  /** Each project's own readings, as a multiple of it. */
  readonly projectsEvery: number;
}

/** A history that reads a part of a fleet's projects, by their ids. */
interface PartOfLife {
  readonly history: History;
  readonly watches: (project_id: string, now: number) => boolean;
}

/** How many operations of a project were read, and which of these had not ended. */
interface OperationsRead {
  readonly count: number;
  readonly open: readonly number[];
}

/** A simulated fleet, and a history that watches it without a network or a clock between them. */
export class LivedHistory implements Disposable {
  readonly account: SimulatedAccount;
  readonly folder: HistoryFolder;
  history: History;
  readonly #name: string;
  /** Histories that read a part of what `history` reads, at the same instants. */
  readonly parts: PartOfLife[] = [];
  /** Of each history how far it read the operations of each project. */
  readonly #read = new WeakMap<History, Map<string, OperationsRead>>();

  constructor({ now, name = 'main', within, accounts = [name], ...options }: LifeOptions) {
    this.#name = name;
    this.folder = within?.folder ?? new HistoryFolder();
    this.account = createFleet({
      ...{ seed: 1, projects: 4, historyDays: 2, apiKey: 'key', plan: 'paid', ...options },
      now,
    });
    this.account.timeline.advanceTo(now);
    this.history = within?.history ?? this.folder.open({ accounts });
  }

  /** Epoch milliseconds. */
  get now(): number {
    return this.account.timeline.now * 1000;
  }

  truth() {
    return describeTruth(this.account);
  }

  /** Lets time pass while the fleet is watched. */
  watch(seconds: number, { listEverySeconds, projectsEvery }: Pace): void {
    const until = this.account.timeline.now + seconds;
    for (let turn = 0; this.account.timeline.now < until; turn += 1) {
      this.readLists();
      if (turn % projectsEvery === 0) this.readProjects();
      this.miss(Math.min(listEverySeconds, until - this.account.timeline.now));
    }
    this.readLists();
    this.readProjects();
  }

  /** Lets time pass without a reading. */
  miss(seconds: number): void {
    this.account.timeline.advanceTo(this.account.timeline.now + seconds);
  }

  restart(): void {
    const read = this.#readBy(this.history);
    this.history = this.folder.reopen(this.history);
    this.#read.set(this.history, read);
  }

  readLists(): void {
    const of = { account: this.#name };
    const keys = apiKeysReading(this.now, this.account.keys.list().map(showApiKey), of);
    const projects = liveProjects(this.account);
    const list = (watched: readonly SimulatedProject[]) => {
      const items = watched.map(project => showListed(this.account, project));
      return projectsReading(this.now, items, of);
    };
    record(this.history, [list(projects), keys]);
    for (const { history, watches } of this.parts)
      record(history, [list(projects.filter(({ id }) => watches(id, this.now))), keys]);
  }

  readProjects(): void {
    const all = { history: this.history, watches: () => true };
    for (const { history, watches } of [all, ...this.parts]) {
      const watched = liveProjects(this.account).filter(({ id }) => watches(id, this.now));
      record(
        history,
        watched.map(project => this.#readProject(history, project)),
      );
    }
  }

  [Symbol.dispose](): void {
    this.folder[Symbol.dispose]();
  }

  #readProject(history: History, project: SimulatedProject): Reading {
    const fields = { pendingState: 'during transitions', lastActive: true } as const;
    const endpoints = liveEndpoints(project).map(endpoint => showEndpoint(endpoint, fields));
    const operations = this.#newOperations(history, project);
    return projectReading(this.now, project.id, { endpoints, operations }, { account: this.#name });
  }

  /** Operations that are new to a history or had not ended when it last read them, newest first. */
  #newOperations(history: History, project: SimulatedProject) {
    const read = this.#readBy(history);
    const { count, open } = read.get(project.id) ?? { count: 0, open: [] };
    const asked = project.operations.filter(({ sequence }) => sequence >= count || open.includes(sequence));
    const isOpen = (operation: (typeof asked)[number]) =>
      ['scheduling', 'running'].includes(progressAt(operation, this.account.timeline.now).status);
    read.set(project.id, {
      count: project.operations.length,
      open: asked.filter(isOpen).map(({ sequence }) => sequence),
    });
    return asked.toReversed().map(operation => showOperation(project, operation));
  }

  #readBy(history: History): Map<string, OperationsRead> {
    const read = this.#read.get(history) ?? new Map<string, OperationsRead>();
    this.#read.set(history, read);
    return read;
  }
}

/** With one commit for all. */
function record(history: History, readings: readonly Reading[]): void {
  for (const recorded of history.commit(readings)) if ('error' in recorded) throw recorded.error;
}

function showListed(account: SimulatedAccount, project: SimulatedProject): WireItem {
  return account.later === undefined ? showProject(project) : showListedProject(account, project);
}
