import { Command } from 'commander';
import { loadCheckedConfig } from '../check/config/loaded-config.ts';
import { Failure } from '../resources/failure.ts';
import type { Io } from './io.ts';
import { addPlanOptions, type PlanFlags } from './plan-option.ts';
import { settingNote } from './setting-help.ts';
import { addSettingOptions, historySettings, readSettingFlags, serveSettings } from './setting-option.ts';

const sourceHelp = `
How many projects there are is said by --projects, or by the history of the configuration once the daemon has
read the account; no account need be configured. Nothing is asked of the service.
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
      const { renderPlans } = await import('../check/plan/format/rendering.ts');
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
