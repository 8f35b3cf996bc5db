import { PageSet } from '../../../src/metrics/page/page-set.ts';
import { type PageResponse, Publication } from '../../../src/metrics/publication/publication.ts';
import { catalog } from '../../../src/resources/catalog.ts';
import type { ProjectView } from '../../../src/resources/project.ts';
import type { ViewFleet } from './view-fleet.ts';

/** The page as the daemon publishes it, over a fleet instead of a history. */
export class FleetPage {
  readonly #pages = new PageSet(catalog);
  readonly #publication = new Publication({
    assemble: async format => this.#pages.assemble(format),
    recycle: memory => this.#pages.recycle(memory),
    now: Date.now,
  });

  constructor(fleet: ViewFleet) {
    this.#pages.show([fleet.view()]);
  }

  /** Renders and compresses what changed, so that a scrape finds the bytes ready. */
  publish(changed: readonly ProjectView[] = []): void {
    for (const view of changed) this.#pages.putProject(view.account, view.project_id, view);
    const edition = this.#pages.render();
    const bodies = [this.#pages.assemble('text')];
    this.#publication.publish({ ...edition, publishedAt: Date.now(), durationMs: 0, pages: bodies });
  }

  read(format: 'text' | 'openmetrics', gzip: boolean, tail: string): Promise<PageResponse> {
    return this.#publication.read(format, gzip, tail);
  }
}
