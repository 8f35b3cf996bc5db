import { accountSettings } from './account-setting.ts';
import { alertsKey, labelsKey } from './alert-setting.ts';
import type { Layer, WrittenAccount } from './config-file.ts';
import { configFileSetting, globalSettings, ignoreKey, webFileSetting } from './setting.ts';
import type { Setting } from './setting-row.ts';
import { nestedLevels } from './unknown-key.ts';
import { childOf, entriesOf, itemsOf, textOf, type WrittenNode } from './written-node.ts';

/** A setting as it will be used: its text and the place it comes from. A key is never among them. */
export interface EffectiveSetting {
  readonly key: string;
  readonly text: string;
  /** `dbpm.yaml:7`, `environment DBPM_LOG_LEVEL`, `flag --log.level` or `default`. */
  readonly from: string;
}

/** Where the setting of a key comes from. */
export function placeOf(key: string, effective: readonly EffectiveSetting[]): string {
  return effective.find(setting => setting.key === key)?.from ?? 'configuration';
}

interface WrittenConfig {
  /** From the strongest to the weakest. */
  readonly layers: readonly Layer[];
  readonly accounts: readonly WrittenAccount[];
  readonly configNode: WrittenNode | undefined;
  readonly webNode: WrittenNode | undefined;
  readonly root: WrittenNode;
}

/**
 * Every setting in effect: the configuration file, the accounts, the settings of the schema in its order, the labels
 * and settings of alerts that were written, the findings to be ignored, and the sections that nest in short.
 */
export function listEffective({
  layers,
  accounts,
  configNode,
  webNode,
  root,
}: WrittenConfig): EffectiveSetting[] {
  const ofAlerts = layers.flatMap(layer => [...layer].filter(([key]) => key.startsWith(`${alertsKey}.`)));
  const labels = entriesOf(childOf(root, labelsKey)).map(({ node }) => [node.key, node] as const);
  return [
    ...describe(configFileSetting.key, configFileSetting, configNode),
    ...accounts.flatMap(({ key, fields }) =>
      Object.entries<Setting>(accountSettings).flatMap(([field, setting]) =>
        describe(`${key}.${field}`, setting, fields.get(field)),
      ),
    ),
    ...globalSettings.flatMap(setting =>
      describe(setting.key, setting, layers.find(layer => layer.has(setting.key))?.get(setting.key)),
    ),
    ...describe(webFileSetting.key, webFileSetting, webNode),
    ...[...labels, ...ofAlerts].map(([key, node]) => ({ key, text: textOf(node), from: node.where })),
    ...itemsOf(childOf(root, ignoreKey)).flatMap(node => listBelow(node, 0)),
    ...entriesOf(root)
      .filter(({ name, node }) => nestedLevels.has(name) && node.kind !== 'nothing')
      .flatMap(({ name, node }) => listBelow(node, nestedLevels.get(name) ?? 0)),
  ];
}

function describe(key: string, setting: Setting, node: WrittenNode | undefined): EffectiveSetting[] {
  if (node === undefined) return setting.default ? [{ key, text: setting.default, from: 'default' }] : [];
  const isFile = node.range !== undefined;
  const text = setting.type === 'key' ? 'given' : textOf(node);
  return [{ key, text, from: isFile ? node.where : `${node.where} ${node.key}` }];
}

const longestText = 60;

/** A line for each plan, rate, group and budget, and for each single value beside them. */
function listBelow(node: WrittenNode, levels: number): EffectiveSetting[] {
  const parts = [...itemsOf(node), ...entriesOf(node).map(entry => entry.node)];
  const isBranch = node.kind === 'list' || node.kind === 'group';
  if (levels > 0 && isBranch) return parts.flatMap(part => listBelow(part, levels - 1));
  const characters = [...renderShort(node)];
  const text = characters.slice(0, longestText).join('');
  return [{ key: node.key, text: characters.length > longestText ? `${text}…` : text, from: node.where }];
}

/** As it could stand in the file. */
function renderShort(node: WrittenNode): string {
  if (node.kind === 'list') return `[${node.items.map(renderShort).join(', ')}]`;
  if (node.kind !== 'group') return textOf(node);
  return `{${node.entries.map(entry => `${entry.name}: ${renderShort(entry.node)}`).join(', ')}}`;
}
