import { renderReport } from './format/rendering.ts';
import { makeReport } from './maker.ts';
import type { ReportListeners, ReportOrder } from './order.ts';

/** The whole text of a report, and a sentence on one line for each thing missing in it that was asked for. */
export interface WrittenReport {
  readonly text: string;
  readonly gaps: readonly string[];
}

/**
 * Makes a report and writes it in the format that was asked for.
 *
 * @throws Failure when it cannot be made, ConfigFailure when a what-if price book has problems, HistoryError when the
 *   history cannot be read.
 */
export async function writeReport(order: ReportOrder, listeners: ReportListeners): Promise<WrittenReport> {
  const report = await makeReport(order, listeners);
  const usual = order.kind === 'showback' ? 'markdown' : 'table';
  return { text: renderReport(report, order.options.format ?? usual), gaps: report.gaps };
}
