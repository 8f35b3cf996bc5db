import { Command, InvalidArgumentError, Option } from 'commander';
import { loadCheckedConfig } from '../check/config/loaded-config.ts';
import { type PlanFormat, type PlanRequest, planFormats, usualPageSize } from '../check/plan/request.ts';
import { Failure } from '../resources/failure.ts';
import { mostShards } from '../resources/shard.ts';
import type { Io } from './io.ts';
import { numberOption } from './option.ts';
import {
  addSettingOptions,
  historySettings,
  readSettingFlags,
  serveSettings,
  settingNote,
} from './setting-option.ts';

const sourceHelp = `
The number of projects is that of --projects, or of the history once the daemon has read the account. No account need be
configured. Nothing is asked of the service.
`;

/** `plan`: what the configured cadence takes, what the budget allows, and how fresh and how large that is. */
export function planCommand(io: Io): Command {
  const command = new Command('plan').description(
    'say what a fleet takes in requests and series, how fresh it will be, and whether the budget is enough',
  );
  return addSettingOptions(addPlanOptions(command), serveSettings, historySettings)
    .addHelpText('after', `${sourceHelp}\n${settingNote}`)
    .action(async (flags: PlanFlags) => {
      const settings = readSettingFlags(command);
      const { config } = await loadCheckedConfig({ flags: settings, env: io.env, isOffline: true });
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

/** Adds the flags of `plan`, whose values are `PlanFlags`. */
function addPlanOptions(command: Command): Command {
  const most = 1_000_000;
  return command
    .addOption(
      numberOption('--projects <n>', 'projects of each account (default: as many as the history knows)', {
        least: 0,
        most,
      }),
    )
    .option(
      '--endpoints-per-project <n>',
      'endpoints a project has on average (default: as the history knows, else 1)',
      readAverage,
    )
    .option(
      '--busy <share>',
      'projects with something running (default: as the history knows, else 5%)',
      readShare,
    )
    .addOption(
      numberOption('--requests-per-minute <n>', 'a budget to try in place of the configured one', {
        least: 1,
        most,
      }),
    )
    .addOption(
      numberOption('--page-size <n>', 'projects the service puts on a page of their list', {
        least: 1,
        most,
        byDefault: usualPageSize,
      }),
    )
    .addOption(
      numberOption('--shards <n>', 'exporters that share each account (default: as configured, else 1)', {
        least: 1,
        most: mostShards,
      }),
    )
    .addOption(new Option('--format <format>', 'how it is printed').choices(planFormats).default('table'));
}

function readAverage(text: string): number {
  const value = /^\d{1,4}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 0) return value;
  throw new InvalidArgumentError('write a number such as 1 or 1.5');
}

function readShare(text: string): number {
  const [, percent = ''] = /^(\d{1,3}(?:\.\d{1,6})?)%$/.exec(text) ?? [];
  const share = percent === '' ? Number.NaN : Number(percent) / 100;
  if (share <= 1) return share;
  throw new InvalidArgumentError('write a share of the projects from 0% to 100%, such as 5%');
}
