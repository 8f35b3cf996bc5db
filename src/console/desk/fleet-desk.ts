import { minuteMs, secondMs } from '../../resources/duration.ts';
import type { Grouping } from '../../resources/grouping.ts';
import { type FreshRule, freshUntil, isFresh, type Kept } from '../../resources/kept.ts';
import type { FigureName } from '../page/fleet/sheet/fleet-figure.ts';
import type { FleetSheet } from '../page/fleet/sheet/fleet-sheet.ts';
import { OpenSheet } from '../page/fleet/sheet/open-sheet.ts';
import { PageProblem } from '../page-problem.ts';
import { waitAtMost } from '../patience.ts';
import { soonMs } from './ready-report.ts';
import type { RenewalPace } from './renewal-pace.ts';
import type { TakenFigure } from './report-order.ts';
import { patienceLeftMs, type UnderWay } from './under-way.ts';

/** Makes the table of all projects, in another thread. */
export interface FleetMakers {
  readonly take: (name: FigureName, now: number) => Promise<TakenFigure>;
  readonly join: (groupings: readonly string[], figures: readonly TakenFigure[]) => Promise<FleetSheet>;
  /** Told why figures cannot be taken: all others are shown. */
  readonly onFailure: (error: unknown) => void;
}

/** At most one part in ten of the time is spent on taking the figures of a report, and one in twenty on joining. */
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
 * at once, and joined again for the next reader. At first there are the projects alone, and then one figure after the other.
 */
export class FleetDesk {
  readonly #makers: FleetMakers;
  readonly #names: readonly FigureName[];
  readonly #pace: RenewalPace;
  readonly #now: () => number;
  readonly #figures = new Map<FigureName, Kept<TakenFigure>>();
  readonly #taking = new Map<FigureName, UnderWay<void>>();
  /** When figures could not be taken the last time; those that were taken since are not among them. */
  readonly #failedAt = new Map<FigureName, number>();
  /** By the groupings that are shown, as whose projects are is not for all readers. */
  readonly #sheets = new Map<string, Kept<OpenSheet>>();
  readonly #renewing = new Map<string, UnderWay<void>>();
  #renewals = 0;

  /** @param names the figures that there are. */
  constructor(
    makers: FleetMakers,
    names: readonly FigureName[],
    pace: RenewalPace,
    now: () => number = Date.now,
  ) {
    this.#makers = makers;
    this.#names = names;
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

  /** The figures that cannot be taken now. */
  get failing(): readonly FigureName[] {
    return [...this.#failedAt.keys()];
  }

  /** Takes every figure anew for the next reader: those that were taken or begun before lack what is known since. */
  renewAll(): void {
    this.#renewals += 1;
    for (const kept of [this.#figures, this.#sheets, this.#taking, this.#renewing, this.#failedAt])
      kept.clear();
  }

  #forgetOld(): void {
    const isOld = (kept: Kept<unknown>, rule: FreshRule) =>
      this.#now() - freshUntil(kept, rule) > longestStaleMs;
    for (const [name, kept] of this.#figures) if (isOld(kept, figureRule)) this.#figures.delete(name);
    for (const [key, kept] of this.#sheets) if (isOld(kept, sheetRule)) this.#sheets.delete(key);
  }

  #ageOf({ madeAt }: Kept<unknown>): number {
    return this.#now() - madeAt;
  }

  #isDone(kept: Kept<OpenSheet>): boolean {
    const isWhole = kept.value.told.pending.length === 0;
    return isWhole && isFresh(kept, sheetRule, this.#now()) && !this.#names.some(name => this.#isDue(name));
  }

  /** Whether a figure is to be taken now: the first time at once, and anew when it is old and there may be renewals. */
  #isDue(name: FigureName): boolean {
    const now = this.#now();
    const failedAt = this.#failedAt.get(name);
    if (failedAt !== undefined && now - failedAt < retryMs) return false;
    const kept = this.#figures.get(name);
    if (kept === undefined) return true;
    return !isFresh(kept, figureRule, now) && this.#pace.isTurnOf(name, kept.madeAt, now);
  }

  #renew(key: string, shown: readonly string[]): UnderWay<void> {
    return this.#carryOn(this.#renewing, key, () => this.#work(key, shown));
  }

  async #work(key: string, shown: readonly string[]): Promise<void> {
    const isFirst = this.#names.some(name => !this.#figures.has(name));
    if (isFirst) await this.#join(key, shown);
    for (const name of this.#names) {
      if (!this.#isDue(name)) continue;
      await this.#take(name);
      if (isFirst) await this.#join(key, shown);
    }
    if (!isFirst) await this.#join(key, shown);
  }

  async #join(key: string, shown: readonly string[]): Promise<Kept<OpenSheet>> {
    const startedAt = this.#now();
    const renewals = this.#renewals;
    const figures = [...this.#figures.values()].map(({ value }) => value);
    const value = new OpenSheet(await this.#makers.join(shown, figures));
    const kept = { value, madeAt: this.#now(), tookMs: this.#now() - startedAt };
    if (renewals === this.#renewals) this.#sheets.set(key, kept);
    return kept;
  }

  #take(name: FigureName): Promise<void> {
    return this.#carryOn(this.#taking, name, () => this.#takeAndKeep(name)).end;
  }

  async #takeAndKeep(name: FigureName): Promise<void> {
    const startedAt = this.#now();
    const renewals = this.#renewals;
    try {
      const take = () => this.#makers.take(name, startedAt);
      const value = await (this.#figures.has(name) ? this.#pace.renew(name, take, this.#now) : take());
      const madeAt = this.#now();
      if (renewals !== this.#renewals) return;
      this.#figures.set(name, { value, madeAt, tookMs: madeAt - startedAt });
      this.#failedAt.delete(name);
    } catch (error) {
      // Where too much is being made already, it is only late.
      if (error instanceof PageProblem && error.status === 503) return;
      if (renewals === this.#renewals) this.#failedAt.set(name, this.#now());
      this.#makers.onFailure(error);
    }
  }

  /** The work that is under way for a key, or else is begun; its end forgets no work that was begun anew meanwhile. */
  #carryOn<Key>(works: Map<Key, UnderWay<void>>, key: Key, work: () => Promise<void>): UnderWay<void> {
    const known = works.get(key);
    if (known !== undefined) return known;
    const end = work().finally(() => {
      if (works.get(key) === begun) works.delete(key);
    });
    const begun = { begunAt: this.#now(), end };
    works.set(key, begun);
    return begun;
  }
}
