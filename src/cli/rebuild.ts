import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { settings } from '../config/setting.ts';
import { renderCount } from '../plan/budget-sentence.ts';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import { showProgress } from './progress.ts';
import { addSettingOptions, readSettingFlags } from './setting-option.ts';

/** `rebuild`: the use by hour and day once more from the raw rows. */
export function rebuildCommand(
  io: Io,
  { now = () => Date.now() }: { readonly now?: () => number } = {},
): Command {
  const { file } = settings.history;
  const command = new Command('rebuild').description(
    'work out the hourly and daily use in the history anew, as far back as raw readings are kept; not beside a daemon',
  );
  return addSettingOptions(command, [file]).action(async () => {
    const path = readSettingFlags(command)[file.key] ?? (io.env[file.env ?? ''] || file.default || '');
    if (!existsSync(path))
      throw new Failure(`there is no history file at ${path}: name it with --history.file`);
    const { rebuildUse } = await import('../history/upkeep/rebuild.ts');
    const progress = showProgress(io, 'rebuilding');
    const { projects, hours, days } = rebuildUse({ file: path, now: now(), onProgress: progress.show });
    progress.end();
    io.stdout(
      `${path}: use of ${renderCount(projects)} projects worked out anew, now in ${renderCount(hours)} hours and ${renderCount(days)} days\n`,
    );
  });
}
