import { pipeline, Readable } from 'node:stream';
import { constants, createInflateRaw } from 'node:zlib';
import { minuteMs } from '../../resources/duration.ts';
import { type Format, formats } from '../page/exposition.ts';
import type { EncodedPage, PageRevision } from '../page/page-set.ts';
import { GzipTail, gzipHeader } from '../page/piece.ts';

/** The bytes of a response in pieces, in order, ready to be sent. */
export interface PageResponse {
  /** To be read once. */
  readonly pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  readonly bytes: number;
  /** The memory of the page, which many responses share. */
  readonly memory: ArrayBuffer;
  /** To be called when it was sent or given up: until then its bytes stay as they are. */
  readonly done: () => void;
}

/** The page of one instant, in the formats that were wanted when it was rendered. */
export interface RenderedPage extends PageRevision {
  readonly publishedAt: number;
  /** How long it took to make, from the views to the assembled pages. */
  readonly durationMs: number;
  readonly pages: readonly EncodedPage[];
}

/** A format that was not asked for so long is no longer brought along with each page. */
const demandLastsMs = 5 * minuteMs;

/**
 * The page as it was last published: the bytes every scrape is answered from, shared by all of them. A new page
 * replaces the one before at once; a format it does not bring is assembled when the first scrape wants it.
 */
export class Publication {
  readonly #assemble: (format: Format) => Promise<EncodedPage>;
  readonly #now: () => number;
  readonly #askedAt = new Map<Format, number>();
  readonly #tails: Readonly<Record<Format, GzipTail>> = { text: new GzipTail(), openmetrics: new GzipTail() };
  #latest: RenderedPage | undefined;
  readonly #recycle: (memory: ArrayBuffer) => void;
  #held = new Map<Format, SharedPage>();
  #pending = new Map<Format, Promise<SharedPage>>();

  /**
   * @param options.assemble makes the page that was rendered last, which may be about to be published.
   * @param options.recycle is given the memory of pages that are not read any more.
   */
  constructor(options: {
    readonly assemble: (format: Format) => Promise<EncodedPage>;
    readonly recycle: (memory: ArrayBuffer) => void;
    readonly now: () => number;
  }) {
    this.#assemble = options.assemble;
    this.#recycle = options.recycle;
    this.#now = options.now;
  }

  get latest(): RenderedPage | undefined {
    return this.#latest;
  }

  /** The formats that the next page should bring along. */
  wanted(): readonly Format[] {
    const since = this.#now() - demandLastsMs;
    return formats.filter(format => (this.#askedAt.get(format) ?? Number.NEGATIVE_INFINITY) >= since);
  }

  publish(latest: RenderedPage): void {
    const before = [...this.#held.values()];
    const unchanged = before.filter(({ page }) => page.revision === latest.revision);
    const fresh = latest.pages.map(page => new SharedPage(page, this.#recycle));
    this.#latest = latest;
    this.#held = new Map([...unchanged, ...fresh].map(shared => [shared.page.format, shared]));
    this.#pending = new Map();
    for (const shared of before) if (this.#held.get(shared.page.format) !== shared) shared.replace();
  }

  /**
   * The page in a format, compressed or not.
   *
   * @param tail text that follows it.
   */
  async read(format: Format, gzip: boolean, tail: string): Promise<PageResponse> {
    this.#askedAt.set(format, this.#now());
    const shared = this.#held.get(format) ?? (await this.#ask(format));
    const { page } = shared;
    const end = gzip ? this.#tails[format].end(tail, page.crc, page.bytes) : Buffer.from(tail);
    return {
      pieces: gzip ? [page.gzip, end] : readPlainly(page, end),
      bytes: (gzip ? page.gzip.length : page.bytes) + end.length,
      memory: page.gzip.buffer,
      done: shared.use(),
    };
  }

  #ask(format: Format): Promise<SharedPage> {
    const asked = this.#pending.get(format);
    if (asked !== undefined) return asked;
    const pending = this.#assemble(format)
      .then(page => {
        const shared = new SharedPage(page, this.#recycle);
        if (page.revision >= (this.#latest?.revision ?? 0)) this.#held.set(format, shared);
        return shared;
      })
      .finally(() => {
        if (this.#pending.get(format) === pending) this.#pending.delete(format);
      });
    this.#pending.set(format, pending);
    return pending;
  }
}

async function* readPlainly(page: EncodedPage, end: Buffer): AsyncGenerator<Uint8Array> {
  yield* readPlain(page.gzip);
  yield end;
}

/** A page that many responses share. Once it was replaced and the last of them was sent, its memory is given back. */
class SharedPage {
  readonly page: EncodedPage;
  readonly #giveBack: (memory: ArrayBuffer) => void;
  #users = 0;
  #replaced = false;

  constructor(page: EncodedPage, giveBack: (memory: ArrayBuffer) => void) {
    this.page = page;
    this.#giveBack = giveBack;
  }

  /** @returns what to call when the bytes are needed no more; until then they stay as they are. */
  use(): () => void {
    this.#users += 1;
    let used = true;
    return () => {
      if (!used) return;
      used = false;
      this.#users -= 1;
      this.#settle();
    };
  }

  /** Another page is published: no further response will use this one. */
  replace(): void {
    this.#replaced = true;
    this.#settle();
  }

  #settle(): void {
    if (this.#replaced && this.#users === 0) this.#giveBack(this.page.gzip.buffer);
  }
}

const readBytes = 65_536;
const writtenBytes = 131_072;

/**
 * Decompresses a gzip stream without an end as it is taken, off the event loop: a reader that takes it slowly keeps next to
 * nothing of it in memory.
 */
async function* readPlain(gzip: Uint8Array): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: writtenBytes });
  // Its errors come out of the loop, too.
  pipeline(Readable.from(copy(gzip)), inflate, () => {});
  for await (const chunk of inflate) yield chunk;
}

/** In copies: the thread that decompresses may still read one when the memory of the page is already given back. */
function* copy(gzip: Uint8Array): Generator<Buffer> {
  for (let start = gzipHeader.length; start < gzip.length; start += readBytes) {
    yield Buffer.from(gzip.subarray(start, start + readBytes));
  }
}
