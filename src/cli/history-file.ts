import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { settings } from '../config/setting.ts';
import { Failure } from '../resources/failure.ts';
import type { Io } from './io.ts';
import { readSettingFlags } from './setting-option.ts';

/**
 * The path of the history for a command that reads no other setting: from its flag, the environment or the default.
 *
 * @throws Failure when there is no file.
 */
export function readHistoryFile(command: Command, { env }: Pick<Io, 'env'>): string {
  const file = settings['history.file'];
  const path = readSettingFlags(command)[file.key] ?? (env[file.env ?? ''] || file.default || '');
  if (existsSync(path)) return path;
  throw new Failure(`there is no history file at ${path}: name it with --history.file`);
}
