import type { Format } from './exposition.ts';
import { formats } from './exposition.ts';
import { endGzip } from './gzip.ts';
import type { Edition, PageBody } from './page-set.ts';
import { SharedBody } from './shared-body.ts';

/** A response body in pieces, in order, ready to be sent. */
export interface Body {
  readonly pieces: readonly Uint8Array[];
  readonly bytes: number;
  /** To be called when it was sent or given up: until then its bytes stay as they are. */
  readonly done: () => void;
}

/** The page of one moment, in the formats that were wanted when it was made. */
export interface Issue extends Edition {
  readonly publishedAt: number;
  /** How long it took to make, from what was put to the assembled bodies. */
  readonly durationMs: number;
  readonly bodies: readonly PageBody[];
}

/** A format that nobody asked for so long is no longer brought along with each issue. */
const demandLastsMs = 5 * 60_000;

/**
 * The page as it was last published: the bytes every scrape is answered from, shared by all of them. An issue
 * replaces the one before at one moment; a format it does not bring is assembled when the first scrape wants it.
 */
export class Publication {
  readonly #assemble: (format: Format) => Promise<PageBody>;
  readonly #now: () => number;
  readonly #askedAt = new Map<Format, number>();
  #issue: Issue | undefined;
  readonly #recycle: (memory: ArrayBuffer) => void;
  #held = new Map<Format, SharedBody>();
  #pending = new Map<Format, Promise<SharedBody>>();

  /**
   * @param options.assemble makes a body of the issue published last, or of one about to be.
   * @param options.recycle is given the memory of bodies that nobody reads any more.
   */
  constructor(options: {
    readonly assemble: (format: Format) => Promise<PageBody>;
    readonly recycle: (memory: ArrayBuffer) => void;
    readonly now: () => number;
  }) {
    this.#assemble = options.assemble;
    this.#recycle = options.recycle;
    this.#now = options.now;
  }

  get issue(): Issue | undefined {
    return this.#issue;
  }

  /** The formats the next issue should bring along. */
  wanted(): readonly Format[] {
    const since = this.#now() - demandLastsMs;
    return formats.filter(format => (this.#askedAt.get(format) ?? Number.NEGATIVE_INFINITY) >= since);
  }

  publish(issue: Issue): void {
    const before = [...this.#held.values()];
    const unchanged = before.filter(({ page }) => page.edition === issue.edition);
    const fresh = issue.bodies.map(body => new SharedBody(body, this.#recycle));
    this.#issue = issue;
    this.#held = new Map([...unchanged, ...fresh].map(body => [body.page.format, body]));
    this.#pending = new Map();
    for (const body of before) if (this.#held.get(body.page.format) !== body) body.replace();
  }

  /** The page with what is to follow it. */
  async read(format: Format, gzip: boolean, tail: string): Promise<Body> {
    this.#askedAt.set(format, this.#now());
    const body = this.#held.get(format) ?? (await this.#ask(format));
    const end = Buffer.from(tail);
    if (!gzip) return join([await body.plain(), end], () => {});
    const { page } = body;
    return join([page.gzip, endGzip(end, page.crc, page.bytes)], body.use());
  }

  #ask(format: Format): Promise<SharedBody> {
    const asked = this.#pending.get(format);
    if (asked !== undefined) return asked;
    const pending = this.#assemble(format)
      .then(page => {
        const body = new SharedBody(page, this.#recycle);
        if (page.edition >= (this.#issue?.edition ?? 0)) this.#held.set(format, body);
        return body;
      })
      .finally(() => {
        if (this.#pending.get(format) === pending) this.#pending.delete(format);
      });
    this.#pending.set(format, pending);
    return pending;
  }
}

function join(pieces: readonly Uint8Array[], done: () => void): Body {
  return { pieces, bytes: pieces.reduce((sum, piece) => sum + piece.length, 0), done };
}
