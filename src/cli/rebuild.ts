import { Command } from 'commander';
import { readHistoryFile } from './history-file.ts';
import type { Io } from './io.ts';
import { withProgress } from './progress.ts';
import { addSettingOptions, historySettings } from './setting-option.ts';

/** `rebuild`: the use by hour and day worked out anew from the raw rows. */
export function rebuildCommand(io: Io): Command {
  const command = new Command('rebuild').description(
    'work out the hourly and daily use in the history anew, as far back as raw readings are kept; not beside a daemon',
  );
  return addSettingOptions(command, historySettings).action(async () => {
    const file = await readHistoryFile(command, io);
    const { rebuildUse } = await import('../history/upkeep/rebuild.ts');
    const { projects, hours, days } = await withProgress(io, 'rebuilding', onProgress =>
      rebuildUse({ file, onProgress }),
    );
    const count = (value: number) => value.toLocaleString('en-US');
    io.stdout(
      `${file}: use of ${count(projects)} projects worked out anew, now in ${count(hours)} hours and ${count(days)} days\n`,
    );
  });
}
