import { makeSettings, type Setting, type SettingRow } from './setting-row.ts';

/** Where YAML holds the settings of alerts: `rules.alerts.<name>.<setting>`. */
export const alertsKey = 'rules.alerts';

/** Where YAML holds labels for every alert, by names of the user's own. */
export const labelsKey = 'rules.labels';

const severities = ['critical', 'warning', 'info'] as const;
export type Severity = (typeof severities)[number];

/** A setting of one alert alone, beside the settings of every alert; a duration is written `1h`, a number `0.5`. */
export interface Threshold {
  readonly kind: 'duration' | 'number';
  readonly default: string;
  /** One sentence without its full stop. */
  readonly help: string;
}

/** An alert with the defaults of its settings; durations are written as a user would. */
export interface AlertDefaults {
  readonly name: string;
  readonly severity: Severity;
  readonly for: string;
  /** Absent where the alert has none, and then cannot be set. */
  readonly keepFiringFor?: string;
  readonly thresholds: Readonly<Record<string, Threshold>>;
}

/** The settings of one alert as they are in effect. */
export interface AlertValues {
  readonly enabled: boolean;
  readonly severity: Severity;
  readonly forMs: number;
  readonly keepFiringForMs?: number;
  /** By name; durations in milliseconds. */
  readonly thresholds: Readonly<Record<string, number>>;
}

/** The settings of one alert by name, its thresholds last. */
export function makeAlertSettings(alert: AlertDefaults): Readonly<Record<string, Setting>> {
  const { severity, keepFiringFor, thresholds } = alert;
  const rows: Record<string, SettingRow> = {
    enabled: { type: 'boolean', default: 'true', help: 'whether the alert is in the rule file' },
    severity: { type: 'word', words: severities, default: severity, help: 'how urgent it is' },
    for: { type: 'duration', default: alert.for, help: 'how long it must be so before it fires' },
    ...(keepFiringFor !== undefined && {
      keep_firing_for: { type: 'duration', default: keepFiringFor, help: 'how long it outlasts its cause' },
    }),
  };
  for (const [name, { kind, ...row }] of Object.entries(thresholds)) rows[name] = { type: kind, ...row };
  return makeSettings(rows, `${alertsKey}.${alert.name}.`);
}
