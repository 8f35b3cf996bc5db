import { minuteMs, secondMs } from '../../resources/duration.ts';
import type { Grouping } from '../../resources/grouping.ts';
import { type FreshRule, freshUntil, isFresh, type Kept } from '../../resources/kept.ts';
import { type FigureName, figureNames } from '../page/fleet/sheet/fleet-figure.ts';
import type { FleetSheet } from '../page/fleet/sheet/fleet-sheet.ts';
import { OpenSheet } from '../page/fleet/sheet/open-sheet.ts';
import { PageProblem } from '../page-problem.ts';
import { waitAtMost } from '../patience.ts';
import { soonMs } from './ready-report.ts';
import type { RenewalPace } from './renewal-pace.ts';
import type { TakenFigures } from './report-order.ts';
import { patienceLeftMs, type UnderWay } from './under-way.ts';

/** Makes the table of all projects, in another thread. */
export interface FleetMakers {
  readonly take: (now: number) => Promise<TakenFigures>;
  readonly join: (groupings: readonly string[], figures: TakenFigures | undefined) => Promise<FleetSheet>;
  /** Told why figures cannot be taken: all others are shown. */
  readonly onFailure: (error: unknown) => void;
}

/** At most one part in ten of the time is spent on taking the figures, and one in twenty on joining. */
const figureRule = { freshMs: 10 * secondMs, restPerWork: 9 };
const sheetRule = { freshMs: 5 * secondMs, restPerWork: 19 };
/** A table that is so old is joined anew before it is shown, if that does not take long. */
const oldMs = 20 * secondMs;
/** Figures that could not be taken are tried again so late. */
const retryMs = minuteMs;
/** One that could have been joined anew for longer is not shown, nor are such figures. */
const longestStaleMs = 10 * minuteMs;

/**
 * Has all projects joined with their figures once for everyone who asks, and keeps that: one that is a little old is answered
 * at once, and joined again for the next reader. At first there are the projects alone, and then all figures of one instant.
 */
export class FleetDesk {
  readonly #makers: FleetMakers;
  readonly #pace: RenewalPace;
  readonly #now: () => number;
  #figures: Kept<TakenFigures> | undefined;
  #taking: UnderWay<void> | undefined;
  /** When figures could not be taken the last time; undefined since all were. */
  #failedAt: number | undefined;
  #failing: readonly FigureName[] = [];
  /** By the groupings that are shown, as whose projects are is not for all readers. */
  readonly #sheets = new Map<string, Kept<OpenSheet>>();
  readonly #renewing = new Map<string, UnderWay<void>>();

  constructor(makers: FleetMakers, pace: RenewalPace, now: () => number = Date.now) {
    this.#makers = makers;
    this.#pace = pace;
    this.#now = now;
  }

  /** @throws PageProblem when there is no such report. */
  async read(groupings: readonly Pick<Grouping, 'name'>[]): Promise<OpenSheet> {
    const shown = groupings.map(({ name }) => name);
    const key = JSON.stringify(shown);
    this.#forgetOld();
    const kept = this.#sheets.get(key);
    if (kept !== undefined && this.#isDone(kept)) return kept.value;
    const renewed = this.#renew(key, shown);
    if (kept === undefined || kept.value.told.pending.length > 0 || this.#ageOf(kept) > oldMs)
      await waitAtMost(renewed.end, patienceLeftMs(renewed, soonMs, this.#now()), () => undefined);
    // The next reader is told why it failed.
    else renewed.end.catch(() => this.#sheets.delete(key));
    const latest = this.#sheets.get(key) ?? (await this.#join(key, shown));
    return latest.value;
  }

  /** The figures that cannot be worked out now. */
  get failing(): readonly FigureName[] {
    return this.#failing;
  }

  #forgetOld(): void {
    const isOld = (kept: Kept<unknown>, rule: FreshRule) =>
      this.#now() - freshUntil(kept, rule) > longestStaleMs;
    if (this.#figures !== undefined && isOld(this.#figures, figureRule)) this.#figures = undefined;
    for (const [key, kept] of this.#sheets) if (isOld(kept, sheetRule)) this.#sheets.delete(key);
  }

  #ageOf({ madeAt }: Kept<unknown>): number {
    return this.#now() - madeAt;
  }

  #isDone(kept: Kept<OpenSheet>): boolean {
    const isWhole = kept.value.told.pending.length === 0;
    return isWhole && isFresh(kept, sheetRule, this.#now()) && !this.#isDue();
  }

  /** Whether figures are to be taken now: the first time at once, and anew when they are old and there may be renewals. */
  #isDue(): boolean {
    const now = this.#now();
    if (this.#failedAt !== undefined && now - this.#failedAt < retryMs) return false;
    const kept = this.#figures;
    if (kept === undefined || !kept.value.isWhole) return true;
    return !isFresh(kept, figureRule, now) && this.#pace.isTurnOf('figures', kept.madeAt, now);
  }

  #renew(key: string, shown: readonly string[]): UnderWay<void> {
    const known = this.#renewing.get(key);
    if (known !== undefined) return known;
    const end = this.#work(key, shown).finally(() => this.#renewing.delete(key));
    const begun = { begunAt: this.#now(), end };
    this.#renewing.set(key, begun);
    return begun;
  }

  async #work(key: string, shown: readonly string[]): Promise<void> {
    if (this.#figures === undefined) await this.#join(key, shown);
    if (this.#isDue()) {
      this.#taking ??= { begunAt: this.#now(), end: this.#take().finally(() => (this.#taking = undefined)) };
      await this.#taking.end;
    }
    await this.#join(key, shown);
  }

  async #join(key: string, shown: readonly string[]): Promise<Kept<OpenSheet>> {
    const startedAt = this.#now();
    const value = new OpenSheet(await this.#makers.join(shown, this.#figures?.value));
    const kept = { value, madeAt: this.#now(), tookMs: this.#now() - startedAt };
    this.#sheets.set(key, kept);
    return kept;
  }

  async #take(): Promise<void> {
    const startedAt = this.#now();
    try {
      const take = () => this.#makers.take(startedAt);
      const value = await (this.#figures ? this.#pace.renew('figures', take, this.#now) : take());
      const madeAt = this.#now();
      this.#figures = { value, madeAt, tookMs: madeAt - startedAt };
      this.#noteFailures(value.failed.map(({ name }) => name));
      for (const { message } of value.failed) this.#makers.onFailure(new Error(message));
    } catch (error) {
      // Where too much is being made already, it is only late.
      if (error instanceof PageProblem && error.status === 503) return;
      this.#noteFailures(figureNames);
      this.#makers.onFailure(error);
    }
  }

  #noteFailures(names: readonly FigureName[]): void {
    this.#failing = names;
    this.#failedAt = names.length > 0 ? this.#now() : undefined;
  }
}
