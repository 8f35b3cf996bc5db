import type { ReportOptions, TableKind } from '../../report/kind.ts';
import type { MadeReport } from '../../report/maker.ts';
import { secondMs } from '../../resources/duration.ts';
import { PageProblem } from '../page-problem.ts';
import type { ReportDesk } from './report-desk.ts';

/** A page with other things to say waits no longer for a report. */
export const soonMs = 0.7 * secondMs;

/**
 * A report if it is there soon; one that takes longer goes on being made, for whoever asks next.
 *
 * @returns undefined where it is not ready.
 */
export async function askSoon(
  reports: Pick<ReportDesk, 'askWithin'>,
  kind: TableKind,
  options: ReportOptions,
): Promise<MadeReport | undefined> {
  try {
    return await reports.askWithin(kind, options, soonMs);
  } catch (error) {
    if (error instanceof PageProblem && error.status === 503) return undefined;
    throw error;
  }
}
