import { Command } from 'commander';
import { loadCheckedRules } from '../check/config/loaded-config.ts';
import type { Io } from './io.ts';
import { addSettingOptions, boardSettings, readSettingFlags } from './setting-option.ts';

/** `rules`: prints the Prometheus rule file, with the thresholds of the configuration. */
export function rulesCommand(io: Io): Command {
  const command = new Command('rules').description(
    'print the Prometheus rule file: alerts and recording rules with your own thresholds',
  );
  return addSettingOptions(command, boardSettings)
    .addHelpText('after', `\n${settingHelp}`)
    .action(async () => {
      const rules = await loadCheckedRules({ flags: readSettingFlags(command), env: io.env });
      const { renderRuleFile } = await import('../../dashboards/rules/rule-file.ts');
      io.stdout(renderRuleFile(rules));
    });
}

const settingHelp = `Thresholds, severities and labels come from the section "rules" of the file:

  rules:
    job: dbpm
    labels: {team: database}
    alerts:
      DbpmOperationStuck: {severity: critical, for: 10m, age: 2h}
      DbpmEndpointNeverSuspends: {enabled: false}

Accounts need not be configured to print it.`;
