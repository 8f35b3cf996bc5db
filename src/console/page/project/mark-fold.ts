import type { Span } from '../../../resources/duration.ts';

/** Kinds of operations that have marks of their own. */
export const markKinds = ['start', 'suspend', 'other', 'failed'] as const;
export type MarkKind = (typeof markKinds)[number];

/** How many operations of each kind there were in equal slices of a stretch of time. */
export type SliceCounts = Readonly<Record<MarkKind, number[]>>;

/** Operations of one kind that are drawn as one mark. */
export interface Mark extends Span {
  readonly kind: MarkKind;
  readonly count: number;
  readonly actions: readonly string[];
}

/** The most actions that a mark names. */
const mostActions = 5;

interface FoldingMark extends Mark {
  fromAt: number;
  untilAt: number;
  count: number;
  actions: string[];
}

type Columns = Map<number, FoldingMark>;

/** The kind of an operation that did not fail. */
export function kindOf(action: string): MarkKind {
  if (action === 'start_compute') return 'start';
  return action === 'suspend_compute' ? 'suspend' : 'other';
}

/** Adds up operations on one axis: one mark stands for all that would overlap. */
export class MarkFold {
  readonly #fromAt: number;
  readonly #columnMs: number;
  readonly #columns: number;
  readonly #sliceMs: number;
  readonly #kinds: Readonly<Record<MarkKind, Columns>> = {
    ...{ start: new Map(), suspend: new Map(), other: new Map(), failed: new Map() },
  };
  /** Marks may stand for several slices: these count what each of them has. */
  readonly counts: SliceCounts;

  constructor({ fromAt, untilAt }: Span, columns: number, slices: number) {
    this.#fromAt = fromAt;
    this.#columnMs = (untilAt - fromAt) / columns;
    this.#columns = columns;
    this.#sliceMs = (untilAt - fromAt) / slices;
    const none = () => Array.from({ length: slices }, () => 0);
    this.counts = { start: none(), suspend: none(), other: none(), failed: none() };
  }

  add(kind: MarkKind, at: number, action: string): void {
    const counts = this.counts[kind];
    const slice = Math.min(counts.length - 1, Math.floor((at - this.#fromAt) / this.#sliceMs));
    counts[slice] = (counts[slice] ?? 0) + 1;
    const column = Math.min(this.#columns - 1, Math.floor((at - this.#fromAt) / this.#columnMs));
    join(this.#kinds[kind], column, { kind, fromAt: at, untilAt: at, count: 1, actions: [action] });
  }

  /** @param most of each kind; where there are more, they are folded into as many equal parts of the axis. */
  marks(most: number): readonly Mark[] {
    return markKinds.flatMap(kind => {
      const columns = this.#kinds[kind];
      const parts: Columns = columns.size <= most ? columns : new Map();
      if (parts !== columns)
        for (const [column, mark] of columns) join(parts, Math.floor((column * most) / this.#columns), mark);
      return [...parts.values()].sort((a, b) => a.fromAt - b.fromAt);
    });
  }
}

function join(columns: Columns, column: number, mark: Mark): void {
  const known = columns.get(column);
  if (known === undefined) {
    columns.set(column, { ...mark, actions: [...mark.actions] });
    return;
  }
  known.fromAt = Math.min(known.fromAt, mark.fromAt);
  known.untilAt = Math.max(known.untilAt, mark.untilAt);
  known.count += mark.count;
  for (const action of mark.actions)
    if (known.actions.length < mostActions && !known.actions.includes(action)) known.actions.push(action);
}

/** The marks of several folds, folded as far as it takes that they are not too many together. */
export function foldTogether(folds: readonly MarkFold[], most: number): readonly (readonly Mark[])[] {
  for (let parts = 120; ; parts = Math.floor(parts / 1.25)) {
    const marks = folds.map(fold => fold.marks(parts));
    if (parts <= 8 || marks.reduce((sum, each) => sum + each.length, 0) <= most) return marks;
  }
}
