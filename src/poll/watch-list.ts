import type { Project } from '../resources/project.ts';
import type { Listed } from './account-source.ts';
import type { RefreshCandidate } from './refresh-order.ts';

/** What is remembered of a project between its readings; instants by this host's clock. */
export interface WatchedProject {
  project: Project;
  /** The project as the list showed it when it was last read whole. */
  readAs?: string;
  lastReadAt?: number;
  failing?: { since: number; lastTriedAt: number };
  /** How often it was read or tried. */
  rounds: number;
  /** The service said it does not exist. */
  missing: boolean;
  /** The service said it does not exist, and its list said otherwise later. */
  disputed: boolean;
  /** Its operations were read back to their beginning. */
  imported: boolean;
}

/** The projects of an account that are being read, in step with its list. */
export class WatchList {
  readonly #projects = new Map<string, WatchedProject>();

  /** Projects to read that no list has shown yet. */
  add(projects: Iterable<Project>): void {
    for (const project of projects) this.#projects.set(project.project_id, unread(project));
  }

  /** Follows a list; only a complete one ends the watch of what it does not hold. */
  update(list: Listed<Project>): void {
    const listed = new Set<string>();
    for (const project of list.items) {
      listed.add(project.project_id);
      const watched = this.#projects.get(project.project_id);
      if (watched === undefined) {
        this.#projects.set(project.project_id, unread(project));
        continue;
      }
      watched.project = project;
      if (watched.missing) watched.disputed = true;
      watched.missing = false;
    }
    if (!list.complete) return;
    for (const project_id of this.#projects.keys()) {
      if (!listed.has(project_id)) this.#projects.delete(project_id);
    }
  }

  get(project_id: string): WatchedProject | undefined {
    return this.#projects.get(project_id);
  }

  /** How many projects have operations that were not yet read back to their beginning. */
  importsLeft(): number {
    let left = 0;
    for (const { imported, missing } of this.#projects.values()) if (!imported && !missing) left += 1;
    return left;
  }

  /** Every project that may be read now, as the order of refreshes sees it. */
  candidates(busy: ReadonlySet<string>, running: ReadonlySet<string>): readonly RefreshCandidate[] {
    const candidates: RefreshCandidate[] = [];
    for (const [project_id, { project, readAs, lastReadAt, failing, missing }] of this.#projects) {
      if (missing || running.has(project_id)) continue;
      candidates.push({
        project_id,
        changed: readAs !== undefined && readAs !== JSON.stringify(project),
        busy: busy.has(project_id),
        ...(lastReadAt !== undefined && { lastReadAt }),
        ...(failing !== undefined && { failing }),
      });
    }
    return candidates;
  }
}

function unread(project: Project): WatchedProject {
  return { project, rounds: 0, missing: false, disputed: false, imported: false };
}
