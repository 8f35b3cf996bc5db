import type { ReportOptions, TableKind } from '../../report/kind.ts';
import type { MadeReport } from '../../report/maker.ts';
import { minuteMs, secondMs } from '../../resources/duration.ts';
import { freshUntil, type Kept } from '../../resources/kept.ts';
import { waitAtMost } from '../patience.ts';
import type { RenewalPace } from './renewal-pace.ts';
import { isOfOneProject, NotWhole, type ReportSet, type SetQuestion } from './report-set.ts';
import { patienceLeftMs, type UnderWay } from './under-way.ts';

/** Reports that are being made, and how many readers they are made for. */
interface Making extends UnderWay<ReportSet> {
  readers: number;
  /** Ends the making, unless it has begun. */
  readonly drop: () => void;
}

/**
 * Makes reports of one look; takes up to seconds of a large fleet.
 *
 * @param isAwaited whether a reader has nothing to be shown before they are there.
 * @param signal aborted when the last reader has gone.
 */
export type MakeSet = (
  question: SetQuestion,
  now: number,
  isAwaited: boolean,
  signal: AbortSignal,
) => Promise<ReportSet>;

/** A report that was just made is shown to everyone; at most one part in ten of the time is spent on making it again. */
const reportRule = { freshMs: 10 * secondMs, restPerWork: 9 };
/** One that could have been renewed for longer is waited for anew, and need not be kept. */
const longestStaleMs = 10 * minuteMs;
/** A report that has more cells alone than all are to have is kept for those who were told to ask again, and is one at most. */
const largeForMs = minuteMs;
/** Cells of all reports together that are kept. */
const mostCells = 400_000;

/**
 * Has reports made once for everyone who asks for them, and keeps them for a while: what is a little old is answered at once,
 * and made again for the next reader. What is shown together is made together, and is of one instant. What all have gone who
 * asked for it is dropped, if it is not begun.
 */
export class ReportDesk {
  readonly #make: MakeSet;
  readonly #pace: RenewalPace;
  readonly #now: () => number;
  /** The one asked for last is the last. */
  readonly #kept = new Map<string, Kept<ReportSet>>();
  readonly #making = new Map<string, Making>();
  #large: { readonly key: string; readonly value: ReportSet; readonly madeAt: number } | undefined;

  /** @param now epoch milliseconds. */
  constructor(make: MakeSet, pace: RenewalPace, now: () => number = Date.now) {
    this.#make = make;
    this.#pace = pace;
    this.#now = now;
  }

  /**
   * @param gone aborted when the reader waits no longer, and will not ask again.
   * @throws PageProblem when there is no such report, NotWhole when what it rests on is not whole.
   */
  async ask(kind: TableKind, options: ReportOptions, gone?: AbortSignal): Promise<MadeReport> {
    const { reports: [report] = [], accounts } = await this.askTogether(
      { reports: [{ kind, options }] },
      gone,
    );
    if (report === undefined) throw new NotWhole(accounts);
    return report;
  }

  /** As `ask`; @throws PageProblem when there is no such report. */
  async askTogether(question: SetQuestion, gone?: AbortSignal): Promise<ReportSet> {
    const found = this.#find(question, gone);
    return 'begunAt' in found ? found.end : found;
  }

  /**
   * The same where it is there so soon after it was begun. What takes longer goes on being made, and a later question does not
   * wait for it again.
   *
   * @returns undefined where it is not ready.
   */
  async askWithin(
    question: SetQuestion,
    patienceMs: number,
    gone?: AbortSignal,
  ): Promise<ReportSet | undefined> {
    const found = this.#find(question, gone);
    if (!('begunAt' in found)) return found;
    return waitAtMost<ReportSet | undefined>(
      found.end,
      patienceLeftMs(found, patienceMs, this.#now()),
      () => undefined,
    );
  }

  #find(question: SetQuestion, gone: AbortSignal | undefined): ReportSet | UnderWay<ReportSet> {
    const key = JSON.stringify([
      question.withUsage === true,
      ...question.reports.map(({ kind, options }) => [kind, Object.entries(options).sort()]),
    ]);
    this.#forgetStale();
    if (this.#large?.key === key) return this.#large.value;
    const kept = this.#kept.get(key);
    if (kept === undefined) return addReader(this.#renew(key, question, true), gone);
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const now = this.#now();
    const staleMs = now - freshUntil(kept, reportRule);
    if (staleMs < 0) return kept.value;
    if (!this.#mayRenew(key, kept, question)) return kept.value;
    const renewed = this.#renew(key, question, false);
    // The next reader is told why it failed.
    renewed.end.catch(() => this.#kept.delete(key));
    return kept.value;
  }

  /** Whether an old report is made again now, or is so already. */
  #mayRenew(key: string, { madeAt }: Kept<ReportSet>, question: SetQuestion): boolean {
    return isOfOneProject(question) || this.#making.has(key) || this.#pace.isTurnOf(key, madeAt, this.#now());
  }

  #renew(key: string, question: SetQuestion, isAwaited: boolean): Making {
    const known = this.#making.get(key);
    if (known !== undefined) return known;
    const dropping = new AbortController();
    const end = this.#makeAndKeep(key, question, isAwaited, dropping.signal);
    const making = { begunAt: this.#now(), end, readers: 0, drop: () => dropping.abort() };
    this.#making.set(key, making);
    return making;
  }

  async #makeAndKeep(
    key: string,
    question: SetQuestion,
    isAwaited: boolean,
    signal: AbortSignal,
  ): Promise<ReportSet> {
    const startedAt = this.#now();
    try {
      const make = () => this.#make(question, startedAt, isAwaited, signal);
      const isAtOnce = isAwaited || isOfOneProject(question);
      const value = await (isAtOnce ? make() : this.#pace.renew(key, make, this.#now));
      if (value.reports === undefined || (question.withUsage && value.usage === undefined)) {
        // The next reader may see more.
        this.#kept.delete(key);
        return value;
      }
      const madeAt = this.#now();
      if (cellsOf(value) > mostCells) {
        this.#large = { key, value, madeAt };
        return value;
      }
      this.#kept.delete(key);
      this.#kept.set(key, { value, madeAt, tookMs: madeAt - startedAt });
      this.#forgetOldest();
      return value;
    } finally {
      this.#making.delete(key);
    }
  }

  #forgetStale(): void {
    const now = this.#now();
    if (this.#large !== undefined && now - this.#large.madeAt >= largeForMs) this.#large = undefined;
    for (const [key, kept] of this.#kept)
      if (now - freshUntil(kept, reportRule) > longestStaleMs) this.#kept.delete(key);
  }

  #forgetOldest(): void {
    let cells = [...this.#kept.values()].reduce((sum, { value }) => sum + cellsOf(value), 0);
    for (const [key, { value }] of this.#kept) {
      if (cells <= mostCells) return;
      this.#kept.delete(key);
      cells -= cellsOf(value);
    }
  }
}

/** Has reports made for one more reader, until that one is gone. */
function addReader(making: Making, gone: AbortSignal | undefined): Making {
  making.readers += 1;
  const leave = () => {
    making.readers -= 1;
    if (making.readers > 0) return;
    // There is no reader to be told of a failure.
    making.end.catch(() => {});
    making.drop();
  };
  gone?.addEventListener('abort', leave, { once: true });
  return making;
}

function cellsOf({ reports = [] }: ReportSet): number {
  return reports.reduce((sum, { rows, columns }) => sum + rows.length * columns.length, 0);
}
