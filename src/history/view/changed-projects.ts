import type { ProjectView } from '../../resources/project.ts';

/** Views of projects that may have changed, by id; undefined is shown no more. */
export type ProjectChanges = ReadonlyMap<string, ProjectView | undefined>;

/** The projects of an account that may be shown otherwise than the page shows them. */
export class ChangedProjects {
  readonly #touched = new Set<string>();
  /** Number of endpoints of each project that is shown. */
  readonly #shown = new Map<string, number>();
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
      else this.#shown.set(project_id, shown.endpoints.length);
    }
    this.#touched.clear();
    this.#taken = changes;
    return changes;
  }

  countShown(): { readonly projects: number; readonly endpoints: number } {
    let endpoints = 0;
    for (const count of this.#shown.values()) endpoints += count;
    return { projects: this.#shown.size, endpoints };
  }
}
