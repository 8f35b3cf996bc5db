import * as v from 'valibot';
import {
  type AlertDefaults,
  type AlertValues,
  alertsKey,
  labelsKey,
  makeAlertSettings,
} from './alert-setting.ts';
import type { RuleConfig } from './config.ts';
import { readNode } from './node-reader.ts';
import type { Problem } from './problem.ts';
import { isGroupOrNothing, named } from './schema.ts';
import { propertyOf, type Setting } from './setting-row.ts';
import { plainText } from './value-schema.ts';
import { childOf, type WrittenNode } from './written-node.ts';

/** Labels that the rules or Prometheus give a meaning of their own. */
const takenLabels = ['alertname', 'severity'];

const labelName = v.pipe(
  v.string(),
  v.check(label => !takenLabels.includes(label), 'write another name: every alert has this label already'),
  v.regex(
    /^(?!__)[A-Za-z_]\w*$/,
    'write a name of letters, digits and underscores that begins with a letter',
  ),
);

const labels = named(
  `write its settings below "${labelsKey}:", indented`,
  labelName,
  plainText,
  isGroupOrNothing,
);

/** The labels of every alert, after adding to `problems` what is wrong with them. */
export function readLabels(root: WrittenNode, problems: Problem[]): RuleConfig['labels'] {
  const node = childOf(root, labelsKey);
  const pairs = (node && readNode(labels, node, problems)) ?? [];
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}

/** The settings of an alert; `read` gives the value of one. */
export function readAlert(alert: AlertDefaults, read: (setting: Setting) => unknown): AlertValues {
  const settings = Object.entries(makeAlertSettings(alert));
  const isOwn = (name: string) => Object.hasOwn(alert.thresholds, name);
  const thresholds = settings.filter(([name]) => isOwn(name)).map(([name, row]) => [name, read(row)]);
  const usual = settings
    .filter(([name]) => !isOwn(name))
    .map(([, row]) => [propertyOf(row, `${alertsKey}.${alert.name}`), read(row)]);
  // The values have the types of their rows by construction, and are not undefined once there is no problem.
  return { ...Object.fromEntries(usual), thresholds: Object.fromEntries(thresholds) } as AlertValues;
}
