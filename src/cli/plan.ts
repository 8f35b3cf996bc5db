import { Command } from 'commander';
import { loadCheckedConfig } from '../check/loaded-config.ts';
import type { Io } from './io.ts';
import { addPlanOptions, type PlanFlags } from './plan-option.ts';
import { renderSettingHelp } from './setting-help.ts';
import { addSettingOptions, readSettingFlags, serveSettings } from './setting-option.ts';

const sourceHelp = `
How many projects there are is said by --projects, or by the history of the configuration once the daemon has
read the account; no account need be configured. Nothing is asked of the service.`;

/** `plan`: what the configured cadence takes, what the budget allows, and how fresh and how large that is. */
export function planCommand(io: Io): Command {
  const command = new Command('plan').description(
    'say what a fleet takes in requests and series, how fresh it will be, and whether the budget is enough',
  );
  return addSettingOptions(addPlanOptions(command), serveSettings)
    .addHelpText('after', `${sourceHelp}\n${renderSettingHelp()}`)
    .action(async (flags: PlanFlags) => {
      const settings = readSettingFlags(command);
      const loaded = await loadCheckedConfig({ flags: settings, env: io.env, isOffline: true });
      // Only here, as SQLite and the metrics cost `--help` a noticeable time.
      const { printPlans } = await import('../plan/plan-printer.ts');
      printPlans(io, loaded, flags);
    });
}
