import { stringify } from 'yaml';
import type { AlertValues } from '../../src/config/alert-setting.ts';
import type { RuleConfig } from '../../src/config/config.ts';
import type { Alert } from './alert.ts';
import { alertGroups } from './alert-catalog.ts';
import { consolePages, consoleUrlOf } from './console-link.ts';
import { recordingRules } from './recording-rule.ts';
import { makeRuleScope, type RuleScope, renderDuration } from './rule-scope.ts';

const header = `# Recording rules and alerts for dbpm-exporter, written by "dbpm-exporter rules": settings go into the section
# "rules" of its configuration, not into this file.
`;

/** One rule as Prometheus reads it. */
export type Rule =
  | { readonly record: string; readonly expr: string }
  | {
      readonly alert: string;
      readonly expr: string;
      readonly for: string;
      readonly keep_firing_for?: string;
      readonly labels: Readonly<Record<string, string>>;
      readonly annotations: Readonly<Record<string, string>>;
    };

export interface RuleGroup {
  readonly name: string;
  readonly rules: readonly Rule[];
}

/** The rule groups that these settings give; groups without a rule are left out. */
export function buildRuleGroups(config: RuleConfig): readonly RuleGroup[] {
  const scope = makeRuleScope(config.job);
  const recording = recordingRules.map(rule => ({ record: rule.name, expr: rule.expression(scope) }));
  const groups = Object.entries(alertGroups).map(([group, alerts]) => ({
    name: `dbpm-${group}`,
    rules: alerts.flatMap(alert => {
      const values = config.alerts[alert.name];
      return values?.enabled ? [buildAlertRule(alert, values, { scope, config })] : [];
    }),
  }));
  return [{ name: 'dbpm-recording', rules: recording }, ...groups].filter(({ rules }) => rules.length > 0);
}

function buildAlertRule(
  alert: Alert,
  { severity, forMs, keepFiringForMs, thresholds }: AlertValues,
  { scope, config }: { readonly scope: RuleScope; readonly config: RuleConfig },
): Rule {
  const values = Object.entries(alert.thresholds).map(([name, { kind }]) => {
    const value = thresholds[name] ?? 0;
    return [name, kind === 'duration' ? value / 1000 : value];
  });
  return {
    alert: alert.name,
    expr: alert.expression(scope, Object.fromEntries(values)),
    for: renderDuration(forMs / 1000),
    ...(keepFiringForMs !== undefined && { keep_firing_for: renderDuration(keepFiringForMs / 1000) }),
    labels: { ...config.labels, severity },
    annotations: {
      summary: alert.headline,
      description: alert.description,
      runbook_url: runbookOf(alert, config),
      console_url: `${consoleUrlOf(config)}${consolePathOf(alert)}`,
      dashboard_url: `${config.dashboardUrl}/d/${alert.board}${renderVariables(alert)}`,
    },
  };
}

function runbookOf({ name }: Alert, config: RuleConfig): string {
  return config.runbookUrl === ''
    ? `${consoleUrlOf(config)}/help/alerts/${name}`
    : `${config.runbookUrl}#${name.toLowerCase()}`;
}

/** The value of a label, in an address. */
const label = (name: string) => `{{ $labels.${name} | urlquery }}`;

/** The page of the console on what an alert is about, as far as the labels go that its example fires with. */
export function consolePathOf({ board, incident, page, examples }: Alert): string {
  const { labels } = examples.fires;
  const project = `/${label('account')}/${label('project_id')}`;
  if ('project_id' in labels) {
    if (incident === undefined) return `/projects${project}`;
    return `/operations${project}/${incident}${'action' in labels ? `?action=${label('action')}` : ''}`;
  }
  const path = page ?? consolePages[board];
  if (path !== '/keys') return path;
  return `${path}?account=${label('account')}${'key_id' in labels ? `#key-${label('key_id')}` : ''}`;
}

/** Opens the board on what the alert is about, as far as the labels go that its example fires with. */
function renderVariables({ examples }: Alert): string {
  const narrowed = Object.entries({ account: 'account', project: 'project_id' })
    .filter(([, name]) => name in examples.fires.labels)
    .map(([variable, name]) => `var-${variable}=${label(name)}`);
  return narrowed.length === 0 ? '' : `?${narrowed.join('&')}`;
}

/** The rule file of Prometheus that these settings give, as YAML. */
export function renderRuleFile(config: RuleConfig): string {
  return (
    header + stringify({ groups: buildRuleGroups(config) }, { lineWidth: 0, aliasDuplicateObjects: false })
  );
}
