/** A declared metric as a query needs it: its name and its labels, which the compiler then checks. */
export interface Metric<Label extends string> {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly Label[];
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
  return renderSelector(metric.name, matchers ?? {});
}

/** Samples of a part of a histogram: its buckets (which have an upper bound, `le`), sum or count. */
export function selectPart<Label extends string>(
  metric: Metric<Label>,
  part: 'bucket' | 'sum' | 'count',
  matchers?: Matchers<NoInfer<Label> | 'le'>,
): string {
  return renderSelector(`${metric.name}_${part}`, matchers ?? {});
}

/** `by (…)`, `on (…)` or `group_left (…)` over labels that every given metric has; buckets have `le`, too. */
export function labelList<Label extends string>(
  keyword: 'by' | 'without' | 'on' | 'ignoring' | 'group_left' | 'group_right',
  _metric: Metric<Label>,
  ...labels: readonly (NoInfer<Label> | TargetLabel | 'le')[]
): string {
  return `${keyword} (${labels.join(', ')})`;
}

function renderSelector(name: string, matchers: Readonly<Record<string, Matcher | undefined>>): string {
  const rendered = Object.entries(matchers).flatMap(([label, matcher]) =>
    matcher === undefined ? [] : [renderMatcher(label, matcher)],
  );
  return rendered.length === 0 ? name : `${name}{${rendered.join(', ')}}`;
}

function renderMatcher(label: string, matcher: Matcher): string {
  if (typeof matcher === 'string') return `${label}=${JSON.stringify(matcher)}`;
  if ('matches' in matcher) return `${label}=~${JSON.stringify(matcher.matches)}`;
  if ('not' in matcher) return `${label}!=${JSON.stringify(matcher.not)}`;
  return `${label}!~${JSON.stringify(matcher.notMatches)}`;
}
