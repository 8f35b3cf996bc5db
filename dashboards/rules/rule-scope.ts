import { projectFamilies } from '../../src/resources/project.ts';
import { labelList, type Matchers, type Metric, select } from '../promql.ts';

/** Writes the selectors of all rules, within one job. */
export interface RuleScope {
  select<Label extends string>(metric: Metric<Label>, matchers?: Matchers<NoInfer<Label>>): string;
}

/** Rules over the targets of the job of this name. */
export function makeRuleScope(job: string): RuleScope {
  return {
    // The compiler cannot see that a spread of checked matchers is still one.
    select: <Label extends string>(metric: Metric<Label>, matchers?: Matchers<NoInfer<Label>>) =>
      select(metric, { ...matchers, job } as Matchers<NoInfer<Label>>),
  };
}

/** Whether Prometheus could scrape a target: its own metric, not one of ours. */
export const targetUp: Metric<never> = { name: 'up', type: 'gauge', labels: [] };

/** Joins stay within an instance: during a move to another host two of them know the same objects. */
export const onAccount = labelList('on', projectFamilies.info, 'instance', 'account');
export const onProject = labelList('on', projectFamilies.info, 'instance', 'account', 'project_id');

/** The same samples, with the name of their project beside its id. */
export function nameProject(scope: RuleScope, expression: string): string {
  const joined = `${onProject} ${labelList('group_left', projectFamilies.info, 'project_name')}`;
  return `${expression}\n* ${joined} ${scope.select(projectFamilies.info)}`;
}

const units = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const;

/** A duration as Prometheus writes it, for a range, `for` or an offset: `1h30m`; below a millisecond there is none. */
export function renderDuration(seconds: number): string {
  const parts: string[] = [];
  let rest = Math.round(seconds * 1000);
  for (const [unit, size] of units) {
    const count = Math.floor(rest / (size * 1000));
    if (count > 0) parts.push(`${count}${unit}`);
    rest -= count * size * 1000;
  }
  if (rest > 0) parts.push(`${rest}ms`);
  return parts.join('');
}
