import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { renderGrafanaAlerts } from '../../dashboards/grafana-alerts/grafana-alert.ts';

const read = (path: string) =>
  parse(readFileSync(new URL(`../../dashboards/${path}`, import.meta.url), 'utf8'));

interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly keep_firing_for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

interface GrafanaRule extends Omit<AlertRule, 'alert' | 'expr'> {
  readonly uid: string;
  readonly title: string;
  readonly condition: string;
  readonly data: readonly {
    readonly refId: string;
    readonly datasourceUid: string;
    readonly model: Readonly<Record<string, unknown>>;
  }[];
  readonly keepFiringFor?: string;
}

const grafana: {
  readonly apiVersion: number;
  readonly groups: readonly { readonly interval: string; readonly rules: readonly GrafanaRule[] }[];
} = read('grafana-alerts/dbpm.alerts.yml');
const grafanaRules = grafana.groups.flatMap(({ rules }) => rules);
const alerts: readonly AlertRule[] = read('rules/dbpm.rules.yml').groups.flatMap(
  ({ rules }: { rules: readonly object[] }) => rules.filter(rule => 'alert' in rule),
);

/** Functions that templates of Prometheus and of Grafana both have. */
const sharedFunctions = new Set([
  'humanize',
  'humanizeDuration',
  'humanizePercentage',
  'humanizeTimestamp',
  'urlquery',
  'printf "%.0f%%"',
  'printf "%.1f"',
  'printf "%.2f"',
]);

test('Grafana is provisioned with every alert of the rule file, and with nothing else', () => {
  expect(grafana.apiVersion).toBe(1);
  expect(grafanaRules.map(({ title }) => title)).toEqual(alerts.map(({ alert }) => alert));
});

test.each(alerts)('$alert asks, waits and says in Grafana what it does in Prometheus', alert => {
  const rule = grafanaRules.find(({ title }) => title === alert.alert);
  expect(rule).toMatchObject({ for: alert.for, labels: alert.labels });
  expect(rule?.keepFiringFor).toBe(alert.keep_firing_for);
  expect(rule?.data[0]?.model).toMatchObject({ expr: alert.expr, instant: true });
  expect(rule?.annotations.summary).toBe(
    alert.annotations.summary?.replaceAll('$value', '$values.query.Value'),
  );
  expect(rule?.annotations.runbook_url).toBe(alert.annotations.runbook_url);
});

test.each(grafanaRules)(
  '$title is a chain of nodes Grafana can follow from the query to the condition',
  rule => {
    expect(rule.uid).toMatch(/^[a-zA-Z0-9_-]{1,40}$/);
    expect(rule.data.map(({ refId }) => refId)).toEqual(['query', 'presence', 'threshold']);
    expect(rule.data.map(({ model }) => model.refId)).toEqual(['query', 'presence', 'threshold']);
    expect(rule.data.map(({ datasourceUid }) => datasourceUid)).toEqual([
      'prometheus',
      '__expr__',
      '__expr__',
    ]);
    expect(rule.condition).toBe('threshold');
  },
);

test.each(grafanaRules)('$title uses no template that only Prometheus understands', ({ annotations }) => {
  for (const text of Object.values(annotations)) {
    // Provisioning puts environment variables in place of these.
    expect(text).not.toMatch(/\$\{|\$\$/);
    for (const [, inner = ''] of text.matchAll(/\{\{(.*?)\}\}/g)) {
      const [value = '', ...functions] = inner.split('|').map(part => part.trim());
      expect(value).toMatch(/^\$(?:labels\.\w+|values\.query\.Value)$/);
      for (const name of functions) expect(sharedFunctions).toContain(name);
    }
  }
});

test('a value of zero fires too, keeps its number and its time, and recording rules stay with Prometheus', () => {
  const text = renderGrafanaAlerts([
    { name: 'recording', rules: [{ record: 'a:b:c', expr: 'b' }] },
    {
      name: 'one',
      rules: [
        {
          alert: 'DbpmSomething',
          expr: 'x == 0',
          for: '5m',
          keep_firing_for: '1h',
          labels: { severity: 'info' },
          annotations: { description: '{{ $value | humanize }} of {{ $labels.account }}' },
        },
      ],
    },
  ]);
  const { groups } = parse(text);
  expect(groups).toHaveLength(1);
  expect(groups[0].rules[0]).toMatchObject({
    for: '5m',
    keepFiringFor: '1h',
    annotations: { description: '{{ $values.query.Value | humanize }} of {{ $labels.account }}' },
  });
  expect(groups[0].rules[0].data[1].model.expression).toBe(
    'is_number($query) || is_nan($query) || is_inf($query)',
  );
  expect(groups[0].rules[0].data[2].model).toMatchObject({
    expression: 'presence',
    conditions: [{ evaluator: { type: 'gt', params: [0] } }],
  });
});
