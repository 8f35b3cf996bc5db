import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alerts } from '../../../dashboards/rules/alert-catalog.ts';
import { startProgram } from '../../support/daemon-process.ts';

/** Fleets raise these by themselves, without any fault. */
const ofFleets = /^Dbpm(Operation|Endpoint|ApiKey|Budget|Usage|Findings|ProjectCpu)/;

/** The alerts that a fault may raise. */
export const watchedAlerts = alerts.map(({ name }) => name).filter(name => !ofFleets.test(name));

/** Settings of one alert. */
type AlertSettings = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The section `rules.alerts` by which alerts wait a second, with settings of their own for some. */
export function shortenAlerts(settings: AlertSettings): AlertSettings {
  return Object.fromEntries(
    alerts.map(({ name, keepFiringFor }) => [
      name,
      { for: '1s', ...(keepFiringFor !== undefined && { keep_firing_for: '1s' }), ...settings[name] },
    ]),
  );
}

/** Writes the rules of a configuration into a folder, as their user gets them. */
export async function writeRules(configFile: string, folder: string): Promise<string> {
  const program = startProgram(['rules', '--config.file', configFile]);
  const { code } = await program.exited;
  if (code !== 0) throw new Error(`rules ended with ${code}: ${program.stderr()}`);
  const file = join(folder, 'rules.yml');
  writeFileSync(file, program.stdout());
  return file;
}
