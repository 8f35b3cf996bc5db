import type { processFamilies } from '../../src/metrics/self/process-family.ts';
import type { selfFamilies } from '../../src/metrics/self/self-family.ts';
import type { accountFamilies } from '../../src/resources/account.ts';
import type { apiKeyFamilies } from '../../src/resources/api-key.ts';
import type { branchFamilies } from '../../src/resources/branch.ts';
import type { endpointFamilies } from '../../src/resources/endpoint.ts';
import type { laterProjectFamilies } from '../../src/resources/later-project.ts';
import type { accountMeterFamilies, projectMeterFamilies } from '../../src/resources/metered.ts';
import type { operationDurationFamilies, operationFamilies } from '../../src/resources/operation.ts';
import type { projectFamilies } from '../../src/resources/project.ts';
import type { accountUsageFamilies } from '../../src/resources/usage/account.ts';
import type { budgetUsageFamilies } from '../../src/resources/usage/budget.ts';
import type {
  accountFindingFamilies,
  endpointFindingFamilies,
  projectFindingFamilies,
} from '../../src/resources/usage/finding.ts';
import type { forecastFamilies } from '../../src/resources/usage/forecast.ts';
import type { groupUsageFamilies } from '../../src/resources/usage/group.ts';
import type {
  accountLedgerFamilies,
  projectLedgerFamilies,
  reconstructionFamilies,
} from '../../src/resources/usage/ledger-drift.ts';
import type { projectUsageFamilies } from '../../src/resources/usage/project.ts';
import { labelList, type Matcher, type Matchers, type Metric, select, type TargetLabel } from '../promql.ts';

type LabelOf<Families extends Readonly<Record<string, { readonly labels: readonly string[] }>>> =
  Families[keyof Families]['labels'][number];

/** Every label any metric is declared with, and the labels of its target. */
export type CatalogLabel =
  | TargetLabel
  | LabelOf<typeof accountFamilies>
  | LabelOf<typeof projectFamilies>
  | LabelOf<typeof laterProjectFamilies>
  | LabelOf<typeof branchFamilies>
  | LabelOf<typeof endpointFamilies>
  | LabelOf<typeof operationFamilies>
  | LabelOf<typeof operationDurationFamilies>
  | LabelOf<typeof apiKeyFamilies>
  | LabelOf<typeof accountMeterFamilies>
  | LabelOf<typeof projectMeterFamilies>
  | LabelOf<typeof accountUsageFamilies>
  | LabelOf<typeof forecastFamilies>
  | LabelOf<typeof reconstructionFamilies>
  | LabelOf<typeof accountLedgerFamilies>
  | LabelOf<typeof projectLedgerFamilies>
  | LabelOf<typeof groupUsageFamilies>
  | LabelOf<typeof projectUsageFamilies>
  | LabelOf<typeof accountFindingFamilies>
  | LabelOf<typeof endpointFindingFamilies>
  | LabelOf<typeof projectFindingFamilies>
  | LabelOf<typeof budgetUsageFamilies>
  | LabelOf<typeof selfFamilies>
  | LabelOf<typeof processFamilies>;

/** Board variables that narrow a query, by the label they narrow. */
const variables = {
  job: '$job',
  instance: '$instance',
  account: '$account',
  project_id: '$project',
  grouping: '$grouping',
} as const;

/** Samples of a metric, narrowed by the variables of the board. */
export function scoped<Label extends string>(
  metric: Metric<Label>,
  matchers?: Matchers<NoInfer<Label>>,
): string {
  return select<string>(metric, { ...scopeOf(metric), ...matchers });
}

/** Increase of a counter over the time range of the board. */
export function increaseInRange<Label extends string>(
  metric: Metric<Label>,
  matchers?: Matchers<NoInfer<Label>>,
): string {
  return `increase(${scoped(metric, matchers)}[$__range])`;
}

/** Growth of a counter within an hour, or a day, before each moment: shorter windows make one start many an hour. */
export function growthIn<Label extends string>(
  window: '1h' | '1d',
  metric: Metric<Label>,
  matchers?: Matchers<NoInfer<Label>>,
): string {
  return `increase(${scoped(metric, matchers)}[${window}])`;
}

/** The series whose counter grew most over the whole time range: the same ones at each of its moments. */
export function mostInRange<Label extends string>(
  count: number,
  metric: Metric<Label>,
  ...by: readonly NoInfer<Label>[]
): string {
  const growth = `increase(${scoped(metric)}[$__range] @ end())`;
  return `topk(${count}, max ${labelList('by', metric, ...by)} (${growth}) > 0)`;
}

/** Per-second rate of a counter. */
export function rate<Label extends string>(
  metric: Metric<Label>,
  matchers?: Matchers<NoInfer<Label>>,
): string {
  return `rate(${scoped(metric, matchers)}[$__rate_interval])`;
}

/** How long ago an instant was, in seconds; not below 0 where the clock of the service is ahead of ours. */
export function age<Label extends string>(
  metric: Metric<Label>,
  matchers?: Matchers<NoInfer<Label>>,
): string {
  return `clamp_min(time() - ${scoped(metric, matchers)}, 0)`;
}

function scopeOf({ labels }: Metric<string>): Record<string, Matcher> {
  const ofTarget = ['job', 'instance'];
  return Object.fromEntries(
    Object.entries(variables)
      .filter(([label]) => ofTarget.includes(label) || labels.includes(label))
      .map(([label, variable]) => [label, { matches: variable }]),
  );
}
