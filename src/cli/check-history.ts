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
sound.`;

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

/** The findings on a history, for people or for programs. */
function renderExamination(examination: Examination, format: ExaminationFormat): string {
  return format === 'json' ? renderJson(examination) : renderTable(examination);
}

function renderTable({ file, sizeBytes, format, flaws, holding }: Examination): string {
  const rows = [
    ['size', `${count(sizeBytes)} bytes`],
    ['format', format],
    ['accounts', holding?.accounts.join(', ')],
    ['projects', count(holding?.projects)],
    ['endpoints', count(holding?.endpoints)],
    ['operations', count(holding?.operations)],
    ['closed periods', count(holding?.closedPeriods)],
    ['known from', instant(holding?.fromAt)],
    ['known until', instant(holding?.untilAt)],
  ] as const;
  const width = rows.reduce((most, [name]) => Math.max(most, name.length), 0);
  const lines = rows.flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`  ${name.padEnd(width)}  ${value}`],
  );
  const problems = flaws.map(
    ({ table, problem }) => `  problem: ${table === undefined ? '' : `table ${table}: `}${problem}`,
  );
  const verdict = flaws.length === 0 ? 'sound' : 'not sound';
  return `${[`${file}: ${verdict}`, ...lines, ...problems].join('\n')}\n`;
}

function renderJson({ file, sizeBytes, format, flaws, holding }: Examination): string {
  const told = {
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
    known_from: instant(holding?.fromAt),
    known_until: instant(holding?.untilAt),
  };
  return `${JSON.stringify(told, undefined, 2)}\n`;
}

function count(value: number | undefined): string | undefined {
  return value?.toLocaleString('en-US');
}

function instant(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}
