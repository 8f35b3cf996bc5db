import * as v from 'valibot';
import { accountSettings } from './account-setting.ts';
import { type AlertDefaults, alertsKey, labelsKey, makeAlertSettings } from './alert-setting.ts';
import { readNode } from './node-reader.ts';
import type { Problem } from './problem.ts';
import { anything, type Fields, group, isGroupOrNothing, isListOrNothing, list } from './schema.ts';
import { globalSettings } from './setting.ts';
import { lastPart, type Setting } from './setting-row.ts';
import { isSecretName, nestedSections, sectionNames } from './unknown-key.ts';
import { childOf, entriesOf, itemsOf, type WrittenNode } from './written-node.ts';
import { readYamlFile } from './yaml-file.ts';

/** What one source says, by key of the setting (`collect.idle_refresh`) or by field of an account (`base_url`). */
export type Layer = ReadonlyMap<string, WrittenNode>;

/** One account as written. */
export interface WrittenAccount {
  readonly where: string;
  readonly key: string;
  readonly fields: Layer;
  /** True if the API key itself stands in the file, which is refused there: that it lacks is then no second problem. */
  readonly holdsKey: boolean;
}

/** What a configuration file says; it can hold problems and still say something. */
export interface ConfigFile {
  readonly root: WrittenNode;
  /** Settings outside the accounts, those of alerts too. */
  readonly values: Layer;
  readonly accounts: readonly WrittenAccount[];
  readonly problems: readonly Problem[];
  /** False if an account may be there that could not be read, so that having none says nothing. */
  readonly accountsUnderstood: boolean;
}

/** Reads the text of a configuration file; `file` is how problems name it. Never throws. */
export function readConfigFile(text: string, file: string, alerts: readonly AlertDefaults[]): ConfigFile {
  const { root, isYaml, problems: failures } = readYamlFile(text, file);
  const problems = [...failures];
  readNode(fileSchema(alerts), root, problems);
  const alertSettings = alerts.flatMap(alert => Object.values(makeAlertSettings(alert)));
  const accounts = childOf(root, 'accounts');
  const known = itemsOf(accounts).filter(isGroupOrNothing);
  const isUnderstood = accounts === undefined || isListOrNothing(accounts);
  return {
    root,
    values: pickNodes(
      root,
      [...globalSettings, ...alertSettings].map(({ key }) => key),
    ),
    accounts: known.map(writeAccount),
    problems,
    accountsUnderstood:
      isYaml && isGroupOrNothing(root) && isUnderstood && known.length === itemsOf(accounts).length,
  };
}

function pickNodes(node: WrittenNode, keys: readonly string[]): Layer {
  const found = keys.map(key => [key, childOf(node, key)] as const);
  return new Map(found.flatMap(([key, child]) => (child === undefined ? [] : [[key, child]])));
}

const fileFields = Object.entries<Setting>(accountSettings)
  .filter(([, { yaml }]) => yaml !== false)
  .map(([field]) => field);

function writeAccount(node: WrittenNode): WrittenAccount {
  const holdsKey = entriesOf(node).some(({ name }) => isSecretName(name));
  return { where: node.where, key: node.key, fields: pickNodes(node, fileFields), holdsKey };
}

/** The keys of a file; their values are read by the schemas of their settings. */
function fileSchema(alerts: readonly AlertDefaults[]) {
  const section = (key: string, entries: Fields) =>
    v.exactOptional(group(`write its settings below "${key}:", indented`, entries, isGroupOrNothing));
  const sections = sectionNames.map(name => {
    const own = globalSettings
      .filter(({ key }) => key.startsWith(`${name}.`))
      .map(({ key }) => lastPart(key));
    return [name, leaves(own)] as const;
  });
  const alertSections = alerts.map(alert => {
    const settings = leaves(Object.keys(makeAlertSettings(alert)));
    return [alert.name, section(`${alertsKey}.${alert.name}`, settings)];
  });
  const ruleMaps = {
    [lastPart(labelsKey)]: v.exactOptional(anything),
    [lastPart(alertsKey)]: v.exactOptional(
      group(
        'write names of alerts, each with its settings below it',
        Object.fromEntries(alertSections),
        isGroupOrNothing,
      ),
    ),
  };
  return group(
    'write settings such as "accounts:", "collect:" or "history:"',
    {
      accounts: v.exactOptional(list('write a list, each account after a "- "', account, isListOrNothing)),
      ...Object.fromEntries(
        sections.map(([name, own]) => [
          name,
          section(name, name === 'rules' ? { ...own, ...ruleMaps } : own),
        ]),
      ),
      ...leaves(nestedSections),
    },
    isGroupOrNothing,
  );
}

function leaves(names: readonly string[]) {
  return Object.fromEntries(names.map(name => [name, v.exactOptional(anything)]));
}

const account = group(
  'write name, base_url and api_key_file or api_key_env',
  {
    ...leaves(fileFields.filter(field => !field.includes('.'))),
    projects: v.exactOptional(
      group(
        'write include and exclude below it, each with a list',
        leaves(['include', 'exclude']),
        isGroupOrNothing,
      ),
    ),
  },
  isGroupOrNothing,
);
