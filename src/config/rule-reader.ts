import { type AlertSettings, type AlertValues, makeAlertSettings } from './alert-setting.ts';
import type { RuleConfig } from './config.ts';
import { labelsKey } from './known-key.ts';
import type { Problem } from './problem.ts';
import type { Setting } from './setting-row.ts';
import { type ConfigChecks, plainText } from './value-kind.ts';
import { makeProblem, parseWritten, type WrittenValue } from './written-value.ts';

/** The value of a setting that may stand in the file, or undefined after adding its problem. */
type Read = <Value>(setting: Setting<Value>) => Value | undefined;

/** The labels and alerts of the section `rules`, after adding to `problems` what is wrong with them. */
export function readRuleMaps(
  values: ReadonlyMap<string, WrittenValue>,
  read: Read,
  { checks, problems }: { readonly checks: ConfigChecks; readonly problems: Problem[] },
): Pick<RuleConfig, 'labels' | 'alerts'> {
  const labels = [...values].flatMap(([key, written]) => {
    if (!key.startsWith(`${labelsKey}.`)) return [];
    const value = readLabel(key.slice(labelsKey.length + 1), written, checks, problems);
    return value === undefined ? [] : [value];
  });
  const alerts = checks.alerts.map(alert => [alert.name, readAlert(makeAlertSettings(alert), read)] as const);
  return {
    labels: Object.freeze(Object.fromEntries(labels)),
    alerts: Object.freeze(Object.fromEntries(alerts)),
  };
}

/** Labels that the rules or Prometheus give a meaning of their own. */
const takenLabels = new Set(['alertname', 'severity']);

function readLabel(
  label: string,
  written: WrittenValue,
  checks: ConfigChecks,
  problems: Problem[],
): readonly [label: string, value: string] | undefined {
  if (takenLabels.has(label)) {
    problems.push(makeProblem(written, 'a label every alert has already', 'write another name'));
    return undefined;
  }
  if (!/^[A-Za-z_]\w*$/.test(label) || label.startsWith('__')) {
    const expected = 'write a name of letters, digits and underscores that begins with a letter';
    problems.push(makeProblem(written, 'a name no label can have', expected));
    return undefined;
  }
  const setting = { key: written.key, kind: plainText, help: 'a label of every alert', yaml: true };
  const value = parseWritten(setting, written, checks, problems);
  return value === undefined ? undefined : [label, value];
}

function readAlert({ thresholds, ...rows }: AlertSettings, read: Read): AlertValues {
  const readAll = (settings: Readonly<Record<string, Setting<unknown>>>) =>
    Object.freeze(Object.fromEntries(Object.entries(settings).map(([name, row]) => [name, read(row)])));
  // The values have the shape of their rows by construction, and no undefined once there is no problem.
  return Object.freeze({ ...readAll(rows), thresholds: readAll(thresholds) }) as unknown as AlertValues;
}
