import { secondMs } from '../../resources/duration.ts';
import { PageProblem } from '../page-problem.ts';
import type { ReportDesk } from './report-desk.ts';
import type { ReportSet, SetQuestion } from './report-set.ts';

/** A page with other things to say waits no longer for a report. */
export const soonMs = 0.7 * secondMs;

/**
 * Reports if they are there soon. What takes longer goes on being made, and is there when the next reader asks.
 *
 * @returns undefined where they are not ready.
 */
export async function askSoon(
  reports: Pick<ReportDesk, 'askWithin'>,
  question: SetQuestion,
): Promise<ReportSet | undefined> {
  try {
    return await reports.askWithin(question, soonMs);
  } catch (error) {
    if (error instanceof PageProblem && error.status === 503) return undefined;
    throw error;
  }
}
