import { stringify } from 'yaml';
import type { Rule, RuleGroup } from '../rules/rule-file.ts';

type AlertRule = Extract<Rule, { alert: string }>;

const header = `# Generated: the alerts of ../rules/dbpm.rules.yml for Grafana's own alerting, for those without an Alertmanager.
# Mount it into /etc/grafana/provisioning/alerting. The data source needs the uid "prometheus", and its Prometheus the
# rule file too: the recording rules in it are what some of these alerts read.
`;
const folder = 'Database projects';
const datasourceUid = 'prometheus';

/** Prometheus decides how often rule files are evaluated; Grafana needs the interval with the rules. */
const interval = '1m';

/**
 * The alerts among these rules as a provisioning file (YAML) of Grafana, version 10 or later. Titles, labels,
 * annotations and times are the same as in the rules.
 */
export function renderGrafanaAlerts(groups: readonly RuleGroup[]): string {
  const grafanaGroups = groups.map(toGrafanaGroup).filter(({ rules }) => rules.length > 0);
  const file = { apiVersion: 1, groups: grafanaGroups };
  return header + stringify(file, { lineWidth: 0, aliasDuplicateObjects: false });
}

function toGrafanaGroup({ name, rules }: RuleGroup) {
  const alerts = rules.filter(rule => 'alert' in rule);
  return { orgId: 1, name, folder, interval, rules: alerts.map(toGrafanaRule) };
}

function toGrafanaRule(rule: AlertRule) {
  return {
    uid: rule.alert,
    title: rule.alert,
    condition: thresholdNode.refId,
    data: [queryNode(rule.expr), presenceNode, thresholdNode],
    noDataState: 'OK',
    execErrState: 'Error',
    for: rule.for,
    ...(rule.keep_firing_for !== undefined && { keepFiringFor: rule.keep_firing_for }),
    missing_series_evals_to_resolve: 1,
    labels: rule.labels,
    annotations: mapValues(rule.annotations, toGrafanaTemplate),
    isPaused: false,
  };
}

function queryNode(expr: string) {
  return {
    refId: 'query',
    relativeTimeRange: { from: 600, to: 0 },
    datasourceUid,
    model: {
      refId: 'query',
      datasource: { type: 'prometheus', uid: datasourceUid },
      editorMode: 'code',
      expr,
      instant: true,
      range: false,
    },
  };
}

/** To Prometheus an alert fires for every sample its expression returns, 0 and NaN included; this makes each a 1. */
const presenceNode = expressionNode('presence', {
  type: 'math',
  expression: 'is_number($query) || is_nan($query) || is_inf($query)',
});

const thresholdNode = expressionNode('threshold', {
  type: 'threshold',
  expression: 'presence',
  conditions: [{ evaluator: { type: 'gt', params: [0] } }],
});

function expressionNode(refId: string, model: object) {
  return {
    refId,
    relativeTimeRange: { from: 0, to: 0 },
    datasourceUid: '__expr__',
    model: { refId, datasource: { type: '__expr__', uid: '__expr__' }, ...model },
  };
}

/** Grafana's `$value` is a text about all nodes; the number Prometheus means is the value of the query. */
function toGrafanaTemplate(text: string): string {
  return text.replaceAll(/\$value\b/g, '$values.query.Value');
}

function mapValues(record: Readonly<Record<string, string>>, map: (value: string) => string) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
