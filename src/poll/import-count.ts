import type { OperationImportReading, OperationProgress, ProjectReading } from '../resources/reading.ts';

/** Counts the operations that an account's imports read in this run: each once, however often it is read again. */
export class ImportCount {
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
