import type { Collector } from './collector.ts';

/** A histogram as Prometheus wants it: how many observations were at most each of the family's `buckets`. */
export interface HistogramValue {
  readonly cumulativeCounts: readonly number[];
  readonly count: number;
  readonly sum: number;
}

/** The options of a family. */
interface Variation<Subject, Value> {
  /** Readings it comes from besides those of its group: it exists while one of them is made. */
  readonly fedBy?: readonly Collector[];
  /**
   * Whether it comes from fields that only later versions of the service have: without samples the page does not name it,
   * and stays what it is for a service of the specification.
   */
  readonly isOptional?: true;
  /** How it is sampled in compact mode, where that differs; the boards and rules work with either. */
  readonly whenCompact?: 'omit' | Compaction<Subject, Value>;
}

interface Compaction<Subject, Value> {
  sample(subject: Subject, emit: Emit<Value>): void;
  /** The metric that shows what is then missing: while that one is left out, this one is sampled in full. */
  readonly given?: string;
}

/** Takes one sample; an undefined value is a sample that does not exist. */
export type Emit<Value = number> = (value: Value | undefined, ...ownLabelValues: readonly string[]) => void;

interface Declaration<Subject, Value, Label extends string> extends Variation<Subject, Value> {
  readonly name: string;
  readonly help: string;
  /** All labels in the order of the exposition: those of the scope, then the family's own. */
  readonly labels: readonly Label[];
  /** Emits the samples of one subject. */
  sample(subject: Subject, emit: Emit<Value>): void;
}

type NumberFamily<Subject, Label extends string = string> = Declaration<Subject, number, Label> & {
  readonly type: 'gauge' | 'counter';
};
type HistogramFamily<Subject, Label extends string = string> = Declaration<Subject, HistogramValue, Label> & {
  readonly type: 'histogram';
  /** Upper bounds, rising, without +Inf, in the unit of the name. */
  readonly buckets: readonly number[];
};
/** One metric, declared once: registration, documents, dashboards and label checks all follow from it. */
export type Family<Subject, Label extends string = string> =
  | NumberFamily<Subject, Label>
  | HistogramFamily<Subject, Label>;

/** A thing that has samples of its own: its labels, where a unit has such things, and their label values. */
export interface LabelScope<Unit, Subject> {
  readonly labels: readonly string[];
  /** Different for every subject of a unit. */
  labelValues(subject: Subject): readonly string[];
  subjects(unit: Unit): readonly Subject[];
}

/** Families over the subjects of one scope: all that the page, the documents and the dashboards need to know. */
export interface FamilyGroup<Unit, Subject> extends LabelScope<Unit, Subject> {
  readonly families: Readonly<Record<string, Family<Subject>>>;
  /** Readings its families come from: they exist while one of them is made; absent where they always do. */
  readonly fedBy?: readonly Collector[];
}

type Sample<Subject, Value> = Declaration<Subject, Value, string>['sample'];

/**
 * Declares families of subjects: `declareFor<Subject>()(labels)`, the labels that stand before the families' own. One without labels
 * of its own has at most one sample of a subject: the value that is read from it.
 */
export function declareFor<Subject>() {
  return <const Scoped extends readonly string[]>(scopeLabels: Scoped) => {
    type Labels<Own extends readonly string[]> = readonly (Scoped | Own)[number][];
    const declare =
      <Type extends 'gauge' | 'counter'>(type: Type) =>
      <const Own extends readonly string[]>(
        name: string,
        help: string,
        own: Own,
        sample: Sample<Subject, number>,
        variation: Variation<Subject, number> = {},
      ) => {
        const labels: Labels<Own> = [...scopeLabels, ...own];
        return { type, name, help, labels, sample, ...variation } as const;
      };
    const declareOne =
      <Type extends 'gauge' | 'counter'>(type: Type) =>
      (
        name: string,
        help: string,
        read: (subject: Subject) => number | undefined,
        variation: Variation<Subject, number> = {},
      ) =>
        declare(type)(name, help, [], (subject, emit) => emit(read(subject)), variation);
    return {
      gauge: declareOne('gauge'),
      gaugeBy: declare('gauge'),
      counter: declareOne('counter'),
      counterBy: declare('counter'),
      histogram<const Own extends readonly string[]>(
        name: string,
        help: string,
        own: Own,
        buckets: readonly number[],
        sample: Sample<Subject, HistogramValue>,
      ) {
        const labels: Labels<Own> = [...scopeLabels, ...own];
        return { type: 'histogram', name, help, labels, buckets, sample } as const;
      },
    };
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

/** A flag as 1; absent where it is not set. */
export function bitIfSet(flag: boolean | undefined): number | undefined {
  return flag ? 1 : undefined;
}

/** Labels that say whose a sample is, from the outermost on; the families' own labels follow. */
export const accountLabels = ['account'] as const;
export const projectLabels = ['account', 'project_id'] as const;
export const endpointLabels = ['account', 'project_id', 'endpoint_id'] as const;
export const apiKeyLabels = ['account', 'key_id'] as const;
export const groupLabels = ['account', 'grouping', 'group'] as const;
export const endpointFindingLabels = ['account', 'project_id', 'endpoint_id', 'finding'] as const;
export const projectFindingLabels = ['account', 'project_id', 'finding'] as const;
/** Budgets reach over accounts: their names are their own. */
export const budgetLabels = ['budget'] as const;

/** How samples are told apart of things there is one of in each account. */
export const ofAccount = {
  labels: accountLabels,
  labelValues: ({ account }: { readonly account: string }) => [account],
};
/** Likewise, in each project. */
export const ofProject = {
  labels: projectLabels,
  labelValues: ({ account, project_id }: { readonly account: string; readonly project_id: string }) => [
    account,
    project_id,
  ],
};
