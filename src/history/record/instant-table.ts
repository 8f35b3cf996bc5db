const blockLength = 1024;

/**
 * An instant for each of many projects, in blocks of plain numbers: a map of as many takes seven times the memory, as each
 * instant is an object of its own in it.
 */
export class InstantTable {
  readonly #blocks = new Map<number, Float64Array>();

  get(project_ref: number): number | undefined {
    const at = this.#blocks.get(Math.floor(project_ref / blockLength))?.[project_ref % blockLength];
    return at === undefined || Number.isNaN(at) ? undefined : at;
  }

  set(project_ref: number, at: number): void {
    const number = Math.floor(project_ref / blockLength);
    let block = this.#blocks.get(number);
    if (block === undefined) {
      block = new Float64Array(blockLength).fill(Number.NaN);
      this.#blocks.set(number, block);
    }
    block[project_ref % blockLength] = at;
  }

  clear(): void {
    this.#blocks.clear();
  }
}
