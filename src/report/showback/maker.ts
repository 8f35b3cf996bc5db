import { shareByGroup } from '../../cost/rating/group-share.ts';
import { readChosenHistory } from '../chosen-history.ts';
import { renderShowbackHtml } from '../format/showback-html.ts';
import { renderShowbackMarkdown } from '../format/showback-markdown.ts';
import { onOneLine } from '../format/shown-cell.ts';
import type { ReportListeners, ReportOrder } from '../order.ts';
import { readRequest } from '../request.ts';
import { scopeRule } from '../row/scope.ts';
import { requirePricing } from '../row/scoped-cost.ts';
import { makePages } from './showback.ts';

/** Pages of groups as text, and a sentence on one line for each thing that is missing in one of them. */
export interface MadeShowback {
  readonly text: string;
  readonly gaps: readonly string[];
}

/**
 * Makes the show-back of groups from the history, which a daemon may be writing.
 *
 * @throws Failure when it cannot be made, HistoryError when the history cannot be read.
 */
export async function makeShowback(
  { kind, options, config, now }: ReportOrder,
  { onWarning, onProgress }: ReportListeners,
): Promise<MadeShowback> {
  const request = await readRequest(kind, options, config, { now, onWarning });
  requirePricing({ request });
  const groups = shareByGroup(config.groupings);
  const rule = scopeRule('group', request.grouping, groups);
  const pages = readChosenHistory(request, history =>
    makePages({ request, history, groups, rule, onProgress }),
  );
  const gaps = new Set(pages.flatMap(page => page.gaps.map(onOneLine)));
  return {
    text: request.format === 'html' ? renderShowbackHtml(pages) : renderShowbackMarkdown(pages),
    gaps: [...gaps],
  };
}
