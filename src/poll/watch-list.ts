import type { Project } from '../resources/project.ts';
import type { ProjectStanding } from '../resources/reading.ts';
import type { Listed } from './account-source.ts';
import type { RefreshCandidate } from './refresh-order.ts';

/** A project of an earlier run, and what its next reading goes by. */
export interface KnownProject {
  readonly project: Project;
  readonly standing: ProjectStanding;
}

/** What is remembered of a project between its readings; instants by this host's clock. */
export interface WatchedProject {
  project: Project;
  standing: ProjectStanding;
  /** The project as the list showed it when it was last read whole. */
  readAs?: string;
  lastReadAt?: number;
  failing?: { since: number; lastTriedAt: number };
  /** How often it was read or tried. */
  rounds: number;
  /** When the service said it does not exist. */
  missingAt?: number;
  /** The service said it does not exist, and its list said otherwise later. */
  disputed: boolean;
  /** Its operations were read back to their beginning. */
  imported: boolean;
}

/** The projects of an account that are being read, in step with its list. */
export class WatchList {
  readonly #projects = new Map<string, WatchedProject>();
  readonly #enrolled = new Map<string, ProjectStanding>();

  /** Projects to read that no list has shown yet. */
  add(projects: Iterable<KnownProject>): void {
    for (const { project, standing } of projects) {
      this.#projects.set(project.project_id, { ...unread(project), standing });
    }
  }

  /** Follows what a reading made known, also of projects that a list just recorded is about to show. */
  follow(standings: readonly ProjectStanding[]): void {
    for (const standing of standings) {
      const watched = this.#projects.get(standing.project_id);
      if (watched === undefined) this.#enrolled.set(standing.project_id, standing);
      else watched.standing = standing;
    }
  }

  /** Follows a list that was asked for at `askedAt`; only a complete one ends the watch of what it does not hold. */
  update(list: Listed<Project>, askedAt: number): void {
    for (const project of list.items) {
      if (this.isMissingSince(project.project_id, askedAt)) continue;
      const watched = this.#projects.get(project.project_id) ?? this.#enrol(project);
      watched.project = project;
      if (watched.missingAt !== undefined) watched.disputed = true;
      delete watched.missingAt;
      this.#projects.set(project.project_id, watched);
    }
    if (!list.complete) return;
    const listed = new Set(list.items.map(({ project_id }) => project_id));
    for (const project_id of this.#projects.keys()) {
      if (!listed.has(project_id)) this.#projects.delete(project_id);
    }
  }

  #enrol(project: Project): WatchedProject {
    const standing = this.#enrolled.get(project.project_id);
    this.#enrolled.delete(project.project_id);
    return { ...unread(project), ...(standing && { standing }) };
  }

  /** Whether the service said at or after `askedAt` that it does not exist: a list asked for then does not know yet. */
  isMissingSince(project_id: string, askedAt: number): boolean {
    const missingAt = this.#projects.get(project_id)?.missingAt;
    return missingAt !== undefined && missingAt >= askedAt;
  }

  get(project_id: string): WatchedProject | undefined {
    return this.#projects.get(project_id);
  }

  /** How many projects have operations that were not yet read back to their beginning. */
  importsLeft(): number {
    let left = 0;
    for (const { imported, missingAt } of this.#projects.values()) {
      if (!imported && missingAt === undefined) left += 1;
    }
    return left;
  }

  /** Every project that may be read now, as the order of refreshes sees it. */
  candidates(running: ReadonlySet<string>): readonly RefreshCandidate[] {
    const candidates: RefreshCandidate[] = [];
    for (const [project_id, watched] of this.#projects) {
      const { project, standing, readAs, lastReadAt, failing, missingAt } = watched;
      if (missingAt !== undefined || running.has(project_id)) continue;
      candidates.push({
        project_id,
        changed: readAs !== undefined && readAs !== JSON.stringify(project),
        busy: standing.busy,
        ...(lastReadAt !== undefined && { lastReadAt }),
        ...(failing !== undefined && { failing }),
      });
    }
    return candidates;
  }
}

function unread(project: Project): WatchedProject {
  const { project_id } = project;
  const standing = { project_id, known: { openIds: [] }, busy: false };
  return { project, standing, rounds: 0, disputed: false, imported: false };
}
