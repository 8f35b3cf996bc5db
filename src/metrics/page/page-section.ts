import type { FamilyGroup } from '../../resources/family.ts';
import { type FamilyPieces, noSubjects, type Subjects } from './family-pieces.ts';
import { GroupPieces } from './group-pieces.ts';
import type { TextBuffer } from './text-buffer.ts';

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
  renew(buffer: TextBuffer): number {
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
      for (const family of group.families) renewed += family.renew(blocks, subjectsOf, buffer);
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
