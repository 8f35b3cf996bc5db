import { constants, gunzipSync } from 'node:zlib';
import { PageSet } from '../../src/metrics/page-set.ts';
import type { AccountView } from '../../src/resources/account.ts';
import type { CatalogGroup } from '../../src/resources/catalog.ts';
import type { Page } from './page-reference.ts';

/** What a page set has published, as text. */
export function readPage(pages: PageSet): Page {
  const read = (format: keyof Page) =>
    gunzipSync(pages.assemble(format).gzip, { finishFlush: constants.Z_SYNC_FLUSH }).toString();
  return { text: read('text'), openmetrics: read('openmetrics') };
}

/** The page of some views, as text. */
export function publishPage(groups: readonly CatalogGroup[], views: readonly AccountView[]): Page {
  const pages = new PageSet(groups);
  pages.show(views);
  pages.publish();
  return readPage(pages);
}
