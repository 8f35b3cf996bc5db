import type { BenchRun } from './bench-run.ts';

/** `tiny` shows that a benchmark works, `small` is the default, `full` is what the goals are about. */
export type Size = 'tiny' | 'small' | 'full';

interface Goal {
  /** Whether the value itself or its ratio to the baseline is bounded. */
  readonly of: 'value' | 'ratio';
  readonly atMost?: number;
  readonly atLeast?: number;
}

export interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** `what` of the row it is compared with; the two were measured in turns. */
  readonly ratioTo?: string;
  readonly goal?: Goal;
}

export interface Benchmark {
  readonly name: string;
  /** The goal in one sentence: what exactly is compared with what. */
  readonly goal: string;
  /** Measures; what it starts and writes is taken away by the run. */
  run(size: Size, run: BenchRun): Promise<readonly Row[]>;
}

/** A benchmark with the sizes it is run in. */
export function declareBenchmark<Shape>(declared: {
  readonly name: string;
  readonly goal: string;
  readonly sizes: Readonly<Record<Size, Shape>>;
  readonly run: (shape: Shape, run: BenchRun) => Promise<readonly Row[]>;
}): Benchmark {
  const { name, goal, sizes } = declared;
  return { name, goal, run: (size, run) => declared.run(sizes[size], run) };
}

/** The row's value as a multiple of its baseline's; undefined where there is none to compare with. */
export function ratioOf(row: Row, rows: readonly Row[]): number | undefined {
  const baseline = rows.find(({ what }) => what === row.ratioTo);
  return baseline && row.value / baseline.value;
}

/** Undefined where there is no goal or what it compares with is missing. */
export function isMet(row: Row, rows: readonly Row[]): boolean | undefined {
  const { goal } = row;
  const measured = goal?.of === 'ratio' ? ratioOf(row, rows) : row.value;
  if (goal === undefined || measured === undefined) return undefined;
  const { atMost = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY } = goal;
  return measured <= atMost && measured >= atLeast;
}
