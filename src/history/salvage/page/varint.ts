import { DamagedPage } from './damaged-page.ts';

const longestVarint = 9;

/** Reads numbers of variable length one after the other ("Database File Format", 1.6). */
export class VarintReader {
  readonly #bytes: Buffer;
  /** Where the next one begins. */
  at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  /** @throws DamagedPage behind the end, and for numbers that no history has. */
  next(): number {
    let value = 0;
    for (let index = 1; index <= longestVarint; index += 1) {
      const byte = this.#bytes[this.at];
      if (byte === undefined) throw new DamagedPage('a number is cut off');
      this.at += 1;
      if (index === longestVarint) value = value * 256 + byte;
      else value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) break;
    }
    if (!Number.isSafeInteger(value)) throw new DamagedPage('a number is too large');
    return value;
  }
}
