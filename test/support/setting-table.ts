import { accountSettings } from '../../src/config/account-setting.ts';
import { configFileSetting, globalSettings, webFileSetting } from '../../src/config/setting.ts';
import type { Setting } from '../../src/config/setting-row.ts';

const code = (text: string | undefined): string =>
  text === undefined || text === '' ? '' : `\`${text.replaceAll('|', '\\|')}\``;

function renderRow({ key, flag, env, help, yaml = true, ...setting }: Setting): string {
  const names = [yaml ? code(key) : '', code(flag), code(env)].filter(name => name !== '');
  return `| ${[names.join('<br>'), code(setting.default), help].join(' | ')} |`;
}

/** The documents' table of all settings, in Markdown, one row each. */
export function renderSettingTable(): string {
  const rows: Setting[] = [
    configFileSetting,
    ...Object.values(accountSettings),
    ...globalSettings,
    webFileSetting,
  ];
  return ['| setting | default | meaning |', '|---|---|---|', ...rows.map(renderRow), ''].join('\n');
}
