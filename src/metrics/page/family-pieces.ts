import type { Family } from '../../resources/family.ts';
import { countSamples } from '../../resources/series/sample-count.ts';
import { BlockShare } from './block-share.ts';
import { type Format, renderHeader } from './exposition.ts';
import { FamilyText } from './family-text.ts';
import { compress, emptyPiece, type Piece, type Sum, sumUp } from './piece.ts';
import { countWhole } from './series-cap.ts';
import type { TextBuffer } from './text-buffer.ts';

/** Subjects of a group, each with the labels it has in all families of the group. */
export interface Subjects {
  readonly items: readonly unknown[];
  /** As `renderLabels` gives them. */
  readonly labels: readonly string[];
}

export const noSubjects: Subjects = { items: [], labels: [] };

const flushLength = 32_768;

/** A family on the page: a header, then a piece for each block of places. Marked pieces are made anew. */
export class FamilyPieces {
  readonly family: Family<unknown>;
  readonly #headers: Readonly<Record<Format, Piece>>;
  readonly #text: FamilyText;
  /** Blocks with other lines than before. */
  readonly #marked = new Set<number>();
  readonly #pieces: Piece[] = [];
  readonly #shares: BlockShare;
  #sum = sumUp([]);

  /** @param limit the most series it may have; 0 for no limit. */
  constructor(family: Family<unknown>, scopeLabels: number, limit: number) {
    this.family = family;
    this.#shares = new BlockShare(limit);
    this.#headers = {
      text: compressHeader(family, 'text'),
      openmetrics: compressHeader(family, 'openmetrics'),
    };
    this.#text = new FamilyText(family, scopeLabels);
  }

  /** Whether there is anything of it on the page. */
  get isShown(): boolean {
    return this.family.isOptional !== true || this.#sum.series > 0;
  }

  header(format: Format): Piece {
    return this.isShown ? this.#headers[format] : emptyPiece;
  }

  /** By block. */
  get pieces(): readonly Piece[] {
    return this.#pieces;
  }

  /** The sum of the pieces. */
  get sum(): Sum {
    return this.#sum;
  }

  /** How many series the limit keeps off the page. */
  get missing(): number {
    return Math.max(0, this.#shares.wanted - this.#sum.series);
  }

  mark(block: number): void {
    this.#marked.add(block);
  }

  /**
   * @param blocks how many there are now.
   * @param subjectsOf what stands in a block now, by place.
   * @returns how many pieces are others now.
   */
  renew(blocks: number, subjectsOf: (block: number) => readonly Subjects[], buffer: TextBuffer): number {
    const marked = [...this.#marked].filter(block => block < blocks);
    this.#marked.clear();
    const dropped = Math.max(this.#pieces.length - blocks, 0);
    if (marked.length === 0 && this.#pieces.length === blocks) return 0;
    while (this.#pieces.length < blocks) this.#pieces.push(emptyPiece);
    this.#pieces.length = blocks;
    const others = this.#shares.renew(blocks, marked, block => sumOf(this.#count(subjectsOf(block))));
    for (const block of others) {
      this.#pieces[block] = this.#make(subjectsOf(block), this.#shares.of(block), buffer);
    }
    this.#sum = sumUp(this.#pieces);
    return others.length + dropped;
  }

  /** How many samples each subject of a block has. */
  #count(block: readonly Subjects[]): readonly number[] {
    return block.flatMap(({ items }) => items.map(item => countSamples(this.family, item)));
  }

  #make(block: readonly Subjects[], share: number, buffer: TextBuffer): Piece {
    let left = Number.isFinite(share) ? countWhole(share, this.#count(block)) : share;
    buffer.clear();
    for (const { items, labels } of block) {
      for (let index = 0; index < items.length && left > 0; index += 1, left -= 1) {
        this.#text.add(items[index], labels[index] ?? '');
      }
      // Joined strings are flattened when they are written: in small portions that is cheap.
      if (this.#text.length > flushLength) buffer.append(this.#text.take());
    }
    buffer.append(this.#text.take());
    return compress(buffer.bytes(), this.#text.takeSeries());
  }
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

function compressHeader(family: Family<unknown>, format: Format): Piece {
  return compress(Buffer.from(renderHeader(family, format)), 0);
}
