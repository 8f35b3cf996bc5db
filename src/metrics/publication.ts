import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, deflateRawSync } from 'node:zlib';
import type { Format } from './exposition.ts';
import type { Page } from './page.ts';

/** A response body in pieces, in order, ready to be sent. */
export interface Body {
  readonly pieces: readonly Buffer[];
  readonly bytes: number;
}

interface Block {
  /** Raw deflate, flushed to a byte border and not ended, so that another block can follow. */
  readonly deflated: Buffer;
  readonly crc: number;
}

const deflate = promisify(deflateRaw);
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/**
 * The page as it was last published: the bytes every scrape is answered from. It is compressed once, off the
 * event loop, when the first scrape after a publication wants it; what is appended is compressed on its own and
 * the two make one ordinary gzip stream.
 */
export class Publication {
  #plain: Readonly<Record<Format, Buffer>> = { text: Buffer.alloc(0), openmetrics: Buffer.alloc(0) };
  #blocks = new Map<Format, Promise<Block>>();

  publish(page: Page): void {
    this.#plain = { text: Buffer.from(page.text), openmetrics: Buffer.from(page.openmetrics) };
    this.#blocks = new Map();
  }

  plain(format: Format, tail: string): Body {
    return body([this.#plain[format], Buffer.from(tail)]);
  }

  async gzip(format: Format, tail: string): Promise<Body> {
    const page = this.#plain[format];
    const { deflated, crc } = await this.#block(format, page);
    const end = Buffer.from(tail);
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(crc32(end, crc), 0);
    trailer.writeUInt32LE((page.length + end.length) % 2 ** 32, 4);
    return body([gzipHeader, deflated, deflateRawSync(end, { level: 1 }), trailer]);
  }

  #block(format: Format, page: Buffer): Promise<Block> {
    let block = this.#blocks.get(format);
    if (block === undefined) {
      const options = { level: 1, finishFlush: constants.Z_FULL_FLUSH };
      block = deflate(page, options).then(deflated => ({ deflated, crc: crc32(page) }));
      this.#blocks.set(format, block);
    }
    return block;
  }
}

function body(pieces: readonly Buffer[]): Body {
  return { pieces, bytes: pieces.reduce((sum, piece) => sum + piece.length, 0) };
}
