import { readSync } from 'node:fs';

/** Pages that a write-ahead log holds, by the offset of each in it. */
export interface LogFrames {
  readonly pages: ReadonlyMap<number, number>;
  /** Pages the database has with it; 0 where nothing is committed. */
  readonly pageCount: number;
  readonly pageSize: number;
}

const headerBytes = 32;
const frameHeaderBytes = 24;
/** But for the last bit, which says how its checksums are made. */
const magic = 0x377f0682;

/**
 * Finds the pages that were committed to a write-ahead log ("WAL File Format", 4).
 *
 * @param log a descriptor of it.
 * @returns undefined when it is none.
 */
export function readLogFrames(log: number): LogFrames | undefined {
  const header = Buffer.alloc(headerBytes);
  if (readSync(log, header, 0, headerBytes, 0) < headerBytes) return undefined;
  if ((header.readUInt32BE(0) & ~1) !== magic) return undefined;
  const isBigEndian = (header.readUInt32BE(0) & 1) === 1;
  const pageSize = header.readUInt32BE(8);
  if (pageSize < 512 || pageSize > 65_536) return undefined;
  const sum = new LogSum(isBigEndian);
  sum.add(header, 0, 24);
  if (!sum.isAt(header, 24)) return undefined;
  const salts = header.subarray(16, 24);
  const pages = new Map<number, number>();
  const uncommitted = new Map<number, number>();
  let pageCount = 0;
  const frame = Buffer.alloc(frameHeaderBytes + pageSize);
  for (let at = headerBytes; readSync(log, frame, 0, frame.length, at) === frame.length; at += frame.length) {
    sum.add(frame, 0, 8);
    sum.add(frame, frameHeaderBytes, frame.length);
    if (!frame.subarray(8, 16).equals(salts) || !sum.isAt(frame, 16)) break;
    uncommitted.set(frame.readUInt32BE(0), at + frameHeaderBytes);
    const committedCount = frame.readUInt32BE(4);
    if (committedCount === 0) continue;
    for (const [page, offset] of uncommitted) pages.set(page, offset);
    uncommitted.clear();
    pageCount = committedCount;
  }
  return { pages, pageCount, pageSize };
}

/** The running checksum of a log. */
class LogSum {
  readonly #isBigEndian: boolean;
  #first = 0;
  #second = 0;

  constructor(isBigEndian: boolean) {
    this.#isBigEndian = isBigEndian;
  }

  add(bytes: Buffer, from: number, until: number): void {
    for (let at = from; at < until; at += 8) {
      this.#first = (this.#first + this.#read(bytes, at) + this.#second) | 0;
      this.#second = (this.#second + this.#read(bytes, at + 4) + this.#first) | 0;
    }
  }

  isAt(bytes: Buffer, at: number): boolean {
    return bytes.readInt32BE(at) === this.#first && bytes.readInt32BE(at + 4) === this.#second;
  }

  #read(bytes: Buffer, at: number): number {
    return this.#isBigEndian ? bytes.readInt32BE(at) : bytes.readInt32LE(at);
  }
}
