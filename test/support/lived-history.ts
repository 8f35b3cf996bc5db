import type { History } from '../../src/history/history.ts';
import type { Reading } from '../../src/resources/reading.ts';
import { liveProjects, type SimulatedAccount } from '../../src/simulator/model/account.ts';
import { createFleet, type FleetOptions } from '../../src/simulator/model/fleet.ts';
import { progressAt } from '../../src/simulator/model/operation.ts';
import { liveEndpoints, type SimulatedProject } from '../../src/simulator/model/project.ts';
import { describeTruth } from '../../src/simulator/model/truth.ts';
import { showApiKey, showEndpoint, showOperation, showProject } from '../../src/simulator/model/wire-form.ts';
import { HistoryFolder } from './history-folder.ts';
import { apiKeysReading, projectReading, projectsReading } from './reading-builder.ts';

export interface LifeOptions extends Partial<FleetOptions> {
  /** Where the watching begins, epoch seconds. */
  readonly now: number;
}

interface Pace {
  readonly listEverySeconds: number;
  /** Each project's own readings, as a multiple of it. */
  readonly projectsEvery: number;
}

/** A simulated fleet, and a history that watches it without a network or a clock between them. */
export class LivedHistory implements Disposable {
  readonly account: SimulatedAccount;
  readonly folder = new HistoryFolder();
  history: History;
  /** Of each project how many operations were read, and which of these had not ended. */
  readonly #read = new Map<string, { count: number; open: readonly number[] }>();

  constructor({ now, ...options }: LifeOptions) {
    this.account = createFleet({
      ...{ seed: 1, projects: 4, historyDays: 2, apiKey: 'key', plan: 'paid', ...options },
      now,
    });
    this.account.timeline.advanceTo(now);
    this.history = this.folder.open();
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

  /** Lets time pass while nobody watches. */
  miss(seconds: number): void {
    this.account.timeline.advanceTo(this.account.timeline.now + seconds);
  }

  restart(): void {
    this.history = this.folder.reopen(this.history);
  }

  readLists(): void {
    this.#record([
      projectsReading(this.now, liveProjects(this.account).map(showProject)),
      apiKeysReading(this.now, this.account.keys.list().map(showApiKey)),
    ]);
  }

  readProjects(): void {
    const fields = { pendingState: 'during transitions', lastActive: true } as const;
    const readings = liveProjects(this.account).map(project => {
      const endpoints = liveEndpoints(project).map(endpoint => showEndpoint(endpoint, fields));
      const operations = this.#newOperations(project);
      return projectReading(this.now, project.id, { endpoints, operations });
    });
    this.#record(readings);
  }

  [Symbol.dispose](): void {
    this.folder[Symbol.dispose]();
  }

  /** With one commit for all. */
  #record(readings: readonly Reading[]): void {
    for (const recorded of this.history.recordAll(readings)) if ('error' in recorded) throw recorded.error;
  }

  /** Those that are new or had not ended when they were last read, newest first. */
  #newOperations(project: SimulatedProject) {
    const { count, open } = this.#read.get(project.id) ?? { count: 0, open: [] };
    const asked = project.operations.filter(({ sequence }) => sequence >= count || open.includes(sequence));
    const isOpen = (operation: (typeof asked)[number]) =>
      ['scheduling', 'running'].includes(progressAt(operation, this.account.timeline.now).status);
    this.#read.set(project.id, {
      count: project.operations.length,
      open: asked.filter(isOpen).map(({ sequence }) => sequence),
    });
    return asked.toReversed().map(operation => showOperation(project, operation));
  }
}
