import type { FamilyGroup } from '../../resources/family.ts';
import { renderLabels } from './exposition.ts';
import { FamilyPieces, type Subjects } from './family-pieces.ts';
import { SampleComparison } from './sample-comparison.ts';

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

  /** @param before of the same unit: labels that stayed the same are not made again. */
  subjectsOf(unit: Unit, before: Subjects): Subjects {
    const { labels, labelValues, subjects } = this.#group;
    const items = subjects(unit);
    const isSame =
      items.length === before.items.length &&
      items.every((item, index) => areEqual(labelValues(item), labelValues(before.items[index])));
    return {
      items,
      labels: isSame ? before.labels : items.map(item => renderLabels(labels, labelValues(item))),
    };
  }

  /** Marks the pieces of the block whose lines have changed. */
  markChanges(block: number, before: Subjects, after: Subjects): void {
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
  }
}

function areEqual(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((each, index) => each === others[index]);
}
