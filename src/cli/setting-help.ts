import type { Command } from 'commander';
import { accountSettings } from '../config/account-setting.ts';
import { globalSettings } from '../config/setting.ts';
import type { Setting } from '../config/setting-row.ts';
import { largest } from '../resources/extreme.ts';

/** For a command that is given a configuration, but is not the place to explain it. */
export const settingNote = `Flags beat the environment, which beats the file. All settings and their variables are in "dbpm-exporter serve --help"
and in docs/configuration.md.`;

/** The part of `serve --help` on settings that are no flags: the account of the environment and the rest by name. */
export function renderSettingHelp({ command }: { readonly command: Command }): string {
  const help = command.createHelp();
  // Wrapped and painted as the rest of `--help` is.
  help.prepareContext({ helpWidth: command.configureOutput().getOutHelpWidth?.() ?? 80 });
  const withoutFlag: Setting[] = [
    ...Object.values(accountSettings),
    ...globalSettings.filter(setting => setting.flag === undefined),
  ];
  const items = withoutFlag.flatMap(({ env, help: text, default: value }) => {
    const note = value === undefined || value === '' ? '' : ` (default: ${value})`;
    return env === undefined ? [] : [{ env, text: `${text}${note}` }];
  });
  const width = largest(items.map(({ env }) => env.length));
  return [
    '',
    help.styleTitle('Environment:'),
    ...items.map(({ env, text }) => help.formatItem(help.styleOptionTerm(env), width, text, help)),
    '',
    'Flags beat the environment, which beats the file, which beats the defaults. The DBPM_ variables of an',
    'account override, field by field, the account of that name in the file, or add it.',
  ].join('\n');
}
