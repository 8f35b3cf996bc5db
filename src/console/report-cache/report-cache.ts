import type { ReportKind } from '../../report/kind.ts';
import type { MadeReport } from '../../report/maker.ts';
import type { ReportOptions } from '../../report/parameter.ts';
import { minuteMs } from '../../resources/duration.ts';
import type { ProjectIndex } from '../page/project-index/project-index.ts';
import { isBusy, type Make, RenewalTime, RenewingCache, usualFreshMs } from './renewing-cache.ts';
import { NotWhole, type ReportSet, type SetQuestion } from './report-set.ts';

/** Work that takes seconds for a large fleet, done in another thread. The signal drops work that is not begun. */
export interface ReportSource {
  /** Reports of one look. */
  make(question: SetQuestion, now: number, signal: AbortSignal): Promise<ReportSet>;
  /** All projects; without their figures, which take longer, they are there at once. */
  projects(now: number, withFigures: boolean, signal: AbortSignal): Promise<ProjectIndex>;
}

/** The time until figures that could not be worked out are tried again. */
const retryMs = minuteMs;

/** Has reports and the project index made, and keeps them for a while. What is shown together is of one instant. */
export class ReportCache {
  readonly #source: ReportSource;
  readonly #onFailure: (error: unknown) => void;
  readonly #sets: RenewingCache<ReportSet>;
  readonly #indexes: RenewingCache<ProjectIndex>;

  /**
   * @param onFailure told why figures of projects cannot be worked out: all others are shown.
   * @param now epoch milliseconds.
   */
  constructor(source: ReportSource, onFailure: (error: unknown) => void, now: () => number = Date.now) {
    this.#source = source;
    this.#onFailure = onFailure;
    const time = new RenewalTime();
    this.#sets = new RenewingCache(time, now);
    this.#indexes = new RenewingCache(time, now);
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
    return this.#sets.ask(keyOf(question), this.#makeSet(question), gone);
  }

  /** The same where it is there soon; undefined where it is not. Then it is there when the next reader asks. */
  askSoon(question: SetQuestion, gone?: AbortSignal): Promise<ReportSet | undefined> {
    return this.#sets.askSoon(keyOf(question), this.#makeSet(question), gone);
  }

  /** All projects with their figures, as soon as these are there; until then the projects alone. */
  async projects(gone?: AbortSignal): Promise<ProjectIndex> {
    const makeAlone: Make<ProjectIndex> = async (now, signal) => {
      return { value: await this.#source.projects(now, false, signal), freshMs: usualFreshMs };
    };
    const makeWhole: Make<ProjectIndex> = (now, signal) => this.#makeIndex(now, signal);
    const whole = await this.#indexes.find('whole', makeWhole);
    if (whole !== undefined) return whole;
    const alone = await this.#indexes.ask('alone', makeAlone, gone);
    return (await this.#indexes.askSoon('whole', makeWhole, gone)) ?? alone;
  }

  #makeSet(question: SetQuestion): Make<ReportSet> {
    return async (now, signal) => {
      const set = await this.#source.make(question, now, signal);
      const { reports, usage } = set;
      const isWhole = reports !== undefined && (!question.withUsage || usage !== undefined);
      const cells = reports?.reduce((sum, { rows, columns }) => sum + rows.length * columns.length, 0) ?? 0;
      return { value: set, cells, freshMs: isWhole ? usualFreshMs : undefined };
    };
  }

  async #makeIndex(now: number, signal: AbortSignal) {
    try {
      const index = await this.#source.projects(now, true, signal);
      this.#indexes.forget('alone');
      for (const { message } of index.failed) this.#onFailure(new Error(message));
      const freshMs = index.said.as_of === null ? 0 : usualFreshMs;
      return { value: index, freshMs: index.failed.length > 0 ? retryMs : freshMs };
    } catch (error) {
      // Where too much is being made already, it is only late.
      if (isBusy(error) || signal.aborted) throw error;
      this.#onFailure(error);
      const { pending, ...alone } = await this.#source.projects(now, false, signal);
      const failed = pending.map(name => ({ name, message: String(error) }));
      return { value: { ...alone, pending: [], failed }, freshMs: retryMs };
    }
  }
}

function keyOf({ reports, withUsage }: SetQuestion): string {
  const questions = reports.map(({ kind, options }) => [kind, Object.entries(options).sort()]);
  return JSON.stringify([withUsage === true, ...questions]);
}
