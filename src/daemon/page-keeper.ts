import { flushCompileCache } from 'node:module';
import type { MessagePort } from 'node:worker_threads';
import type { AccountSnapshot } from '../history/snapshot/known-account.ts';
import type { Format } from '../metrics/page/exposition.ts';
import { type EncodedPage, PageSet, type ShownAccount } from '../metrics/page/page-set.ts';
import type { Calculation } from '../report/usage-view/calculator.ts';
import { catalog } from '../resources/catalog.ts';
import { selectFamilies } from '../resources/family-selection.ts';
import { Link, type Told, transfer } from '../thread/link.ts';
import type { HistoryOwner, HistoryWorkerOptions, PublishedPage } from './history-api.ts';
import type { UsageDisplay } from './usage-worker.ts';

/** A history at one instant, to be published. */
interface ShownInstant {
  readonly snapshot: readonly (AccountSnapshot & ShownAccount)[];
  readonly hasData: boolean;
  readonly takeovers: number | undefined;
  /** Epoch milliseconds by this host's clock. */
  readonly publishedAt: number;
  /** When its making began, in milliseconds of a clock that never steps. */
  readonly startedMs: number;
}

/** Keeps the page over a history, and hands it out. */
export abstract class PageKeeper {
  protected readonly owner: Told<HistoryOwner>;
  readonly #pages: PageSet;
  #wanted: readonly Format[] = [];
  #calculations: MessagePort | undefined;

  constructor({ selection, seriesLimit = 0 }: HistoryWorkerOptions, owner: Told<HistoryOwner>) {
    this.owner = owner;
    this.#pages = new PageSet(selectFamilies(catalog, selection), { seriesLimit });
  }

  /** Does what is to be done again and again. */
  abstract keepUp(): void;

  /** Shows use and cost. */
  protected abstract showUsage(calculation: Calculation): void;

  begin(): void {
    this.keepUp();
    // A later thread need not compile what this one did.
    flushCompileCache();
  }

  want(formats: readonly Format[]): void {
    this.#wanted = formats;
  }

  assemble(format: Format): EncodedPage {
    const page = this.#pages.assemble(format);
    return transfer(page, [page.gzip.buffer]);
  }

  recycle(memory: ArrayBuffer): void {
    this.#pages.recycle(memory);
  }

  /** One thread that works out use follows another when that ended, over a channel of its own. */
  followUsage(calculations: MessagePort): void {
    this.#calculations?.close();
    this.#calculations = calculations;
    const display: UsageDisplay = {
      showUsage: calculation => {
        this.showUsage(calculation);
        this.owner.onUsageShown();
      },
    };
    new Link(calculations, () => display);
  }

  async close(): Promise<void> {
    this.#calculations?.close();
  }

  /** Use and cost are on the page from its next publication on. */
  protected putUsage({ view }: Calculation): void {
    this.#pages.putUsage(view);
  }

  /** Renders the page by a snapshot, and hands it over to be served. */
  protected publish({ snapshot, hasData, takeovers, publishedAt, startedMs }: ShownInstant): void {
    const revision = this.#pages.render(snapshot);
    const pages = this.#wanted.map(format => this.#pages.assemble(format));
    const durationMs = performance.now() - startedMs;
    const published: PublishedPage = {
      page: { ...revision, publishedAt, durationMs, pages },
      overviews: snapshot.map(({ overview }) => overview),
      hasData,
      takeovers,
    };
    const memory = pages.map(({ gzip }) => gzip.buffer);
    this.owner.onPublished(transfer(published, memory));
  }
}
