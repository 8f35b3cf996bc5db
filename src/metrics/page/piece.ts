import { constants, crc32, deflateRawSync } from 'node:zlib';

/** The CRC-32 of some bytes, in the form that lets more bytes be put behind or before them. */
interface Checksum {
  readonly crc: number;
  /** x to the power of their bits, modulo the polynomial: the factor for the CRC of bytes before them. */
  readonly shift: number;
}

/** Bit-reversed, as CRC-32 has it: the highest bit is x to the power of 0. */
const polynomial = 0xedb88320;
const unity = 0x80000000;

export const emptyChecksum: Checksum = { crc: 0, shift: unity };

/** The checksum of `first` followed by `second`. */
export function joinChecksums(first: Checksum, second: Checksum): Checksum {
  return {
    crc: (multiply(second.shift, first.crc) ^ second.crc) >>> 0,
    shift: multiply(second.shift, first.shift),
  };
}

/** @param crc CRC-32 of that many bytes. */
export function checksumOf(crc: number, bytes: number): Checksum {
  let shift = unity;
  for (let rest = bytes, power = 0; rest > 0; rest = Math.floor(rest / 2), power += 1) {
    if (rest % 2 === 1) shift = multiply(byteShifts[power] ?? unity, shift);
  }
  return { crc, shift };
}

/** The product of two polynomials over GF(2), modulo that of CRC-32. */
function multiply(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let bit = unity; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= factor;
    factor = (factor & 1) === 0 ? factor >>> 1 : (factor >>> 1) ^ polynomial;
  }
  return product >>> 0;
}

/** x to the power of 8 · 2ⁿ bits for every n a length in bytes can have. */
const byteShifts = listByteShifts();

function listByteShifts(): readonly number[] {
  const shifts = [unity >>> 8];
  for (let power = 1; power < 53; power += 1) {
    const last = shifts[power - 1] ?? unity;
    shifts.push(multiply(last, last));
  }
  return shifts;
}

/** Lines of the page as they stand in its gzip stream. */
export interface Piece {
  /** Raw deflate that refers to nothing before it, flushed to a byte border and not ended: any other can follow. */
  readonly deflated: Uint8Array;
  readonly checksum: Checksum;
  /** Length before it was compressed. */
  readonly bytes: number;
  readonly deflatedBytes: number;
  readonly series: number;
}

/** The sum of pieces that follow each other. */
export type Sum = Omit<Piece, 'deflated'>;

export const emptyPiece: Piece = {
  deflated: new Uint8Array(0),
  checksum: emptyChecksum,
  bytes: 0,
  deflatedBytes: 0,
  series: 0,
};

const options = {
  level: 1,
  // A piece is some 10 KB of plain text and 1.5 KB compressed: it needs no larger window.
  windowBits: 13,
  memLevel: 6,
  finishFlush: constants.Z_FULL_FLUSH,
  // A larger one is garbage.
  chunkSize: 4096,
};

/** @param series the number of series in these lines. */
export function compress(plain: Uint8Array, series: number): Piece {
  if (plain.length === 0) return emptyPiece;
  const deflated = deflateRawSync(plain, options);
  return {
    // A copy: the buffer that zlib returns keeps a whole buffer of the pool alive.
    deflated: Uint8Array.prototype.slice.call(deflated),
    checksum: checksumOf(crc32(plain), plain.length),
    bytes: plain.length,
    deflatedBytes: deflated.length,
    series,
  };
}

export function sumUp(parts: readonly Sum[]): Sum {
  let { checksum, bytes, deflatedBytes, series }: Sum = emptyPiece;
  for (const part of parts) {
    checksum = joinChecksums(checksum, part.checksum);
    bytes += part.bytes;
    deflatedBytes += part.deflatedBytes;
    series += part.series;
  }
  return { checksum, bytes, deflatedBytes, series };
}

/** Deflate, no name, no time, of no particular system. */
export const gzipHeader = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);

interface EndedTail {
  readonly tail: string;
  readonly text: Buffer;
  readonly deflated: Buffer;
}

interface GzipEnd {
  readonly of: EndedTail;
  readonly crc: number;
  readonly bytes: number;
  readonly end: Buffer;
}

/** The last text of gzip streams; made once as long as it and what comes before stay the same, for many scrapers at once. */
export class GzipTail {
  #ended: EndedTail = { tail: '', text: Buffer.alloc(0), deflated: deflate(Buffer.alloc(0)) };
  #latest: GzipEnd | undefined;

  /**
   * The last text of a stream, with its end; not to be written to.
   *
   * @param crc CRC-32 of what was compressed before.
   * @param bytes length of it.
   */
  end(tail: string, crc: number, bytes: number): Buffer {
    if (tail !== this.#ended.tail) {
      const text = Buffer.from(tail);
      this.#ended = { tail, text, deflated: deflate(text) };
    }
    const latest = this.#latest;
    if (latest?.of === this.#ended && latest.crc === crc && latest.bytes === bytes) return latest.end;
    const end = endGzip(this.#ended, crc, bytes);
    this.#latest = { of: this.#ended, crc, bytes, end };
    return end;
  }
}

function deflate(text: Buffer): Buffer {
  return deflateRawSync(text, { level: 1, windowBits: 13, memLevel: 6 });
}

function endGzip({ text, deflated }: EndedTail, crc: number, bytes: number): Buffer {
  const end = Buffer.alloc(deflated.length + 8);
  end.set(deflated);
  end.writeUInt32LE(crc32(text, crc), deflated.length);
  end.writeUInt32LE((bytes + text.length) % 2 ** 32, deflated.length + 4);
  return end;
}
