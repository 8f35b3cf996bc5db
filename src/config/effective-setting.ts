import { accountSettings } from './account-setting.ts';
import { isRuleMapKey, type NestedSection } from './known-key.ts';
import { configFileSetting, globalSettings } from './setting.ts';
import type { Setting } from './setting-row.ts';
import type { WrittenNode } from './written-node.ts';
import type { WrittenValue } from './written-value.ts';
import type { WrittenAccount } from './yaml-file.ts';

/** A setting as it will be used: its text and the place it comes from. A key is never among them. */
export interface EffectiveSetting {
  readonly key: string;
  readonly text: string;
  /** `dbpm.yaml:7`, `environment DBPM_LOG_LEVEL`, `flag --log.level` or `default`. */
  readonly from: string;
}

/**
 * Every setting in effect: the configuration file, the accounts, then the schema's order; `layers` from the strongest.
 * Of the labels and settings of alerts, those that somebody wrote.
 */
export function listEffective(
  layers: readonly ReadonlyMap<string, WrittenValue>[],
  accounts: readonly WrittenAccount[],
  configFile: WrittenValue | undefined,
): EffectiveSetting[] {
  const from = ({ where, key }: WrittenValue) =>
    where === 'flag' || where === 'environment' ? `${where} ${key}` : where;
  const entry = (
    key: string,
    setting: Setting<unknown>,
    written: WrittenValue | undefined,
  ): EffectiveSetting[] => {
    if (written !== undefined) {
      return [
        { key, text: setting === accountSettings.api_key ? 'given' : written.text, from: from(written) },
      ];
    }
    return !setting.default ? [] : [{ key, text: setting.default, from: 'default' }];
  };
  return [
    ...entry(configFileSetting.key, configFileSetting, configFile),
    ...accounts.flatMap(({ key, values }) =>
      Object.entries<Setting<unknown>>(accountSettings).flatMap(([field, row]) =>
        entry(`${key}.${field}`, row, values.get(field)),
      ),
    ),
    ...globalSettings.flatMap(row =>
      entry(row.key, row, layers.find(layer => layer.has(row.key))?.get(row.key)),
    ),
    ...layers.flatMap(layer =>
      [...layer]
        .filter(([key]) => isRuleMapKey(key))
        .map(([key, written]) => ({ key, text: written.text, from: from(written) })),
    ),
  ];
}

const longestText = 60;

/** The nested sections in short: a line for each plan, rate, group and budget, and for each single value beside them. */
export function listNested(nested: ReadonlyMap<NestedSection, WrittenNode>): EffectiveSetting[] {
  const listBelow = (node: WrittenNode, levels: number): EffectiveSetting[] => {
    if (levels > 0 && node.kind === 'list') return node.items.flatMap(item => listBelow(item, levels - 1));
    if (levels > 0 && node.kind === 'group') {
      return node.entries.flatMap(entry => listBelow(entry.node, levels - 1));
    }
    const characters = [...renderShort(node)];
    const text = characters.slice(0, longestText).join('');
    return [{ key: node.key, text: characters.length > longestText ? `${text}…` : text, from: node.where }];
  };
  return [...nested].flatMap(([section, node]) => {
    if (node.kind === 'nothing') return [];
    return listBelow(node, section === 'budgets' ? 1 : 2);
  });
}

/** As it could stand in the file. */
function renderShort(node: WrittenNode): string {
  switch (node.kind) {
    case 'value':
      return node.text;
    case 'list':
      return `[${node.items.map(renderShort).join(', ')}]`;
    case 'group':
      return `{${node.entries.map(entry => `${entry.name}: ${renderShort(entry.node)}`).join(', ')}}`;
    default:
      return '';
  }
}
