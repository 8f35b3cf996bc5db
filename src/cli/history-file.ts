import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { loadCheckedConfig } from '../check/config/loaded-config.ts';
import { settings } from '../config/setting.ts';
import { oneHistory } from '../history/file/history-list.ts';
import { Failure } from '../resources/failure.ts';
import type { Io } from './io.ts';
import { readSettingFlags } from './setting-option.ts';

/**
 * The path of the history for a command that reads no other setting: from its flag, the environment, the file of
 * `--config.file` or the default. A configuration is looked at only where neither of the first two names it.
 *
 * @throws Failure when there is no file.
 * @throws ConfigFailure with every problem of the configuration.
 */
export async function readHistoryFile(command: Command, { env }: Pick<Io, 'env'>): Promise<string> {
  const flags = readSettingFlags(command);
  const { key, env: variable = '' } = settings['history.file'];
  const path = oneHistory(flags[key] ?? (env[variable] || (await readConfiguredPath(flags, env))));
  if (existsSync(path)) return path;
  throw new Failure(`there is no history file at ${path}: name it with --history.file`);
}

async function readConfiguredPath(
  flags: Record<string, string | undefined>,
  env: Io['env'],
): Promise<string> {
  // Prices play no part in a copy or a check.
  const { config } = await loadCheckedConfig({ flags, env, isOffline: true }, { mayReprice: true });
  return config.history.file;
}
