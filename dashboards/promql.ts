/** A declared metric as a query needs it: its name and its labels, which the compiler then checks. */
export interface Metric<Label extends string> {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly Label[];
  /** The name it is declared with, where its samples have another. */
  readonly declaredName?: string;
}

/** Labels Prometheus itself adds to every sample of a target, in Kubernetes its operator, and setups of several pairs. */
export type TargetLabel = 'job' | 'instance' | 'pod' | 'pair';

export type Matcher =
  | string
  | { readonly matches: string }
  | { readonly not: string }
  | { readonly notMatches: string };
export type Matchers<Label extends string> = Readonly<Partial<Record<Label | TargetLabel, Matcher>>>;

/** `name{label="value",…}`: samples of a declared metric, by labels it is declared with. */
export function select<Label extends string>(
  metric: Metric<Label>,
  matchers?: Matchers<NoInfer<Label>>,
): string {
  const rendered = Object.entries<Matcher | undefined>(matchers ?? {}).flatMap(([label, matcher]) =>
    matcher === undefined ? [] : [renderMatcher(label, matcher)],
  );
  return rendered.length === 0 ? metric.name : `${metric.name}{${rendered.join(', ')}}`;
}

/** The buckets of a histogram, each with its upper bound, as a metric to be queried. */
export function bucketsOf<Label extends string>(metric: Metric<Label>): Metric<Label | 'le'> {
  const name = `${metric.name}_bucket`;
  return { ...metric, name, declaredName: metric.name, labels: [...metric.labels, 'le'] };
}

/** `by (…)`, `on (…)` or `group_left (…)` over labels that the metric has. */
export function labelList<Label extends string>(
  keyword: 'by' | 'without' | 'on' | 'ignoring' | 'group_left' | 'group_right',
  _metric: Metric<Label>,
  ...labels: readonly (NoInfer<Label> | TargetLabel)[]
): string {
  return `${keyword} (${labels.join(', ')})`;
}

function renderMatcher(label: string, matcher: Matcher): string {
  if (typeof matcher === 'string') return `${label}=${JSON.stringify(matcher)}`;
  if ('matches' in matcher) return `${label}=~${JSON.stringify(matcher.matches)}`;
  if ('not' in matcher) return `${label}!=${JSON.stringify(matcher.not)}`;
  return `${label}!~${JSON.stringify(matcher.notMatches)}`;
}
