import type { Format } from './exposition.ts';
import { formats } from './exposition.ts';
import { endGzip, openGzip } from './gzip.ts';
import type { Edition, PageBody } from './page-set.ts';

/** A response body in pieces, in order, ready to be sent. */
export interface Body {
  readonly pieces: readonly Uint8Array[];
  readonly bytes: number;
}

/** The page of one moment, in the formats that were wanted when it was made. */
export interface Issue extends Edition {
  readonly publishedAt: number;
  /** How long it took to make, from what was put to the assembled bodies. */
  readonly durationMs: number;
  readonly bodies: readonly PageBody[];
}

interface HeldBody extends PageBody {
  /** Decompressed once for all who take no gzip; hardly any scraper does. */
  plain?: Promise<Buffer>;
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
  #held = new Map<Format, HeldBody>();
  #pending = new Map<Format, Promise<HeldBody>>();

  /** @param options.assemble makes a body of the issue published last, or of one about to be. */
  constructor(options: {
    readonly assemble: (format: Format) => Promise<PageBody>;
    readonly now: () => number;
  }) {
    this.#assemble = options.assemble;
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
    const unchanged = [...this.#held.values()].filter(({ edition }) => edition === issue.edition);
    this.#issue = issue;
    this.#held = new Map([...issue.bodies, ...unchanged].map(body => [body.format, body]));
    this.#pending = new Map();
  }

  /** The page with what is to follow it. */
  async read(format: Format, gzip: boolean, tail: string): Promise<Body> {
    this.#askedAt.set(format, this.#now());
    const page = this.#held.get(format) ?? (await this.#ask(format));
    const end = Buffer.from(tail);
    if (gzip) return join([page.gzip, endGzip(end, page.crc, page.bytes)]);
    page.plain ??= openGzip(page.gzip, page.bytes);
    return join([await page.plain, end]);
  }

  #ask(format: Format): Promise<HeldBody> {
    const asked = this.#pending.get(format);
    if (asked !== undefined) return asked;
    const pending = this.#assemble(format)
      .then((body: HeldBody) => {
        if (body.edition >= (this.#issue?.edition ?? 0)) this.#held.set(format, body);
        return body;
      })
      .finally(() => {
        if (this.#pending.get(format) === pending) this.#pending.delete(format);
      });
    this.#pending.set(format, pending);
    return pending;
  }
}

function join(pieces: readonly Uint8Array[]): Body {
  return { pieces, bytes: pieces.reduce((sum, piece) => sum + piece.length, 0) };
}
