import { accountSettings } from '../config/account-setting.ts';
import { globalSettings } from '../config/setting.ts';
import type { Setting } from '../config/setting-row.ts';

function renderSetting({ key, env, help, default: value }: Setting): string {
  const name = env ?? `${key} (file only)`;
  return `  ${name.padEnd(28)}  ${help}${value === undefined || value === '' ? '' : ` (default: ${value})`}`;
}

/** The part of `--help` on settings that are no flags: the account of the environment and the rest by name. */
export function renderSettingHelp(): string {
  const withoutFlag: Setting[] = [
    ...Object.values(accountSettings),
    ...globalSettings.filter(setting => setting.flag === undefined),
  ];
  return [
    '',
    'Environment:',
    ...withoutFlag.filter(setting => setting.env !== undefined).map(renderSetting),
    '',
    'Flags beat the environment, which beats the file, which beats the defaults. The DBPM_ variables of an',
    'account override, field by field, the account of that name in the file, or add it.',
  ].join('\n');
}
