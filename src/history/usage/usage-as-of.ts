import { type InstantRow, listInstants } from '../../resources/backfill.ts';
import { hourMs } from '../../resources/duration.ts';
import {
  livesOf,
  type MeteredLedger,
  type ProjectLife,
  type UsageProject,
} from '../../resources/usage/ledger.ts';
import type { Reconstruction } from '../../resources/usage/view.ts';
import type { StoredUsageHistory, UsageHistory } from './usage-history.ts';

/** Figures that are kept, eight bytes each. */
const mostFigures = 4_194_304;

/** The use of compute as it was known at former instants, by what is known of that time now. */
export class UsageAsOf {
  readonly #now: StoredUsageHistory;
  readonly #places: ReadonlyMap<number, number>;
  /** Use of the projects before an instant, NaN where it was not asked for; the instant first asked for first. */
  readonly #figures = new Map<number, Float64Array>();
  /** The last of each account. */
  readonly #reconstructions = new Map<string, { readonly at: number; readonly found?: Reconstruction }>();

  /** @param now a history that does not change. */
  constructor(now: StoredUsageHistory) {
    this.#now = now;
    this.#places = new Map(now.usage.projects.map(({ project_ref }, index) => [project_ref, index]));
  }

  /** Looks up the use before instants that will be asked for: with one walk over each project, not a search for each. */
  prepare(instants: InstantRow): void {
    const rows = Array.from(listInstants(instants), at => this.#figures.get(at) ?? this.#keep(at));
    for (const [project_ref, place] of this.#places) {
      let index = 0;
      for (const used of this.#now.usage.usedAtSteps(project_ref, instants)) {
        const figures = rows[index];
        if (figures !== undefined) figures[place] = used;
        index += 1;
      }
    }
  }

  /** The use that was known at an instant: without later use, projects that came later and ends that came later. */
  at(at: number): UsageHistory {
    const { usage, endpoints, ...rest } = this.#now;
    const knownFrom = (account: string) => {
      const knownFromAt = usage.knownFrom(account);
      return knownFromAt !== undefined && knownFromAt < at ? knownFromAt : undefined;
    };
    return {
      ...rest,
      usage: {
        projects: usage.projects.flatMap(project => projectAsOf(project, at) ?? []),
        endpointLives: () => usage.endpointLives().flatMap(endpoint => lifeAsOf(endpoint, at) ?? []),
        knownFrom,
        knownUntil: account => (knownFrom(account) === undefined ? undefined : at),
        // Whatever was found out of it later is known now.
        settledUntil: () => at,
        usedUntil: (project_ref, untilAt) => this.#usedUntil(project_ref, Math.min(untilAt, at)),
        boundsAt: (project_ref, untilAt) => usage.boundsAt(project_ref, Math.min(untilAt, at)),
        reconstructedUntil: (project_ref, untilAt) =>
          usage.reconstructedUntil(project_ref, Math.min(untilAt, at)),
        metered: usage.metered && meterAsOf(usage.metered, at),
        unattributedOf: project_ref => usage.unattributedOf(project_ref),
        unattributed: account => usage.unattributed(account).filter(({ untilAt }) => untilAt <= at),
      },
      endpoints: {
        endpoints: (project, sinceAtOf, beforeAt = at) =>
          endpoints.endpoints(project, sinceAtOf, Math.min(beforeAt, at)),
        nameOf: (project, beforeAt) => endpoints.nameOf(project, Math.min(beforeAt, at)),
        remembered: (project, sinceAt, beforeAt) =>
          endpoints.remembered(project, sinceAt, Math.min(beforeAt, at)),
      },
      // Branches are known as they are now.
      branches: { extent: () => 'none', read: () => [] },
      // They are compared as they are now.
      compareLedgers: () => undefined,
      compareAwake: () => undefined,
      reconstruction: (account, beforeAt = at) => this.#reconstruct(account, Math.min(beforeAt, at)),
    };
  }

  #usedUntil(project_ref: number, at: number): number {
    const place = this.#places.get(project_ref);
    if (place === undefined) return 0;
    const figures = this.#figures.get(at) ?? this.#keep(at);
    const known = figures[place] ?? Number.NaN;
    if (!Number.isNaN(known)) return known;
    const used = this.#now.usage.usedUntil(project_ref, at);
    figures[place] = used;
    return used;
  }

  /** By the last whole hour: ledgers are not extended more often by much. */
  #reconstruct(account: string, beforeAt: number): Reconstruction | undefined {
    const at = Math.floor(beforeAt / hourMs) * hourMs;
    const last = this.#reconstructions.get(account);
    if (last?.at === at) return last.found;
    const found = this.#now.reconstruction(account, at);
    this.#reconstructions.set(account, { at, ...(found && { found }) });
    return found;
  }

  #keep(at: number): Float64Array {
    const [oldest] = this.#figures.keys();
    if (oldest !== undefined && this.#figures.size * this.#places.size > mostFigures)
      this.#figures.delete(oldest);
    const figures = new Float64Array(this.#places.size).fill(Number.NaN);
    this.#figures.set(at, figures);
    return figures;
  }
}

/** Metered amounts of the time before an instant, as if they had been told at once. */
function meterAsOf(metered: MeteredLedger, at: number): MeteredLedger {
  return {
    others: metered.others,
    knownSpan: account => {
      const span = metered.knownSpan(account);
      return span && span.fromAt < at ? { ...span, untilAt: Math.min(span.untilAt, at) } : undefined;
    },
    meteredUntil: (project_ref, metric, untilAt) =>
      metered.meteredUntil(project_ref, metric, Math.min(untilAt, at)),
  };
}

/** A project in the life it had then. */
function projectAsOf(project: UsageProject, at: number): UsageProject | undefined {
  const { former, created_at: _created, gone_at: _gone, ...named } = project;
  if (former === undefined) return lifeAsOf(project, at);
  const lives = livesOf(project).flatMap(life => lifeAsOf(life, at) ?? []);
  const life = lives.at(-1);
  return life && { ...named, ...life, former: lives.slice(0, -1) };
}

/** Undefined for what came later; an end that came later was not known. */
function lifeAsOf<Life extends ProjectLife>(life: Life, at: number): Life | undefined {
  if ((life.created_at ?? 0) > at) return undefined;
  if (life.gone_at === undefined || life.gone_at <= at) return life;
  const { gone_at: _later, ...rest } = life;
  return rest as Life;
}
