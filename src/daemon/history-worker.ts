import { parentPort, workerData } from 'node:worker_threads';
import { HistoryError } from '../history/file/history-error.ts';
import { History } from '../history/history.ts';
import type { Format } from '../metrics/page/exposition.ts';
import { PageSet } from '../metrics/page/page-set.ts';
import type { PageSnapshot } from '../metrics/publication/publication.ts';
import { Publisher } from '../metrics/publication/publisher.ts';
import { catalog } from '../resources/catalog.ts';
import { minuteMs } from '../resources/duration.ts';
import { selectFamilies } from '../resources/series/family-selection.ts';
import type { HistoryEvent, HistoryRequest, HistoryWorkerOptions } from './history-message.ts';

/** Projects that change often drift apart as others begin to: moving them together again renders much of the page. */
const rearrangeEveryMs = 5 * minuteMs;

/** Upkeep goes on in small steps while there is more of it, with time for readings in between, and then rests. */
const upkeepPauseMs = 20;
const upkeepRestMs = minuteMs;

/**
 * Keeps the history and the page over it in a thread of their own: a disk that is slow to commit, rendering and
 * compression then hold up neither a scrape nor a request to the service.
 */
class HistoryWorker {
  readonly #accounts: readonly string[];
  readonly #history: History;
  readonly #pages: PageSet;
  readonly #publisher = new Publisher(
    () => this.#publish(),
    error => {
      this.#history.showAgain();
      post({ kind: 'unpublished', error });
    },
  );
  #wanted: readonly Format[] = [];
  #rearrangedAt = Date.now();
  #upkeep: NodeJS.Timeout | undefined;

  constructor(options: HistoryWorkerOptions) {
    this.#accounts = options.accounts;
    this.#history = new History(options);
    const { selection, seriesLimit = 0 } = options;
    this.#pages = new PageSet(selectFamilies(catalog, selection), { seriesLimit });
  }

  open(): void {
    this.#publisher.publish();
    post({
      kind: 'opened',
      accounts: this.#accounts.map(account => ({
        account,
        projects: [...this.#history.knownProjects(account)],
        budget: this.#history.budget(account),
      })),
    });
  }

  /** What fails now is tried again: a disk that is full may have room later. */
  keepUp(): void {
    let isMore = false;
    try {
      isMore = this.#history.upkeep(Date.now());
    } catch (error) {
      post({ kind: 'upkeep_failed', error });
    }
    this.#upkeep = setTimeout(() => this.keepUp(), isMore ? upkeepPauseMs : upkeepRestMs);
  }

  serve(request: HistoryRequest): void {
    switch (request.kind) {
      case 'record': {
        const recorded = this.#history.recordAll(request.readings, request.budgets);
        const results = recorded.map(each => ('error' in each ? { problem: each.error.message } : each));
        post({ kind: 'recorded', results });
        this.#publisher.request();
        break;
      }
      case 'save_budgets':
        this.#history.recordAll([], request.budgets);
        break;
      case 'usage':
        this.#showUsage(request);
        break;
      case 'want':
        this.#wanted = request.formats;
        break;
      case 'assemble': {
        const body = this.#pages.assemble(request.format);
        post({ kind: 'assembled', body }, [body.gzip.buffer]);
        break;
      }
      case 'recycle':
        this.#pages.recycle(request.memory);
        break;
      case 'close':
        this.#publisher.stop();
        clearTimeout(this.#upkeep);
        this.#history.close();
        parentPort?.close();
    }
  }

  /** A cost that is shown but not written could be lower after a restart. */
  #showUsage({ view, accruals }: HistoryRequest & { readonly kind: 'usage' }): void {
    try {
      this.#history.noteAccruals(accruals);
      this.#pages.putUsage(view);
      this.#publisher.publish();
    } catch (error) {
      post({ kind: 'upkeep_failed', error });
    }
    post({ kind: 'usage_shown' });
  }

  #publish(): void {
    const startedAt = performance.now();
    const publishedAt = Date.now();
    const changes = this.#history.changes(publishedAt);
    for (const { account, projects } of changes) {
      this.#pages.putAccount(account.account, account);
      for (const [project_id, view] of projects) this.#pages.putProject(account.account, project_id, view);
    }
    if (publishedAt - this.#rearrangedAt >= rearrangeEveryMs) {
      this.#rearrangedAt = publishedAt;
      this.#pages.rearrange();
    }
    const edition = this.#pages.publish();
    const bodies = this.#wanted.map(format => this.#pages.assemble(format));
    const snapshot: PageSnapshot = {
      ...edition,
      publishedAt,
      durationMs: performance.now() - startedAt,
      pages: bodies,
    };
    const overviews = changes.map(({ overview }) => overview);
    const transferred = bodies.map(({ gzip }) => gzip.buffer);
    post({ kind: 'published', snapshot, overviews, hasData: this.#history.hasData() }, transferred);
  }
}

function post(event: HistoryEvent, transferred: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(event, [...transferred]);
}

function start(): void {
  try {
    const thread = new HistoryWorker(workerData);
    parentPort?.on('message', (request: HistoryRequest) => thread.serve(request));
    thread.open();
    thread.keepUp();
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error;
    post({ kind: 'refused', problem: error.message });
    parentPort?.close();
  }
}

start();
