import { constants, crc32, deflateRawSync } from 'node:zlib';
import { type Checksum, checksumOf, emptyChecksum, joinChecksums } from './checksum.ts';

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
