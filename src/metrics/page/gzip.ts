import { crc32, deflateRawSync } from 'node:zlib';

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
