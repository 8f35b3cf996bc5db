import type { AccountChanges } from '../history/history.ts';
import type { Format } from '../metrics/page/exposition.ts';
import { PageSet } from '../metrics/page/page-set.ts';
import type { PageSnapshot } from '../metrics/publication/publication.ts';
import type { Calculation } from '../report/usage/calculator.ts';
import { catalog } from '../resources/catalog.ts';
import { selectFamilies } from '../resources/series/family-selection.ts';
import type { HistoryEvent, HistoryRequest, HistoryWorkerOptions } from './history-message.ts';

/** Hands an event to the daemon, with memory that goes over with it. */
export type PostHistoryEvent = (event: HistoryEvent, transferred?: readonly ArrayBuffer[]) => void;

/** One moment of a history, to be published. */
export interface ShownMoment {
  readonly changes: readonly AccountChanges[];
  /** Accounts of which the projects alone are shown; none unless told. */
  readonly hides?: (account: string) => boolean;
  readonly hasData: boolean;
  readonly takeovers: number | undefined;
  /** Epoch milliseconds by this host's clock. */
  readonly publishedAt: number;
  /** When its making began, in milliseconds of a clock that never steps. */
  readonly startedMs: number;
}

type PageRequest = HistoryRequest & { readonly kind: 'want' | 'assemble' | 'recycle' };

/** Keeps the page over a history, and hands it out. */
export class PageKeeper {
  readonly #post: PostHistoryEvent;
  readonly #pages: PageSet;
  #wanted: readonly Format[] = [];

  constructor({ selection, seriesLimit = 0 }: HistoryWorkerOptions, post: PostHistoryEvent) {
    this.#post = post;
    this.#pages = new PageSet(selectFamilies(catalog, selection), { seriesLimit });
  }

  serve(request: PageRequest): void {
    if (request.kind === 'want') this.#wanted = request.formats;
    else if (request.kind === 'recycle') this.#pages.recycle(request.memory);
    else {
      const page = this.#pages.assemble(request.format);
      this.#post({ kind: 'assembled', page }, [page.gzip.buffer]);
    }
  }

  /** Use and cost are on the page from its next publication on. */
  putUsage({ view }: Calculation): void {
    this.#pages.putUsage(view);
  }

  publish({ changes, hides = () => false, hasData, takeovers, publishedAt, startedMs }: ShownMoment): void {
    for (const { account, projects } of changes) {
      if (!hides(account.account)) this.#pages.putAccount(account.account, account);
      for (const [project_id, view] of projects) this.#pages.putProject(account.account, project_id, view);
    }
    const revision = this.#pages.publish();
    const pages = this.#wanted.map(format => this.#pages.assemble(format));
    const snapshot: PageSnapshot = {
      ...revision,
      publishedAt,
      durationMs: performance.now() - startedMs,
      pages,
    };
    const overviews = changes.map(({ overview }) => overview);
    const transferred = pages.map(({ gzip }) => gzip.buffer);
    this.#post({ kind: 'published', snapshot, overviews, hasData, takeovers }, transferred);
  }
}
