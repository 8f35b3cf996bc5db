import { alerts } from '../../dashboards/rules/alert-catalog.ts';
import type { AlertDefaults } from '../../src/config/alert-setting.ts';

function renderSettings({ for: held, thresholds, keepFiringFor }: AlertDefaults): string {
  const own = Object.entries(thresholds).map(([name, { default: value }]) => `${name}: ${value}`);
  const values = [`for: ${held}`, ...own];
  if (keepFiringFor !== undefined) values.push(`keep_firing_for: ${keepFiringFor}`);
  return values.map(value => `\`${value}\``).join(', ');
}

/** The documents' table of all alerts with their defaults, in Markdown, one row each. */
export function renderAlertTable(): string {
  return [
    '| alert | severity | says | settings |',
    '|---|---|---|---|',
    ...alerts.map(alert => {
      const name = `[\`${alert.name}\`](#${alert.name.toLowerCase()})`;
      const cells = [name, alert.severity, alert.summary, renderSettings(alert)];
      return `| ${cells.join(' | ')} |`;
    }),
    '',
  ].join('\n');
}
