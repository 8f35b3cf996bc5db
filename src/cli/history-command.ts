import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { loadCheckedConfig } from '../check/config/loaded-config.ts';
import type { Config } from '../config/config.ts';
import { settings } from '../config/setting.ts';
import { oneHistory } from '../history/file/history-list.ts';
import { Failure } from '../resources/failure.ts';
import type { Io } from './io.ts';
import {
  addSettingOptions,
  historySettings,
  readSettingFlags,
  serveSettings,
  settingNote,
} from './setting-option.ts';

/** Adds the settings of a command that reads a history by the configuration of the daemon, and the end of its help. */
export function addHistoryOptions(command: Command, help: string): Command {
  return addSettingOptions(command, serveSettings, historySettings).addHelpText(
    'after',
    `${help}\n${settingNote}`,
  );
}

/**
 * The configuration of a command that reads a history; nothing is asked of the service.
 *
 * @param mayReprice whether prices may be other than what closed periods were closed with.
 * @throws ConfigFailure with every problem of the configuration.
 */
export async function loadHistoryConfig(
  command: Command,
  { env }: Pick<Io, 'env'>,
  mayReprice = false,
): Promise<Config> {
  const given = { flags: readSettingFlags(command), env, isOffline: true };
  return (await loadCheckedConfig(given, { mayReprice })).config;
}

/**
 * The path of the history for a command that reads no other setting: from its flag, the environment, the file of
 * `--config.file` or the default. A configuration is looked at only where neither of the first two names it.
 *
 * @throws Failure when there is no file.
 * @throws ConfigFailure with every problem of the configuration.
 */
export async function readHistoryFile(command: Command, io: Pick<Io, 'env'>): Promise<string> {
  const { key, env: variable = '' } = settings['history.file'];
  const named = readSettingFlags(command)[key] ?? io.env[variable] ?? '';
  // Prices play no part in a copy or a check.
  const path = oneHistory(named || (await loadHistoryConfig(command, io, true)).history.file);
  if (existsSync(path)) return path;
  throw new Failure(`there is no history file at ${path}: name it with --history.file`);
}
