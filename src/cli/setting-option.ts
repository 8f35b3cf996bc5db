import { type Command, Option } from 'commander';
import { accountSettings } from '../config/account-setting.ts';
import { configFileSetting, globalSettings, settings, webFileSetting } from '../config/setting.ts';
import type { Setting } from '../config/setting-row.ts';
import type { SettingType } from '../config/value-schema.ts';
import { maxOf } from '../resources/min-max.ts';

/** Every setting of the daemon outside its accounts, flags or not. */
export const serveSettings: readonly Setting[] = [configFileSetting, ...globalSettings, webFileSetting];

/** The settings of a command that writes rules or boards. */
export const boardSettings: readonly Setting[] = [configFileSetting, settings['web.external_url']];

/** The settings of a command that reads a history. */
export const historySettings: readonly Setting[] = [configFileSetting, settings['history.file']];

/**
 * Adds the flag of each setting that has one; what is not given stays undefined, for the other sources to give.
 *
 * @param shown the settings that `--help` lists; the others are taken too, so that a line written for `serve` still works.
 */
export function addSettingOptions(
  command: Command,
  settings: readonly Setting[],
  shown: readonly Setting[] = settings,
): Command {
  for (const setting of settings) {
    if (setting.flag === undefined) continue;
    const notes = [
      setting.default && `default: ${setting.default}`,
      setting.env && `environment: ${setting.env}`,
    ];
    const note = notes.filter(text => text !== undefined && text !== '').join(', ');
    const value = setting.placeholder && ` <${setting.placeholder}>`;
    const option = new Option(`${setting.flag}${value}`, `${setting.help} (${note})`)
      .helpGroup('Settings:')
      .hideHelp(!shown.includes(setting));
    // For help and completion; what a value may be is judged with the rest of the configuration, all problems at once.
    if (setting.words !== undefined) option.argChoices = [...setting.words];
    const separator = separators[setting.type];
    command.addOption(separator === undefined ? option : option.argParser(joinRepeated(separator)));
  }
  return command;
}

/** The flags that were given, by key of their setting (`history.file`). */
export function readSettingFlags(command: Command): Record<string, string | undefined> {
  const values: Record<string, unknown> = command.opts();
  const flags: Record<string, string | undefined> = {};
  for (const { key, flag } of serveSettings) {
    const option = command.options.find(each => each.long === flag);
    const value = option && values[option.attributeName()];
    if (typeof value === 'string' || value === true) flags[key] = String(value);
  }
  return flags;
}

/** Flags that are given several times are lists; a path may have a comma. */
const separators: Readonly<Partial<Record<SettingType, string>>> = { addresses: ',', historyFile: '\n' };

function joinRepeated(separator: string): (value: string, earlier: string | undefined) => string {
  return (value, earlier) => (earlier === undefined ? value : earlier + separator + value);
}

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
  const width = maxOf(items.map(({ env }) => env.length));
  return [
    '',
    help.styleTitle('Environment:'),
    ...items.map(({ env, text }) => help.formatItem(help.styleOptionTerm(env), width, text, help)),
    '',
    'Flags beat the environment, which beats the file, which beats the defaults. The DBPM_ variables of an',
    'account override, field by field, the account of that name in the file, or add it.',
  ].join('\n');
}
