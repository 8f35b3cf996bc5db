import { SubjectTracks, type Track } from '../../metrics/page/backfill-track.ts';
import type { ViewAsOf } from '../../report/usage-view/view-as-of.ts';
import { type InstantRow, listInstants, type SeriesName } from '../../resources/backfill.ts';
import type { Family } from '../../resources/family.ts';
import type { UsageGroup } from '../../resources/usage/catalog.ts';
import type { UsageView } from '../../resources/usage/view.ts';

/** A family of use and cost, and the series it has by subject. */
interface FamilyTracks {
  readonly group: UsageGroup;
  readonly family: Family<unknown>;
  readonly subjects: Map<string, SubjectTracks>;
}

/** Series of use, cost, budgets and forecasts at some instants: one view of them all is worked out for each. */
export class UsageBackfill {
  readonly #views: ViewAsOf;
  readonly #constant: SeriesName['labels'];
  readonly #families: readonly FamilyTracks[];

  /**
   * @param groups the families that are shown.
   * @param constant labels that all series share.
   */
  constructor(views: ViewAsOf, groups: readonly UsageGroup[], constant: SeriesName['labels']) {
    this.#views = views;
    this.#constant = constant;
    this.#families = groups.flatMap(group =>
      Object.values(group.families).map(family => ({ group, family, subjects: new Map() })),
    );
  }

  /** Works out the views at all instants, and gives the part that is done after each, 0 to 1. */
  *workOut(rows: readonly InstantRow[]): Generator<number> {
    const count = rows.reduce((sum, row) => sum + row.count, 0);
    let before: UsageView | undefined;
    let index = 0;
    for (const row of rows) {
      this.#views.prepare(row);
      for (const at of listInstants(row)) {
        const view = this.#views.viewAt(at);
        if (view !== before) this.#put(index, view);
        before = view;
        index += 1;
        yield index / count;
      }
    }
  }

  /** The series of a family; none before they are worked out. */
  *tracks(family: Family<unknown>): Generator<Track> {
    const found = this.#families.find(each => each.family === family);
    for (const tracks of found?.subjects.values() ?? []) yield* tracks;
  }

  #put(index: number, view: UsageView | undefined): void {
    for (const { group, family, subjects } of this.#families) {
      const shown = new Map(
        (view === undefined ? [] : group.subjects(view)).map(subject => [keyOf(group, subject), subject]),
      );
      for (const key of shown.keys()) {
        if (!subjects.has(key)) subjects.set(key, this.#open(group, family));
      }
      for (const [key, tracks] of subjects) tracks.put(index, shown.get(key));
    }
  }

  #open(group: UsageGroup, family: Family<unknown>): SubjectTracks {
    return new SubjectTracks(family, {
      values: subject => group.labelValues(subject),
      constant: this.#constant,
    });
  }
}

function keyOf(group: UsageGroup, subject: unknown): string {
  return JSON.stringify(group.labelValues(subject));
}
