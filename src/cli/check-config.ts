import { Command } from 'commander';
import { loadCheckedConfig } from '../check/config/loaded-config.ts';
import type { EffectiveSetting } from '../config/effective-setting.ts';
import { renderProblem } from '../config/problem.ts';
import { maxOf } from '../resources/min-max.ts';
import type { Io } from './io.ts';
import { addSettingOptions, readSettingFlags, serveSettings, settingNote } from './setting-option.ts';
import { printNote } from './terminal.ts';

/** `check-config`: loads everything a start would load, and says what is wrong or what is in effect. */
export function checkConfigCommand(io: Io): Command {
  const command = new Command('check-config').description(
    'check the configuration and the files it names, print every problem or what is in effect',
  );
  return addSettingOptions(command, serveSettings)
    .addHelpText('after', `\n${settingNote}`)
    .action(async () => {
      const loaded = await loadCheckedConfig({ flags: readSettingFlags(command), env: io.env });
      // Loaded here alone: SQLite costs `--help` a noticeable time.
      const { compareWithHistory } = await import('../check/config/history-comparison.ts');
      for (const warning of [...loaded.warnings, ...compareWithHistory(loaded)])
        printNote(io, 'warning', renderProblem(warning));
      io.stdout(`The configuration is valid.\n\n${renderEffective(loaded.effective)}`);
    });
}

/** A line for each setting, in columns: its key, its value, and where that comes from. */
function renderEffective(settings: readonly EffectiveSetting[]): string {
  const width = (texts: readonly string[]) => maxOf(texts.map(text => text.length));
  const keyWidth = width(settings.map(({ key }) => key));
  const textWidth = width(settings.map(({ text }) => text));
  return settings
    .map(({ key, text, from }) => `${key.padEnd(keyWidth)}  ${text.padEnd(textWidth)}  ${from}\n`)
    .join('');
}
