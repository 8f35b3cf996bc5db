import { existsSync } from 'node:fs';
import { Argument, Command, Option } from 'commander';
import {
  type ExaminationFormat,
  examinationFormats,
  renderExamination,
} from '../history/soundness/examination-text.ts';
import { Failure } from '../resources/failure.ts';
import { readHistoryFile } from './history-file.ts';
import type { Io } from './io.ts';
import { addSettingOptions, historySettings } from './setting-option.ts';
import { withProgress } from './terminal.ts';

const sourceHelp = `
The file may be in use, a copy, or one that may only be read. Nothing of it is changed. The exit code is 1 when it is not
sound.`;

/** `check-history`: whether a history file is sound, and what it holds. */
export function checkHistoryCommand(io: Io): Command {
  const command = new Command('check-history')
    .description('say whether a history file is sound, and what it holds')
    .addArgument(new Argument('[file]', 'the history (default: that of the configuration)'))
    .addOption(
      new Option('--format <format>', 'how it is printed').choices(examinationFormats).default('table'),
    );
  return addSettingOptions(command, historySettings)
    .addHelpText('after', sourceHelp)
    .action(async (named: string | undefined, { format }: { readonly format: ExaminationFormat }) => {
      const file = named ?? (await readHistoryFile(command, io));
      if (!existsSync(file)) throw new Failure(`there is no history file at ${file}: name another`);
      // Loaded here alone: SQLite costs `--help` a noticeable time.
      const { examineHistory } = await import('../history/soundness/examination.ts');
      const examination = await withProgress(io, 'looking', onProgress => examineHistory(file, onProgress));
      io.stdout(renderExamination(examination, format));
      if (examination.flaws.length === 0) return;
      throw new Failure(`${file} is not sound: keep it, and put its newest backup in its place`);
    });
}
