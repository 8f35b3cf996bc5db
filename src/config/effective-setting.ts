import { accountSettings } from './account-setting.ts';
import { isRuleMapKey } from './known-key.ts';
import { configFileSetting, globalSettings, type Setting } from './setting.ts';
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
