import { listHistories } from '../history/file/history-list.ts';
import { readReportHistories } from '../history/merge/report-reading.ts';
import { chooseAccounts, refuseNoHistory } from './chosen-history.ts';
import { renderReport } from './format/rendering.ts';
import { fillReport, type MadeReport, type ReportListeners, readOrder } from './maker.ts';
import type { ReportOrder } from './request.ts';

/**
 * Makes a report from the history, which a daemon may be writing, or from several as one.
 *
 * @throws Failure when it cannot be made, ConfigFailure when a what-if price book has problems, HistoryError when the
 *   history cannot be read.
 */
export async function makeReport(order: ReportOrder, listeners: ReportListeners): Promise<MadeReport> {
  const request = await readOrder(order, listeners);
  const { file } = request.config.history;
  const choose = (known: readonly string[]) => chooseAccounts(request, known);
  const made = readReportHistories(listHistories(file), choose, history =>
    fillReport(request, history, listeners),
  );
  return made ?? refuseNoHistory(file);
}

/** The text of a report in the format that was asked for, with what is missing in it; as `makeReport`. */
export async function writeReport(
  order: ReportOrder,
  listeners: ReportListeners,
): Promise<Pick<MadeReport, 'gaps'> & { readonly text: string }> {
  const report = await makeReport(order, listeners);
  const usual = order.kind === 'showback' ? 'markdown' : 'table';
  return { text: renderReport(report, order.options.format ?? usual), gaps: report.gaps };
}
