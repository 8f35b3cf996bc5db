/** A histogram as Prometheus wants it: how many observations were at most each of the family's `buckets`. */
export interface HistogramValue {
  readonly cumulativeCounts: readonly number[];
  readonly count: number;
  readonly sum: number;
}

interface Declaration<Subject, Value> {
  readonly name: string;
  readonly help: string;
  /** All labels in the order of the exposition: those of the scope, then the family's own. */
  readonly labels: readonly string[];
  /** Emits the samples of one subject; an undefined value is a sample that does not exist. */
  sample(
    subject: Subject,
    emit: (value: Value | undefined, ...ownLabelValues: readonly string[]) => void,
  ): void;
}

export type NumberFamily<Subject> = Declaration<Subject, number> & { readonly type: 'gauge' | 'counter' };
export type HistogramFamily<Subject> = Declaration<Subject, HistogramValue> & {
  readonly type: 'histogram';
  /** Upper bounds, rising, without +Inf, in the unit of the name. */
  readonly buckets: readonly number[];
};
/** One metric, declared once: registration, README, dashboards and label checks all follow from it. */
export type Family<Subject> = NumberFamily<Subject> | HistogramFamily<Subject>;

/** A thing that has samples of its own: its labels, where a view has such things, and their label values. */
export interface Scope<View, Subject> {
  readonly labels: readonly string[];
  subjects(view: View): Iterable<Subject>;
  labelValues(subject: Subject): readonly string[];
}

/** Families over the subjects of one scope: all that the page, the README and the dashboards need to know. */
export interface FamilyGroup<View, Subject> extends Scope<View, Subject> {
  readonly families: Readonly<Record<string, Family<Subject>>>;
}

type Sample<Subject, Value> = Declaration<Subject, Value>['sample'];

/** Declares families of subjects that carry these labels before the families' own. */
export function declareFor<Subject>(scopeLabels: readonly string[]) {
  const labels = (own: readonly string[]) => [...scopeLabels, ...own];
  return {
    gauge(name: string, help: string, own: readonly string[], sample: Sample<Subject, number>) {
      return { type: 'gauge', name, help, labels: labels(own), sample } as const;
    },
    counter(name: string, help: string, own: readonly string[], sample: Sample<Subject, number>) {
      return { type: 'counter', name, help, labels: labels(own), sample } as const;
    },
    histogram(
      name: string,
      help: string,
      own: readonly string[],
      buckets: readonly number[],
      sample: Sample<Subject, HistogramValue>,
    ) {
      return { type: 'histogram', name, help, labels: labels(own), buckets, sample } as const;
    },
  };
}

/** An instant in the unit Prometheus wants; absent stays absent. */
export function seconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1000;
}

/** A flag as 0 or 1; absent stays absent. */
export function bit(flag: boolean | undefined): number | undefined {
  return flag === undefined ? undefined : Number(flag);
}
