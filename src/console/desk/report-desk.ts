import type { ReportOptions, TableKind } from '../../report/kind.ts';
import type { MadeReport } from '../../report/maker.ts';
import { minuteMs, secondMs } from '../../resources/duration.ts';
import { freshUntil, type Kept } from '../../resources/kept.ts';
import { waitAtMost } from '../patience.ts';
import type { RenewalPace } from './renewal-pace.ts';
import { patienceLeftMs, type UnderWay } from './under-way.ts';

/** A report that is being made, and how many readers it is made for. */
interface Making extends UnderWay<MadeReport> {
  readers: number;
  /** Ends the making, unless it has begun. */
  readonly drop: () => void;
}

/**
 * Makes a report; takes up to seconds of a large fleet.
 *
 * @param isAwaited whether a reader has nothing to be shown before it is there.
 * @param signal aborted when nobody waits for it any more.
 */
export type MakeReport = (
  kind: TableKind,
  options: ReportOptions,
  now: number,
  isAwaited: boolean,
  signal: AbortSignal,
) => Promise<MadeReport>;

/** A report that was just made is shown to everyone; at most one part in ten of the time is spent on making it again. */
const reportRule = { freshMs: 10 * secondMs, restPerWork: 9 };
/** One that could have been renewed for longer is waited for anew, and need not be kept. */
const longestStaleMs = 10 * minuteMs;
/** A report that has more cells alone than all are to have is kept for those who were told to ask again, and is one at most. */
const largeForMs = minuteMs;
/** Cells of all reports together that are kept. */
const mostCells = 400_000;

/**
 * Has reports made once for everyone who asks for them, and keeps them for a while: a report that is a little old is
 * answered at once, and made again for the next reader. One that all have gone who asked for it is dropped, if it is not begun.
 */
export class ReportDesk {
  readonly #make: MakeReport;
  readonly #pace: RenewalPace;
  readonly #now: () => number;
  /** The one asked for last is the last. */
  readonly #kept = new Map<string, Kept<MadeReport>>();
  readonly #making = new Map<string, Making>();
  #large: { readonly key: string; readonly value: MadeReport; readonly madeAt: number } | undefined;
  #renewals = 0;

  /** @param now epoch milliseconds. */
  constructor(make: MakeReport, pace: RenewalPace, now: () => number = Date.now) {
    this.#make = make;
    this.#pace = pace;
    this.#now = now;
  }

  /**
   * @param gone aborted when the reader waits no longer, and will not ask again.
   * @throws PageProblem when there is no such report.
   */
  async ask(kind: TableKind, options: ReportOptions, gone?: AbortSignal): Promise<MadeReport> {
    const found = this.#find(kind, options, gone);
    return 'begunAt' in found ? found.end : found;
  }

  /**
   * A report that is there so soon after it was begun; one that takes longer goes on being made, and nobody waits for it twice.
   *
   * @returns undefined where it is not ready.
   */
  async askWithin(
    kind: TableKind,
    options: ReportOptions,
    patienceMs: number,
    gone?: AbortSignal,
  ): Promise<MadeReport | undefined> {
    const found = this.#find(kind, options, gone);
    if (!('begunAt' in found)) return found;
    return waitAtMost<MadeReport | undefined>(
      found.end,
      patienceLeftMs(found, patienceMs, this.#now()),
      () => undefined,
    );
  }

  #find(
    kind: TableKind,
    options: ReportOptions,
    gone: AbortSignal | undefined,
  ): MadeReport | UnderWay<MadeReport> {
    const key = JSON.stringify([kind, Object.entries(options).sort()]);
    this.#forgetStale();
    if (this.#large?.key === key) return this.#large.value;
    const kept = this.#kept.get(key);
    if (kept === undefined) return addReader(this.#renew(key, kind, options, true), gone);
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const now = this.#now();
    const staleMs = now - freshUntil(kept, reportRule);
    if (staleMs < 0) return kept.value;
    if (!this.#mayRenew(key, kept, options)) return kept.value;
    const renewed = this.#renew(key, kind, options, false);
    // The next reader is told why it failed.
    renewed.end.catch(() => this.#kept.delete(key));
    return kept.value;
  }

  /** Whether an old report is made again now, or is so already. */
  #mayRenew(key: string, { madeAt }: Kept<MadeReport>, options: ReportOptions): boolean {
    return !isPaced(options) || this.#making.has(key) || this.#pace.isTurnOf(key, madeAt, this.#now());
  }

  /** Has every report made anew for its next reader: those that were made or begun before lack what is known since. */
  renewAll(): void {
    this.#renewals += 1;
    this.#kept.clear();
    this.#making.clear();
    this.#large = undefined;
  }

  #renew(key: string, kind: TableKind, options: ReportOptions, isAwaited: boolean): Making {
    const known = this.#making.get(key);
    if (known !== undefined) return known;
    const dropping = new AbortController();
    const end = this.#makeAndKeep(key, kind, options, isAwaited, dropping.signal);
    const making = { begunAt: this.#now(), end, readers: 0, drop: () => dropping.abort() };
    this.#making.set(key, making);
    return making;
  }

  async #makeAndKeep(
    key: string,
    kind: TableKind,
    options: ReportOptions,
    isAwaited: boolean,
    signal: AbortSignal,
  ): Promise<MadeReport> {
    const startedAt = this.#now();
    const renewals = this.#renewals;
    try {
      const make = () => this.#make(kind, options, startedAt, isAwaited, signal);
      const value = await (isAwaited || !isPaced(options) ? make() : this.#pace.renew(key, make, this.#now));
      if (renewals !== this.#renewals) return value;
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
      if (renewals === this.#renewals) this.#making.delete(key);
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

/** Has a report made for one more reader, until that one is gone. */
function addReader(making: Making, gone: AbortSignal | undefined): Making {
  making.readers += 1;
  const leave = () => {
    making.readers -= 1;
    if (making.readers > 0) return;
    // Nobody hears of it any more.
    making.end.catch(() => {});
    making.drop();
  };
  gone?.addEventListener('abort', leave, { once: true });
  return making;
}

/** Whether a report waits for the others to be made again: those of one project have a pace of their own, and come first. */
function isPaced({ project }: ReportOptions): boolean {
  return project === undefined;
}

function cellsOf({ rows, columns }: MadeReport): number {
  return rows.length * columns.length;
}
