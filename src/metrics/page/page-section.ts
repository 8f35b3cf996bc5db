import type { Family, FamilyGroup, HistogramValue } from '../../resources/family.ts';
import { renderLabels } from './exposition.ts';
import { FamilyPieces, noSubjects, type Subjects, type TextBuffer } from './family-pieces.ts';

interface Occupant {
  readonly place: number;
  /** By group. */
  subjects: readonly Subjects[];
}

/**
 * The part of the page that is over units of one kind, all accounts or all projects. Each unit stands at a place; so
 * many consecutive places are a block, and a family's lines of a block are one piece, made anew when one changes.
 */
export class PageSection<Unit> {
  readonly #groups: GroupPieces<Unit>[] = [];
  readonly #placesPerBlock: number;
  readonly #occupants = new Map<string, Occupant>();
  readonly #places: (Occupant | undefined)[] = [];
  readonly #holes: number[] = [];

  constructor(placesPerBlock: number) {
    this.#placesPerBlock = placesPerBlock;
  }

  /** Call it before the first unit is put. */
  addGroup(group: FamilyGroup<Unit, unknown>, seriesLimit: number): readonly FamilyPieces[] {
    const pieces = new GroupPieces(group, seriesLimit);
    this.#groups.push(pieces);
    return pieces.families;
  }

  keys(): readonly string[] {
    return [...this.#occupants.keys()];
  }

  /** @param unit undefined takes it away. */
  put(key: string, unit: Unit | undefined): void {
    if (unit === undefined) {
      this.#remove(key);
      return;
    }
    const occupant = this.#occupants.get(key) ?? this.#add(key);
    const { subjects } = occupant;
    this.#change(
      occupant,
      this.#groups.map((group, index) => group.subjectsOf(unit, subjects[index] ?? noSubjects)),
    );
  }

  /** @returns how many pieces are others now. */
  render(buffer: TextBuffer): number {
    const blocks = Math.ceil(this.#places.length / this.#placesPerBlock);
    let renewed = 0;
    for (const [index, group] of this.#groups.entries()) {
      const known = new Map<number, readonly Subjects[]>();
      // The families of a group mostly change in the same blocks.
      const subjectsOf = (block: number) => {
        const subjects = known.get(block) ?? this.#subjectsIn(block, index);
        known.set(block, subjects);
        return subjects;
      };
      for (const family of group.families) renewed += family.render(blocks, subjectsOf, buffer);
    }
    return renewed;
  }

  #subjectsIn(block: number, group: number): readonly Subjects[] {
    const start = block * this.#placesPerBlock;
    return this.#places
      .slice(start, start + this.#placesPerBlock)
      .map(occupant => occupant?.subjects[group] ?? noSubjects);
  }

  #remove(key: string): void {
    const occupant = this.#occupants.get(key);
    if (occupant === undefined) return;
    this.#change(
      occupant,
      this.#groups.map(() => noSubjects),
    );
    this.#occupants.delete(key);
    this.#places[occupant.place] = undefined;
    this.#holes.push(occupant.place);
  }

  #add(key: string): Occupant {
    const place = this.#holes.pop() ?? this.#places.length;
    const occupant = { place, subjects: [] };
    this.#occupants.set(key, occupant);
    this.#places[place] = occupant;
    return occupant;
  }

  #change(occupant: Occupant, subjects: readonly Subjects[]): void {
    const block = this.#blockOf(occupant.place);
    for (const [index, group] of this.#groups.entries()) {
      group.markChanges(block, occupant.subjects[index] ?? noSubjects, subjects[index] ?? noSubjects);
    }
    occupant.subjects = subjects;
  }

  #blockOf(place: number): number {
    return Math.floor(place / this.#placesPerBlock);
  }
}

/** The families of a group on the page, with the pieces that a change of one unit concerns. */
class GroupPieces<Unit> {
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

/**
 * Finds whether a family has other samples now than before: cheaper than rendering both. It is asked of every family
 * of everything that is read, so that it makes no functions and no lists of its own.
 */
class SampleComparison {
  /** Values and label values of all samples there were, one after the other; `#noted` of them count. */
  readonly #before: unknown[] = [];
  #noted = 0;
  #position = 0;
  #differs = false;

  differs(family: Family<unknown>, before: unknown, after: unknown): boolean {
    this.#noted = 0;
    this.#position = 0;
    this.#differs = false;
    if (family.type === 'histogram') {
      family.sample(before, this.#noteHistogram);
      family.sample(after, this.#compareHistogram);
    } else {
      family.sample(before, this.#noteNumber);
      family.sample(after, this.#compareNumber);
    }
    return this.#differs || this.#position !== this.#noted;
  }

  /** Whether the family has any sample of one of the subjects. */
  hasSamples(family: Family<unknown>, subjects: readonly unknown[]): boolean {
    this.#noted = 0;
    for (const subject of subjects) {
      if (family.type === 'histogram') family.sample(subject, this.#noteHistogram);
      else family.sample(subject, this.#noteNumber);
    }
    return this.#noted > 0;
  }

  readonly #noteNumber = (value: number | undefined, ...own: readonly string[]): void => {
    if (value === undefined) return;
    this.#note(value);
    for (let index = 0; index < own.length; index += 1) this.#note(own[index]);
  };

  readonly #noteHistogram = (value: HistogramValue | undefined, ...own: readonly string[]): void => {
    if (value !== undefined) for (const part of listParts(value, own)) this.#note(part);
  };

  readonly #compareNumber = (value: number | undefined, ...own: readonly string[]): void => {
    if (value === undefined) return;
    this.#compare(value);
    for (let index = 0; index < own.length; index += 1) this.#compare(own[index]);
  };

  readonly #compareHistogram = (value: HistogramValue | undefined, ...own: readonly string[]): void => {
    if (value !== undefined) for (const part of listParts(value, own)) this.#compare(part);
  };

  #note(part: unknown): void {
    this.#before[this.#noted] = part;
    this.#noted += 1;
  }

  #compare(part: unknown): void {
    if (!Object.is(part, this.#before[this.#position])) this.#differs = true;
    this.#position += 1;
  }
}

function listParts(
  { cumulativeCounts, count, sum }: HistogramValue,
  own: readonly string[],
): readonly unknown[] {
  return [...cumulativeCounts, count, sum, ...own];
}
