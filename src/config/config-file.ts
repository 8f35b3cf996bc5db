import * as v from 'valibot';
import { accountSettings } from './account-setting.ts';
import { type AlertDefaults, alertsKey, labelsKey, makeAlertSettings } from './alert-setting.ts';
import { readNode } from './node-reader.ts';
import { type Problem, quoteValue } from './problem.ts';
import {
  anything,
  type GroupFields,
  group,
  isGroupOrNothing,
  isListOrNothing,
  list,
  type Schema,
} from './schema.ts';
import { globalSettings, ignoreKey } from './setting.ts';
import type { Setting } from './setting-row.ts';
import { describeReadFailure, type SourceFile } from './source-file.ts';
import { isSecretName, nestedLevels } from './unknown-key.ts';
import { childOf, entriesOf, itemsOf, nodeProblem, textOf, type WrittenNode } from './written-node.ts';
import { readYamlFile } from './yaml-file.ts';

/** The settings that one source gives, by key of the setting (`collect.idle_refresh`) or by field of an account (`base_url`). */
export type Layer = ReadonlyMap<string, WrittenNode>;

/** One account as written. */
export interface WrittenAccount {
  readonly where: string;
  readonly key: string;
  readonly fields: Layer;
  /** True if the API key itself stands in the file, which is refused there: that it lacks is then no second problem. */
  readonly holdsKey: boolean;
}

/** A configuration file as it is written; it can have problems and still say something. */
export interface ConfigFile {
  readonly root: WrittenNode;
  /** Settings outside the accounts, also of alerts. */
  readonly values: Layer;
  readonly accounts: readonly WrittenAccount[];
  readonly problems: readonly Problem[];
  /** False if an account may be there that could not be read, so that having none says nothing. */
  readonly accountsUnderstood: boolean;
}

/** Reads the configuration file that `node` names, if it does; one that cannot be read is a problem of that node. */
export function openConfigFile(
  node: WrittenNode | undefined,
  readFile: (path: string) => SourceFile,
  alerts: readonly AlertDefaults[],
): ConfigFile {
  const none = readConfigFile('', '', alerts);
  if (node === undefined) return none;
  const path = textOf(node);
  try {
    return readConfigFile(readFile(path).text, path, alerts);
  } catch (error) {
    const found = `${quoteValue(path)}, ${describeReadFailure(error)}`;
    const problems = [nodeProblem(node, found, 'write the path of a readable YAML file')];
    return { ...none, problems, accountsUnderstood: false };
  }
}

/** Reads the text of a configuration file; `file` is how problems name it. Never throws. */
export function readConfigFile(text: string, file: string, alerts: readonly AlertDefaults[]): ConfigFile {
  const { root, isYaml, problems: failures } = readYamlFile(text, file);
  const problems = [...failures];
  const alertSettings = alerts.flatMap(alert => Object.values(makeAlertSettings(alert)));
  const keys = [...globalSettings.map(({ key }) => key), labelsKey, ...alertSettings.map(({ key }) => key)];
  const accountKeys = fileFields.map(field => `accounts[].${field}`);
  readNode(keySchema('', [...accountKeys, ...keys, ignoreKey, ...nestedLevels.keys()]), root, problems);
  const accounts = childOf(root, 'accounts');
  const known = itemsOf(accounts).filter(isGroupOrNothing);
  const isUnderstood = accounts === undefined || isListOrNothing(accounts);
  return {
    root,
    values: pickNodes(root, keys),
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

/** The advice for keys below which there is more than settings. */
const adviceBelow = new Map([
  ['', 'write settings such as "accounts:", "collect:" or "history:"'],
  ['accounts[]', 'write name, base_url and api_key_file or api_key_env'],
  ['accounts[].projects', 'write include and exclude below it, each with a list'],
  [alertsKey, 'write names of alerts, each with its settings below it'],
]);

/** The keys of a file from `parent` on; their values are read by the schemas of their settings. */
function keySchema(parent: string, keys: readonly string[]): Schema<unknown> {
  const prefix = parent && `${parent}.`;
  const below = keys.filter(key => key.startsWith(prefix));
  const names = new Set(below.map(key => key.slice(prefix.length).split('.', 1).join()));
  const entries = [...names].map((name): [string, GroupFields[string]] => {
    const key = `${prefix}${name}`;
    const schema = keys.includes(key) ? anything : keySchema(key, below);
    if (!name.endsWith('[]')) return [name, v.exactOptional(schema)];
    const each = list(`write a list, each account after a "- "`, schema, 'any number');
    return [name.slice(0, -2), v.exactOptional(each)];
  });
  const advice = adviceBelow.get(parent) ?? `write its settings below "${parent}:", indented`;
  return group(advice, Object.fromEntries(entries), isGroupOrNothing);
}
