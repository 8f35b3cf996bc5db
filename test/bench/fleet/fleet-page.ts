import { renderPage } from '../../../src/metrics/page.ts';
import { type Body, Publication } from '../../../src/metrics/publication.ts';
import { catalog } from '../../../src/resources/catalog.ts';
import type { ViewFleet } from './view-fleet.ts';

/** The page as the daemon publishes it, over a fleet instead of a history. */
export class FleetPage {
  readonly #fleet: ViewFleet;
  readonly #publication = new Publication();

  constructor(fleet: ViewFleet) {
    this.#fleet = fleet;
  }

  /** Renders and compresses what changed, so that a scrape finds the bytes ready. */
  async publish(_changedIds?: readonly string[]): Promise<void> {
    this.#publication.publish(renderPage(catalog, [this.#fleet.view()]));
    await this.#publication.gzip('text', '');
  }

  async read(format: 'text' | 'openmetrics', gzip: boolean, tail: string): Promise<Body> {
    return gzip ? this.#publication.gzip(format, tail) : this.#publication.plain(format, tail);
  }
}
