import { Argument, Command, Option } from 'commander';
import { type Problem, renderProblem } from '../config/problem.ts';
import { type ReportKind, reportKinds } from '../report/kind.ts';
import {
  describeParameter,
  flagOf,
  joinKinds,
  type Parameter,
  type ParameterName,
  parameterNames,
  parameters,
  type ReportOptions,
} from '../report/parameter.ts';
import { Failure } from '../resources/failure.ts';
import { addHistoryOptions, loadHistoryConfig } from './history-command.ts';
import type { Io } from './io.ts';
import { parsedOption, wordOption } from './option.ts';
import { printNote, withProgress } from './terminal.ts';

const sourceHelp = `
Everything comes from the history, also beside a running daemon. Nothing is asked of the service, and no API key is
needed. Where the history lacks a part, stderr says what is missing, and the exit code is 3.
`;

/** `report`: usage, cost, API keys, operations or findings of a period, how it ends, why its cost is another one, or a showback. */
export function reportCommand(
  io: Io,
  { now = () => Date.now() }: { readonly now?: () => number } = {},
): Command {
  const command = new Command('report')
    .description(
      'answer from the history: what was used, what it cost and why that changed, budgets, forecasts, findings, operations, API keys, a page for each group (showback)',
    )
    .addArgument(new Argument('<what>', 'what is reported').choices(reportKinds));
  for (const name of parameterNames) command.addOption(optionOf(name));
  return addHistoryOptions(command, sourceHelp).action(async (kind: ReportKind, options: ReportOptions) => {
    const config = await loadHistoryConfig(command, io);
    // Loaded here alone: SQLite costs `--help` a noticeable time.
    const { writeReport } = await import('../report/written-report.ts');
    const onWarning = (warning: Problem) => printNote(io, 'warning', renderProblem(warning));
    const order = { kind, options, config, now: now() };
    const { text, gaps } = await withProgress(io, 'reading the history', onProgress =>
      writeReport(order, { onWarning, onProgress }),
    );
    io.stdout(text);
    for (const gap of gaps) printNote(io, 'partial', gap);
    if (gaps.length > 0) throw new Failure('the report is not of all that was asked for', 'partial');
  });
}

/** The flag of a parameter, with the reports that it is for where it is not for all. */
function optionOf(name: ParameterName): Option {
  const parameter: Parameter = parameters[name];
  const { placeholder, words, parser, reports } = parameter;
  const flags = `${flagOf(name)}${placeholder === undefined ? '' : ` <${placeholder}>`}`;
  const text = `${reports === undefined ? '' : `for ${joinKinds(reports)}: `}${describeParameter(parameter)}`;
  if (words !== undefined) return wordOption(flags, text, words);
  return parser === undefined ? new Option(flags, text) : parsedOption(flags, text, parser);
}
