import { stringify } from 'yaml';

/** A rule file of Prometheus, as far as its alerts go; recording rules have no `alert`. */
export interface RuleFile {
  readonly groups: readonly RuleGroup[];
}

export interface RuleGroup {
  readonly name: string;
  readonly interval?: string;
  readonly rules: readonly Rule[];
}

export interface Rule {
  readonly alert?: string;
  readonly expr: string;
  readonly for?: string;
  readonly keep_firing_for?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

const header = `# Generated: the alerts of ../rules/dbpm.rules.yml for Grafana's own alerting, for those without an Alertmanager.
# Mount it into /etc/grafana/provisioning/alerting. The data source needs the uid "prometheus", and its Prometheus the
# rule file too: the recording rules in it are what some of these alerts read.
`;
const folder = 'Database projects';
const datasourceUid = 'prometheus';

/** Prometheus evaluates every minute by default, Grafana only as told. */
const defaultInterval = '1m';

/**
 * The alerts of a rule file as a provisioning file (YAML) of Grafana, version 10 or later. Titles, labels, annotations
 * and times are the same.
 */
export function renderGrafanaAlerts({ groups }: RuleFile): string {
  const file = {
    apiVersion: 1,
    groups: groups.map(toGrafanaGroup).filter(({ rules }) => rules.length > 0),
  };
  return header + stringify(file, { lineWidth: 0 });
}

function toGrafanaGroup({ name, interval = defaultInterval, rules }: RuleGroup) {
  return {
    orgId: 1,
    name,
    folder,
    interval,
    rules: rules.flatMap(rule => (rule.alert === undefined ? [] : [toGrafanaRule(rule.alert, rule)])),
  };
}

function toGrafanaRule(title: string, rule: Rule) {
  return {
    uid: title,
    title,
    condition: 'threshold',
    data: [queryNode(rule.expr), presenceNode, thresholdNode],
    noDataState: 'OK',
    execErrState: 'Error',
    for: rule.for ?? '0s',
    ...(rule.keep_firing_for !== undefined && { keepFiringFor: rule.keep_firing_for }),
    missing_series_evals_to_resolve: 1,
    labels: rule.labels ?? {},
    annotations: mapValues(rule.annotations ?? {}, toGrafanaTemplate),
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
