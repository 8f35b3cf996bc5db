import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { describeCause } from '../../file/history-error.ts';
import { DamagedPage } from './damaged-page.ts';
import { type LogFrames, readLogFrames } from './log-frames.ts';

/** The part of the header of a file that a salvage goes by ("Database File Format", 1.3). */
export interface FileHeader {
  readonly userVersion: number;
  readonly applicationId: number;
  readonly firstFreePage: number;
  readonly freePages: number;
}

const headerBytes = 100;
/** SQLite's default, which every history has. */
const usualPageSize = 4096;

/** Reads a damaged file page by page, together with its write-ahead log; neither is ever written to. */
export class PageFile implements Disposable {
  readonly pageSize: number;
  readonly pageCount: number;
  /** Absent where it is damaged. */
  readonly header: FileHeader | undefined;
  /** Whether there is a write-ahead log that cannot be read. */
  readonly isLogLost: boolean;
  readonly #file: number;
  readonly #log: number | undefined;
  readonly #frames: LogFrames | undefined;

  /** @throws the system's error when the file cannot be read at all. */
  constructor(path: string) {
    this.#file = openSync(path, 'r');
    const log = `${path}-wal`;
    this.#log = existsSync(log) ? openSync(log, 'r') : undefined;
    const logBytes = this.#log === undefined ? 0 : fstatSync(this.#log).size;
    this.#frames = this.#log === undefined || logBytes === 0 ? undefined : readLogFrames(this.#log);
    this.isLogLost = logBytes > 0 && this.#frames === undefined;
    const stored = Buffer.alloc(headerBytes);
    readSync(this.#file, stored, 0, headerBytes, 0);
    this.pageSize = this.#frames?.pageSize ?? pageSizeIn(stored) ?? usualPageSize;
    this.pageCount = Math.max(
      Math.ceil(fstatSync(this.#file).size / this.pageSize),
      this.#frames?.pageCount ?? 0,
    );
    this.header = this.pageCount === 0 ? undefined : this.#readHeader();
  }

  /** @throws DamagedPage when there is no such page, or it cannot be read. */
  read(page: number): Buffer {
    if (page < 1 || page > this.pageCount) throw new DamagedPage('there is no such page');
    const bytes = Buffer.allocUnsafe(this.pageSize);
    const offset = this.#frames?.pages.get(page);
    const isLogged = offset !== undefined && this.#log !== undefined;
    const read = isLogged
      ? tryRead(this.#log, bytes, offset)
      : tryRead(this.#file, bytes, (page - 1) * this.pageSize);
    if (read < this.pageSize) throw new DamagedPage('the file ends before it');
    return bytes;
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
    if (this.#log !== undefined) closeSync(this.#log);
  }

  #readHeader(): FileHeader | undefined {
    try {
      const bytes = this.read(1);
      if (pageSizeIn(bytes) !== this.pageSize) return undefined;
      return {
        userVersion: bytes.readUInt32BE(60),
        applicationId: bytes.readUInt32BE(68),
        firstFreePage: bytes.readUInt32BE(32),
        freePages: bytes.readUInt32BE(36),
      };
    } catch (error) {
      if (error instanceof DamagedPage) return undefined;
      throw error;
    }
  }
}

/** @returns undefined where the header is damaged. */
function pageSizeIn(header: Buffer): number | undefined {
  if (!header.toString('latin1').startsWith('SQLite format 3\0')) return undefined;
  const stored = header.readUInt16BE(16);
  const size = stored === 1 ? 65_536 : stored;
  return size >= 512 && (size & (size - 1)) === 0 ? size : undefined;
}

/** A part of a disk may not be readable. */
function tryRead(file: number, bytes: Buffer, position: number): number {
  try {
    return readSync(file, bytes, 0, bytes.length, position);
  } catch (cause) {
    throw new DamagedPage(describeCause(cause), { cause });
  }
}
