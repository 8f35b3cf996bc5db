import type { FamilyGroup } from '../../resources/family.ts';
import { renderLabels } from './exposition.ts';
import { FamilyPieces, type Subjects } from './family-pieces.ts';
import { SampleComparison } from './sample-comparison.ts';

export const noSubjects: Subjects = { items: [], labels: [] };

/** The families of a group on the page, with the pieces that a change of one unit concerns. */
export class GroupPieces<Unit> {
  readonly #group: FamilyGroup<Unit, unknown>;
  readonly families: readonly FamilyPieces[];
  readonly #comparison = new SampleComparison();

  /** @param seriesLimit the most series each of its families may have; 0 for no limit. */
  constructor(group: FamilyGroup<Unit, unknown>, seriesLimit: number) {
    this.#group = group;
    this.families = Object.values(group.families).map(
      family => new FamilyPieces(family, group.labels.length, seriesLimit),
    );
  }

  /** @param before of the same unit: labels that stayed the same are not kept twice. */
  subjectsOf(unit: Unit, before: Subjects): Subjects {
    const items = this.#group.subjects(unit);
    const labels = items.map(item => renderLabels(this.#group.labels, this.#group.labelValues(item)));
    return { items, labels: areEqual(labels, before.labels) ? before.labels : labels };
  }

  /**
   * Marks the pieces of the block whose lines have changed.
   *
   * @returns whether there are any.
   */
  markChanges(block: number, before: Subjects, after: Subjects): boolean {
    const changed = this.families.filter(({ family }) => {
      if (before.labels !== after.labels) {
        return (
          this.#comparison.hasSamples(family, before.items) ||
          this.#comparison.hasSamples(family, after.items)
        );
      }
      return after.items.some(
        (item, index) =>
          item !== before.items[index] && this.#comparison.differs(family, before.items[index], item),
      );
    });
    for (const family of changed) family.mark(block);
    return changed.length > 0;
  }
}

function areEqual(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((each, index) => each === others[index]);
}
