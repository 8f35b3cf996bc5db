import { constants, gunzipSync } from 'node:zlib';
import { PageSet } from '../../src/metrics/page/page-set.ts';
import type { AccountView } from '../../src/resources/account.ts';
import { type CatalogGroup, catalog } from '../../src/resources/catalog.ts';
import type { UsageView } from '../../src/resources/usage/view.ts';
import type { Page } from './page-reference.ts';

/** What a page set has published, as text. */
export function readPage(pages: PageSet): Page {
  const read = (format: keyof Page) =>
    gunzipSync(pages.assemble(format).gzip, { finishFlush: constants.Z_SYNC_FLUSH }).toString();
  return { text: read('text'), openmetrics: read('openmetrics') };
}

/** The page of some views, as text. */
export function publishPage(
  groups: readonly CatalogGroup[],
  views: readonly AccountView[],
  usage?: UsageView,
): Page {
  const pages = new PageSet(groups);
  pages.show(views);
  pages.putUsage(usage);
  pages.render();
  return readPage(pages);
}

/** What is used and costs, as the lines of the page whose names begin with `prefix`. */
export function usageLinesOf(usage: UsageView, prefix: string, groups = catalog): readonly string[] {
  const lines = publishPage(groups, [], usage).text.split('\n');
  return lines.filter(line => line.startsWith(prefix) && line !== '' && !line.startsWith('#'));
}
