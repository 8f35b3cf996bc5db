import { existsSync } from 'node:fs';
import { Argument, Command, Option } from 'commander';
import { renderSalvage, type SalvageFormat, salvageFormats } from '../history/salvage/salvage-text.ts';
import { Failure } from '../resources/failure.ts';
import { readHistoryFile } from './history-file.ts';
import type { Io } from './io.ts';
import { withProgress } from './progress.ts';
import { addSettingOptions, historySettings } from './setting-option.ts';

const help = `
Nothing of the damaged file is changed. Counters whose rows are lost begin anew, and are named. The exit code is 0 when all of
it was saved, 3 when a part was, and 1 when nothing was.`;

interface SalvageFlags {
  readonly to: string;
  readonly format: SalvageFormat;
}

/** `salvage`: what can be read of a damaged history, in a new one. */
export function salvageCommand(io: Io): Command {
  const command = new Command('salvage')
    .description('save what can be read of a damaged history into a new one; not beside a daemon')
    .addArgument(new Argument('[damaged]', 'the damaged history (default: that of the configuration)'))
    .requiredOption('--to <path>', 'the new history, where there is no file yet')
    .addOption(new Option('--format <format>', 'how it is printed').choices(salvageFormats).default('table'));
  return addSettingOptions(command, historySettings)
    .addHelpText('after', help)
    .action(async (named: string | undefined, { to, format }: SalvageFlags) => {
      const from = named ?? (await readHistoryFile(command, io));
      if (!existsSync(from)) throw new Failure(`there is no history file at ${from}: name another`);
      // Loaded here alone: SQLite costs `--help` a noticeable time.
      const { salvageHistory } = await import('../history/salvage/salvage.ts');
      const salvage = await withProgress(io, 'saving', onProgress =>
        salvageHistory({ from, to, onProgress }),
      );
      if (!salvage.isAny) throw new Failure(`nothing of ${from} could be saved: restore the last backup`);
      io.stdout(renderSalvage(salvage, format));
      if (salvage.isWhole) return;
      throw new Failure(`not all of ${from} could be saved: see what is lost, and keep the file`, 'partial');
    });
}
