import type { Setting } from './setting-row.ts';
import { duration, oneOf, quantity, truth, type ValueKind } from './value-kind.ts';

export type Severity = 'critical' | 'warning' | 'info';

/** What a user may tune in an alert besides what every alert has; a duration is written `1h`, a number `0.5`. */
export interface Threshold {
  readonly kind: 'duration' | 'number';
  readonly default: string;
  /** One sentence without its full stop. */
  readonly help: string;
}

/** What an alert declares of its settings; durations are written as a user would. */
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

/** The rows of the schema that one alert brings, in the shape of its values. */
export interface AlertSettings {
  readonly enabled: Setting<boolean>;
  readonly severity: Setting<Severity>;
  readonly forMs: Setting<number>;
  readonly keepFiringForMs?: Setting<number>;
  readonly thresholds: Readonly<Record<string, Setting<number>>>;
}

/** Where YAML holds the settings of alerts: `rules.alerts.<name>.<setting>`. */
export const alertsKey = 'rules.alerts';

/** The rows of the schema that follow from what an alert declares. */
export function makeAlertSettings(alert: AlertDefaults): AlertSettings {
  const row = <Value>(name: string, kind: ValueKind<Value>, byDefault: string, help: string) => ({
    key: `${alertsKey}.${alert.name}.${name}`,
    kind,
    default: byDefault,
    help,
    yaml: true,
  });
  const thresholds = Object.entries(alert.thresholds).map(([name, { kind, default: byDefault, help }]) => [
    name,
    row(name, kind === 'duration' ? duration : quantity, byDefault, help),
  ]);
  return {
    enabled: row('enabled', truth, 'true', 'whether the alert is in the rule file'),
    severity: row('severity', oneOf('critical', 'warning', 'info'), alert.severity, 'how urgent it is'),
    forMs: row('for', duration, alert.for, 'how long it must be so before it fires'),
    ...(alert.keepFiringFor !== undefined && {
      keepFiringForMs: row(
        'keep_firing_for',
        duration,
        alert.keepFiringFor,
        'how long it outlasts its cause',
      ),
    }),
    thresholds: Object.fromEntries(thresholds),
  };
}

/** All rows that alerts bring to the schema. */
export function listAlertSettings(alerts: readonly AlertDefaults[]): readonly Setting<unknown>[] {
  return alerts
    .map(makeAlertSettings)
    .flatMap(({ thresholds, ...rows }): Setting<unknown>[] => [
      ...Object.values<Setting<unknown>>(rows),
      ...Object.values(thresholds),
    ]);
}
