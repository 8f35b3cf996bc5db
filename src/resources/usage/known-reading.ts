/** Projects of a page, which takes 2 kB. */
const pageSize = 256;

/**
 * Figures of projects at instants, as far as they were read: the same few instants are asked for of one project after another.
 * Pages of numbers take a sixth of the memory that a map takes.
 */
export class KnownReadings {
  /** By instant, and of each by `project_ref`; NaN where it was not read. */
  readonly #known = new Map<number, Float64Array[]>();
  readonly #slab = new NumberSlab();
  readonly #read: (project_ref: number, at: number) => number;

  constructor(read: (project_ref: number, at: number) => number) {
    this.#read = read;
  }

  get(project_ref: number, at: number): number {
    const page = Math.floor(project_ref / pageSize);
    const known = this.#known.get(at)?.[page] ?? this.#addPage(at, page);
    const place = project_ref - page * pageSize;
    const figure = known[place] ?? Number.NaN;
    if (!Number.isNaN(figure)) return figure;
    const found = this.#read(project_ref, at);
    known[place] = found;
    return found;
  }

  #addPage(at: number, page: number): Float64Array {
    const pages = this.#known.get(at) ?? [];
    this.#known.set(at, pages);
    const added = this.#slab.take(pageSize).fill(Number.NaN);
    pages[page] = added;
    return added;
  }
}

/** Numbers in a block: it is large enough that the system takes them back as soon as they are no longer used. */
const slabLength = 8192;

/**
 * Arrays of numbers that are kept, and let go, together: cut from large blocks, as thousands of small ones of their own would
 * leave holes in the memory of the process that are never given back.
 */
export class NumberSlab {
  #slab = new Float64Array();
  #taken = 0;

  /** An array of zeros. */
  take(length: number): Float64Array {
    if (length > slabLength) return new Float64Array(length);
    if (this.#taken + length > this.#slab.length) {
      this.#slab = new Float64Array(slabLength);
      this.#taken = 0;
    }
    const array = this.#slab.subarray(this.#taken, this.#taken + length);
    this.#taken += length;
    return array;
  }
}
