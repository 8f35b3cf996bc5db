import type { Span } from '../../../resources/duration.ts';
import type { Markup } from '../html.ts';

/** Colours of groups; 0 is of what has no group. */
export type Tone = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;

interface NamedSeries {
  readonly name: string;
  /** The page about it. */
  readonly href?: string;
}

/** Bars one upon the other; what is negative hangs below the line. */
export interface BarSeries extends NamedSeries {
  readonly kind: 'bars';
  /** Absent where it is all that was measured. */
  readonly tone?: Tone | 'failed';
  /** What is expected is hatched. */
  readonly isExpected?: boolean;
  /** By step; null where there is none. */
  readonly values: readonly (string | null)[];
}

/** A value that holds at an instant; epoch milliseconds. */
interface Point {
  readonly at: number;
  readonly value: string;
}

interface LineSeries extends NamedSeries {
  readonly kind: 'line';
  readonly look: 'measured' | 'expected';
  readonly points: readonly Point[];
}

/** Bounds that a value comes out within. */
interface BandSeries extends NamedSeries {
  readonly kind: 'band';
  readonly points: readonly { readonly at: number; readonly low: string; readonly high: string }[];
}

export type ChartSeries = BarSeries | LineSeries | BandSeries;

/** A level that something is not to come above. */
export interface Limit {
  readonly name: string;
  readonly value: string;
  /** What is expected is no limit, and begins where what was measured ends. */
  readonly expectedFromAt?: number;
}

/** A state from one instant until another. */
export interface LaneSpan extends Span {
  readonly kind: 'awake' | 'asleep' | 'unknown';
  /** What stands in it where it is wide enough. */
  readonly words: string;
}

/** Operations that are one mark. */
export interface LaneMark extends Span {
  readonly kind: 'failed' | 'other';
}

/** States and operations of one thing along the time of a chart. */
export interface Lane {
  readonly name: string;
  /** A few words below its name. */
  readonly detail?: string;
  /** When there was such a thing; outside of it nothing is drawn. Absent where there are marks alone. */
  readonly life?: Span;
  /** Absent where there are too many: `columns` has their shares. */
  readonly spans?: readonly LaneSpan[] | undefined;
  /** Percent of equal parts of the time that were awake, and that are not known. */
  readonly columns?: { readonly awake: readonly number[]; readonly unknown: readonly number[] } | undefined;
  /** States that are known less well. */
  readonly faded?: Span | undefined;
  readonly marks: readonly LaneMark[];
  /** Something that goes on since an instant and should have ended. */
  readonly stuck?: readonly (Span & { readonly words: string })[];
  /** What such a stretch is, where it is over. */
  readonly stuckNoun?: string;
  /** What happened in each step of the chart; empty where there was no such thing yet. */
  readonly said: readonly string[];
}

/** A column of a chart: a day, a longer step, or a slice of a timeline. All are as wide. */
export interface ChartStep extends Span {
  /** As it is read: `Sat 21 Nov`. */
  readonly name: string;
  /** A few letters below the axis: `21 Nov`; absent where it needs none. */
  readonly tick?: string;
  /** The page about it. */
  readonly href?: string;
  /** A step that is not over is hatched, and one that is expected has no figures yet. */
  readonly state?: 'running' | 'expected';
  /** Said of a step whose beginning is left out, which is hatched too: `from 22:58`. */
  readonly since?: string;
  /** Sentences on what happened in it. */
  readonly notes?: readonly string[];
}

/** Something that happened at an instant, such as a change of price. */
export interface Annotation {
  readonly at: number;
  readonly words: string;
}

/** A chart of figures or of states against time; every part of it is also in its readings and in its table. */
export interface Chart {
  /** Tells it from others of the page. */
  readonly id: string;
  /** The chart in words, for those who do not see it. */
  readonly label: string;
  readonly steps: readonly ChartStep[];
  readonly series?: readonly ChartSeries[];
  readonly limits?: readonly Limit[];
  readonly lanes?: readonly Lane[];
  readonly annotations?: readonly Annotation[];
  /** Time in which not all was read: what is drawn in it may be too little. */
  readonly unread?: Span | undefined;
  /** Instants that are named below the axis, in place of the steps. */
  readonly ticks?: readonly { readonly at: number; readonly text: string }[];
  /** A decimal as people read it. */
  readonly show?: (decimal: string) => string;
  /** The same with little room, beside the axis. */
  readonly showTick?: (decimal: string) => string;
  /** What the parts of a stack come to, by step. */
  readonly totals?: readonly (string | null)[];
  /** The heading of the first column of the table, such as `day`. */
  readonly stepNoun: string;
  /** In place of the table that is made of the series. */
  readonly table?: Markup;
  /** A small one stands in a list. */
  readonly size?: 'small';
}
