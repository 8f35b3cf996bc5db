import { Command } from 'commander';
import { type PlanFormat, type PlanRequest, planFormats, usualPageSize } from '../check/plan/request.ts';
import { Failure } from '../resources/failure.ts';
import { mostShards } from '../resources/shard.ts';
import { numberOf, type TextParser, wholeNumber } from '../resources/text-parser.ts';
import { addHistoryOptions, loadHistoryConfig } from './history-command.ts';
import type { Io } from './io.ts';
import { parsedOption, wordOption } from './option.ts';

const sourceHelp = `
The number of projects is that of --projects, or of the history once the daemon has read the account. No account need be
configured. Nothing is asked of the service.
`;

/** `plan`: what the configured cadence takes, what the budget allows, and how fresh and how large that is. */
export function planCommand(io: Io): Command {
  const command = new Command('plan').description(
    'say what a fleet takes in requests and series, how fresh it will be, and whether the budget is enough',
  );
  for (const option of planOptions) command.addOption(option);
  return addHistoryOptions(command, sourceHelp).action(async (flags: PlanFlags) => {
    const config = await loadHistoryConfig(command, io);
    // Loaded here alone: SQLite and the metrics cost `--help` a noticeable time.
    const { nameHistories } = await import('../history/file/history-list.ts');
    const { planFleet } = await import('../check/plan/fleet-plan.ts');
    const { renderPlans } = await import('../check/plan/format/table.ts');
    const { plans, unsized } = planFleet(config, flags);
    if (plans.length > 0) io.stdout(renderPlans(plans, flags.format));
    refuseUnsized(unsized, plans.length > 0, nameHistories(config.history.file));
  });
}

/** Ends a command that could not plan for every account. */
function refuseUnsized(unsized: readonly string[], isSomePlanned: boolean, file: string): void {
  if (unsized.length === 0 && isSomePlanned) return;
  const where = `the history ${file} knows no projects`;
  const which = unsized.length === 0 ? where : `${where} of ${unsized.join(', ')} yet`;
  throw new Failure(
    `${which}: say how many to plan for with --projects`,
    isSomePlanned ? 'partial' : 'usage',
  );
}

/** The values of the flags of `plan`. */
interface PlanFlags extends PlanRequest {
  readonly format: PlanFormat;
}

const averageParser = numberOf(/^\d{1,4}(\.\d{1,6})?$/, 'a number such as 1 or 1.5');
const shareParser: TextParser<number> = {
  expects: 'a share of the projects from 0% to 100%, such as 5%',
  parse(text) {
    const share = /^\d{1,3}(?:\.\d{1,6})?%$/.test(text) ? Number(text.slice(0, -1)) / 100 : Number.NaN;
    return share <= 1 ? share : undefined;
  },
};
const most = 1_000_000;

/** The flags of `plan`, whose values are `PlanFlags`. */
const planOptions = [
  parsedOption(
    '--projects <n>',
    'projects of each account (default: as many as the history knows)',
    wholeNumber(0, most),
  ),
  parsedOption(
    '--endpoints-per-project <n>',
    'endpoints a project has on average (default: as the history knows, else 1)',
    averageParser,
  ),
  parsedOption(
    '--busy <share>',
    'projects with something running (default: as the history knows, else 5%)',
    shareParser,
  ),
  parsedOption(
    '--requests-per-minute <n>',
    'a budget to try in place of the configured one',
    wholeNumber(1, most),
  ),
  parsedOption(
    '--page-size <n>',
    'projects the service puts on a page of their list',
    wholeNumber(1, most),
    usualPageSize,
  ),
  parsedOption(
    '--shards <n>',
    'exporters that share each account (default: as configured, else 1)',
    wholeNumber(1, mostShards),
  ),
  wordOption('--format <format>', 'how it is printed', planFormats, 'table'),
];
