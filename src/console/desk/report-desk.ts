import type { ReportKind, ReportOptions } from '../../report/kind.ts';
import type { MadeReport } from '../../report/maker.ts';
import { type Make, ReportCache, usualFreshMs } from './report-cache.ts';
import { NotWhole, type ReportSet, type SetQuestion } from './report-set.ts';

/**
 * Makes reports of one look; takes up to seconds of a large fleet.
 *
 * @param now epoch milliseconds.
 * @param signal aborted when the last reader has gone.
 */
export type MakeSet = (question: SetQuestion, now: number, signal: AbortSignal) => Promise<ReportSet>;

/** Has reports made and keeps them for a while. What is shown together is made together, and is of one instant. */
export class ReportDesk {
  readonly #make: MakeSet;
  readonly #cache: ReportCache<ReportSet>;

  /** @param now epoch milliseconds. */
  constructor(make: MakeSet, now?: () => number) {
    this.#make = make;
    this.#cache = new ReportCache(now);
  }

  /**
   * @param gone aborted when the reader waits no longer, and will not ask again.
   * @throws PageProblem when there is no such report, NotWhole when what it rests on is not whole.
   */
  async ask(kind: ReportKind, options: ReportOptions, gone?: AbortSignal): Promise<MadeReport> {
    const question = { reports: [{ kind, options }] };
    const { reports: [report] = [], accounts } = await this.askTogether(question, gone);
    if (report === undefined) throw new NotWhole(accounts);
    return report;
  }

  /** As `ask`; @throws PageProblem when there is no such report. */
  askTogether(question: SetQuestion, gone?: AbortSignal): Promise<ReportSet> {
    return this.#cache.ask(keyOf(question), this.#makeOf(question), gone);
  }

  /** The same where it is there soon; undefined where it is not. Then it is there when the next reader asks. */
  askSoon(question: SetQuestion, gone?: AbortSignal): Promise<ReportSet | undefined> {
    return this.#cache.askSoon(keyOf(question), this.#makeOf(question), gone);
  }

  #makeOf(question: SetQuestion): Make<ReportSet> {
    return async (now, signal) => {
      const set = await this.#make(question, now, signal);
      const isWhole = set.reports !== undefined && (!question.withUsage || set.usage !== undefined);
      return { value: set, cells: cellsOf(set), freshMs: isWhole ? usualFreshMs : undefined };
    };
  }
}

function keyOf({ reports, withUsage }: SetQuestion): string {
  const questions = reports.map(({ kind, options }) => [kind, Object.entries(options).sort()]);
  return JSON.stringify([withUsage === true, ...questions]);
}

function cellsOf({ reports = [] }: ReportSet): number {
  return reports.reduce((sum, { rows, columns }) => sum + rows.length * columns.length, 0);
}
