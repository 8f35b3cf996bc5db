import { existsSync } from 'node:fs';
import { Argument, Command } from 'commander';
import type { Examination } from '../history/soundness/examination.ts';
import { Failure } from '../resources/failure.ts';
import { readHistoryFile } from './history-command.ts';
import type { Io } from './io.ts';
import { wordOption } from './option.ts';
import { addSettingOptions, historySettings } from './setting-option.ts';
import { withProgress } from './terminal.ts';

const examinationFormats = ['table', 'json'] as const;
type ExaminationFormat = (typeof examinationFormats)[number];

const sourceHelp = `
The file may be in use, a copy, or one that may only be read. Nothing of it is changed. The exit code is 1 when it is not
sound. The first reading is the one it began with: what was imported is from before it.`;

/** `check-history`: whether a history file is sound, and what it holds. */
export function checkHistoryCommand(io: Io): Command {
  const command = new Command('check-history')
    .description('say whether a history file is sound, and what it holds')
    .addArgument(new Argument('[file]', 'the history (default: that of the configuration)'))
    .addOption(wordOption('--format <format>', 'how it is printed', examinationFormats, 'table'));
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

/** An examination for programs, without the fields that are not known. */
function describeExamination({ file, sizeBytes, format, flaws, holding }: Examination) {
  return {
    file,
    is_sound: flaws.length === 0,
    size_bytes: sizeBytes,
    format,
    problems: flaws,
    accounts: holding?.accounts,
    projects: holding?.projects,
    endpoints: holding?.endpoints,
    operations: holding?.operations,
    closed_periods: holding?.closedPeriods,
    known_from: writeInstant(holding?.fromAt),
    known_until: writeInstant(holding?.untilAt),
  };
}

/** Where people would take the name of a field for more than it says. */
const titles: Readonly<Record<string, string>> = {
  known_from: 'first reading',
  known_until: 'last reading',
};

/** The same for people: a line for each thing that is known. */
function renderExamination(examination: Examination, as: ExaminationFormat): string {
  const described = describeExamination(examination);
  if (as === 'json') return `${JSON.stringify(described, undefined, 2)}\n`;
  const { file, is_sound, problems, size_bytes, ...rest } = described;
  const rows = Object.entries({ size: `${showValue(size_bytes)} bytes`, ...rest })
    .map(([key, value]) => [titles[key] ?? key.replaceAll('_', ' '), showValue(value)] as const)
    .filter(([, text]) => text !== '');
  const width = 'closed periods'.length;
  return [
    `${file}: ${is_sound ? 'sound' : 'not sound'}`,
    ...rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`),
    ...problems.map(
      ({ table, problem }) => `  problem: ${table === undefined ? '' : `table ${table}: `}${problem}`,
    ),
    '',
  ].join('\n');
}

function showValue(value: string | number | readonly string[] = ''): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? value.toLocaleString('en-US') : value.join(', ');
}

function writeInstant(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}
