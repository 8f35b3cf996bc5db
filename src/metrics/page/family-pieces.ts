import type { Family, HistogramValue } from '../../resources/family.ts';
import { countSamples } from '../../resources/family-selection.ts';
import { sumOf } from '../../resources/sum.ts';
import { escapeLabelValue, type Format, renderHeader, renderHistogram, renderNumber } from './exposition.ts';
import { compress, emptyPiece, type Piece, type Sum, sumUp } from './piece.ts';
import { BlockShare, countWhole } from './series-cap.ts';

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
  render(blocks: number, subjectsOf: (block: number) => readonly Subjects[], buffer: TextBuffer): number {
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

function compressHeader(family: Family<unknown>, format: Format): Piece {
  return compress(Buffer.from(renderHeader(family, format)), 0);
}

/**
 * Turns the samples of one family into lines, subject after subject. The part of a line that never changes is joined
 * once; labels of the scope come rendered, since a subject has the same in every family.
 */
class FamilyText {
  readonly #family: Family<unknown>;
  /** `name{`, and before each label value of the family's own `,label="`. */
  readonly #opening: string;
  readonly #ownOpenings: readonly string[];
  #labels = '';
  #text = '';
  #series = 0;

  constructor(family: Family<unknown>, scopeLabels: number) {
    this.#family = family;
    this.#opening = `${family.name}{`;
    this.#ownOpenings = family.labels.slice(scopeLabels).map(label => `,${label}="`);
  }

  /** Characters that wait to be taken. */
  get length(): number {
    return this.#text.length;
  }

  /** @param labels of the scope, as `renderLabels` gives them. */
  add(subject: unknown, labels: string): void {
    this.#labels = labels;
    if (this.#family.type === 'histogram') this.#family.sample(subject, this.#addHistogram);
    else this.#family.sample(subject, this.#addNumber);
  }

  /** The lines since the last time. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }

  /** How many series were added since the last time. */
  takeSeries(): number {
    const series = this.#series;
    this.#series = 0;
    return series;
  }

  readonly #addNumber = (value: number | undefined, ...own: readonly string[]): void => {
    if (value === undefined) return;
    this.#text += `${this.#opening}${this.#join(own)}} ${renderNumber(value)}\n`;
    this.#series += 1;
  };

  readonly #addHistogram = (value: HistogramValue | undefined, ...own: readonly string[]): void => {
    if (value === undefined || this.#family.type !== 'histogram') return;
    const { name, buckets } = this.#family;
    this.#text += renderHistogram(name, this.#join(own), buckets, value);
    this.#series += buckets.length + 3;
  };

  #join(own: readonly string[]): string {
    let labels = this.#labels;
    for (let index = 0; index < this.#ownOpenings.length; index += 1) {
      labels += `${this.#ownOpenings[index]}${escapeLabelValue(own[index] ?? '')}"`;
    }
    return labels;
  }
}

/** Bytes of text that is written bit by bit; the memory is used again after every `clear`. */
export class TextBuffer {
  #bytes = Buffer.allocUnsafeSlow(65_536);
  #length = 0;

  append(text: string): void {
    // No character of a string takes more than three bytes of UTF-8.
    this.#reserve(text.length * 3);
    this.#length += this.#bytes.write(text, this.#length);
  }

  /** The bytes written so far; valid until the next write. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
