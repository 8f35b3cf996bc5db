import { accountSettings } from '../../src/config/account-setting.ts';
import { configFileSetting, globalSettings, webFileSetting } from '../../src/config/setting.ts';
import type { Setting } from '../../src/config/setting-row.ts';

const code = (text: string | undefined): string => (text === undefined || text === '' ? '' : `\`${text}\``);

function renderRow({ key, flag, env, help, yaml = true, ...setting }: Setting): string {
  const isUsual = env === `DBPM_${key.replaceAll('.', '_').toUpperCase()}`;
  const names = [yaml ? code(key) : '', code(flag), isUsual && yaml ? '' : code(env)].filter(
    name => name !== '',
  );
  const value = code(setting.default);
  return `- ${names.join(', ')}${value === '' ? '' : ` (${value})`}: ${help}`;
}

/** The documents' list of all settings with their defaults, in Markdown, a line each; usual variables are not named. */
export function renderSettingList(): string {
  const rows: Setting[] = [
    configFileSetting,
    ...Object.values(accountSettings),
    ...globalSettings,
    webFileSetting,
  ];
  return [...rows.map(renderRow), ''].join('\n');
}
