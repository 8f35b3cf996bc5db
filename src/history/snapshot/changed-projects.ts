import type { ShownCounts } from '../../resources/account.ts';
import type { ProjectView } from '../../resources/project.ts';

/** Views of projects that may have changed, by id; undefined is shown no more. */
export type ProjectChanges = ReadonlyMap<string, ProjectView | undefined>;

/** The projects of an account that may be shown otherwise than the page shows them. */
export class ChangedProjects {
  readonly #touched = new Set<string>();
  /** Each project that is shown: the number of its endpoints, and when it was last read. */
  readonly #shown = new Map<string, { readonly endpoints: number; readonly readAt: number | undefined }>();
  /** The changes taken last, which may say of projects that they are shown no more. */
  #taken: ProjectChanges = new Map();

  touch(project_id: string): void {
    this.#touched.add(project_id);
  }

  /** Touches all projects that are known, and those whose changes were taken last. */
  touchAll(known: Iterable<string>): void {
    for (const project_id of known) this.#touched.add(project_id);
    for (const project_id of this.#taken.keys()) this.#touched.add(project_id);
  }

  /** The views of what was touched since they were last taken. */
  take(view: (project_id: string) => ProjectView | undefined): ProjectChanges {
    const changes = new Map<string, ProjectView | undefined>();
    for (const project_id of this.#touched) {
      const shown = view(project_id);
      changes.set(project_id, shown);
      if (shown === undefined) this.#shown.delete(project_id);
      else this.#shown.set(project_id, { endpoints: shown.endpoints.length, readAt: shown.lastRefreshAt });
    }
    this.#touched.clear();
    this.#taken = changes;
    return changes;
  }

  countShown(): ShownCounts {
    let endpoints = 0;
    let oldestReadAt: number | undefined;
    for (const shown of this.#shown.values()) {
      endpoints += shown.endpoints;
      if (shown.readAt !== undefined) oldestReadAt = Math.min(oldestReadAt ?? shown.readAt, shown.readAt);
    }
    return { projects: this.#shown.size, endpoints, ...(oldestReadAt !== undefined && { oldestReadAt }) };
  }
}
