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
