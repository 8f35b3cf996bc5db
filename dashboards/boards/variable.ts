import * as dashboard from '@grafana/grafana-foundation-sdk/dashboard';
import { currencyDecimals } from '../../src/cost/money/money.ts';
import { selfFamilies } from '../../src/metrics/self/self-family.ts';
import { accountFamilies } from '../../src/resources/account.ts';
import { projectFamilies } from '../../src/resources/project.ts';
import { accountUsageFamilies } from '../../src/resources/usage/account.ts';
import { groupUsageFamilies } from '../../src/resources/usage/group.ts';
import { type Matchers, type Metric, select, type TargetLabel } from '../promql.ts';
import { datasource } from './panel.ts';

const target = { job: { matches: '$job' }, instance: { matches: '$instance' } } as const;

/** The Prometheus that is asked; everything else follows from it. */
export function datasourceVariable() {
  return new dashboard.DatasourceVariableBuilder('datasource').label('Data source').type('prometheus');
}

export function jobVariable() {
  return choice('job', 'Job', labelValues(selfFamilies.buildInfo, {}, 'job'));
}

export function instanceVariable() {
  return choice('instance', 'Instance', labelValues(selfFamilies.buildInfo, { job: target.job }, 'instance'));
}

export function accountVariable() {
  return choice('account', 'Account', labelValues(accountFamilies.up, target, 'account'));
}

/** A variable chosen by name and used by id: names are not unique and may change. */
export function projectVariable({ single }: { readonly single: boolean }) {
  const projects = select(projectFamilies.info, { ...target, account: { matches: '$account' } });
  const make = single ? query : choice;
  return make('project', 'Project', `query_result(${projects})`).regex(
    `/${labelPattern(projectFamilies.info, 'project_id', 'value')}.*${labelPattern(projectFamilies.info, 'project_name', 'text')}/`,
  );
}

/** Groups of one grouping add up to the whole; groups of several do not. */
export function groupingVariable() {
  const { periodComputeSeconds } = groupUsageFamilies;
  const matchers = { ...target, account: { matches: '$account' } };
  return query('grouping', 'Grouping', labelValues(periodComputeSeconds, matchers, 'grouping'));
}

/**
 * The least amount of the currency that is shown: 0.01, or 1 of yen, or 0.001 of dinars. It follows from the data and is
 * not chosen. Of several currencies it is the smallest.
 */
export function centVariable() {
  const costs = (matchers: { readonly currency?: { readonly matches: string } }) =>
    select(accountUsageFamilies.periodCost, { ...target, account: { matches: '$account' }, ...matchers });
  const ofDecimals = (decimals: number) =>
    costs({ currency: { matches: listCurrencies(decimals).join('|') } });
  const cents = `1 + 0 * ${ofDecimals(0)} or 0.001 + 0 * ${ofDecimals(3)} or 0.01 + 0 * ${costs({})}`;
  return query('cent', 'Least amount', `query_result(min(${cents}) or vector(0.01))`)
    .definition('')
    .regex('/ (\\S+) \\S+$/')
    .hide(dashboard.VariableHide.HideVariable);
}

function listCurrencies(decimals: number): readonly string[] {
  return Intl.supportedValuesOf('currency').filter(currency => currencyDecimals(currency) === decimals);
}

/** The pattern by which Grafana takes the `value` or the `text` of an option from a label of a sample. */
function labelPattern<Label extends string>(_metric: Metric<Label>, label: NoInfer<Label>, group: string) {
  return `${label}="(?<${group}>[^"]*)"`;
}

function choice(name: string, label: string, text: string) {
  return query(name, label, text)
    .multi(true)
    .includeAll(true)
    .allValue('.+')
    .current({ selected: true, text: ['All'], value: ['$__all'] });
}

function query(name: string, label: string, text: string) {
  return new dashboard.QueryVariableBuilder(name)
    .label(label)
    .datasource(datasource)
    .query(text)
    .definition(text)
    .refresh(dashboard.VariableRefresh.OnTimeRangeChanged)
    .sort(dashboard.VariableSort.AlphabeticalAsc);
}

function labelValues<Label extends string>(
  metric: Metric<Label>,
  matchers: Matchers<NoInfer<Label>>,
  label: NoInfer<Label> | TargetLabel,
): string {
  return `label_values(${select(metric, matchers)}, ${label})`;
}
