import type { AlertDefaults, Threshold } from '../../src/config/alert-setting.ts';
import { projectFamilies } from '../../src/resources/project.ts';
import { select } from '../promql.ts';
import type { consolePages } from './console-link.ts';
import type { RuleScope } from './rule-scope.ts';

/** Samples by series, one a minute from the start of time on, in promtool's notation: `0+60x30 stale`. */
export type Series = Readonly<Record<string, string>>;

/** A fault, and when the alert must be quiet, fire and be quiet again, as times since the start: `5m`. */
export interface FiringExample {
  readonly series: Series;
  /** The last minute before it fires; absent where the series begin with the fault. */
  readonly quietAt: string;
  readonly firesAt: string;
  readonly resolvedAt: string;
  /** All labels of the one alert that fires, besides `alertname` and `severity`. */
  readonly labels: Readonly<Record<string, string>>;
  /** The value as its sentences write it; absent where they name none. */
  readonly value?: string;
}

/** Series that look like the fault and are none. */
interface QuietExample {
  readonly series: Series;
  readonly at: string;
}

/** An example with other series; the fields it leaves out are as in the one it varies. */
type Variant<Example extends QuietExample | FiringExample> = Pick<Example, 'series'> & Partial<Example>;

interface Examples {
  readonly fires: FiringExample;
  readonly quiet: QuietExample;
}

/** One alert, with its defaults; no alert without an example that fires it and one that does not. */
export interface Alert<Name extends string = string> extends AlertDefaults {
  readonly thresholds: Readonly<Record<Name, Threshold>>;
  /** One sentence without values, for documents. */
  readonly summary: string;
  /** The summary that people get: it names the object and the amount, with `{{ }}` values. */
  readonly headline: string;
  /** The fault, with `{{ }}` values, and the remedy. */
  readonly description: string;
  /** The board that shows what it is about. */
  readonly board: keyof typeof consolePages;
  /** The operation of the project that it is about, by the name that the console has for it. */
  readonly incident?: 'last-failed' | 'oldest-open';
  /** The page of the console, where it is another one than that of its board. */
  readonly page?: string;
  /** The expression for these thresholds; durations in seconds. */
  expression(scope: RuleScope, thresholds: Readonly<Record<Name, number>>): string;
  readonly examples: Examples & {
    /** The same where the page is compact, as far as it differs; absent where that has the very same series. */
    readonly compact?: { readonly [Kind in keyof Examples]: Variant<Examples[Kind]> };
    /** How often the rules are evaluated meanwhile, a minute if not said; examples of days need fewer evaluations. */
    readonly evaluatedEvery?: string;
  };
}

/**
 * How long an alert on the fleet outlasts its cause: longer than an exporter that is down takes to be told, or an account
 * whose series just vanished, which mute it. Otherwise people would be told that it is over as nothing is known of it.
 */
export const outlastsSilence = '10m';

/** An alert whose expression knows its thresholds by name. */
export function defineAlert<const Name extends string = never>(alert: Alert<Name>): Alert {
  return alert;
}

/** A ratio for sentences that write it as whole percents: `humanizePercentage` writes 208,200% as 2.082e+05%. */
export function inPercent(ratio: string): string {
  return `100 * (${ratio})`;
}

/** Labels of the exporter that the examples are about, of its account, and of a project of that. */
export const target = { job: 'dbpm', instance: 'dbpm:10062' } as const;
export const account = { ...target, account: 'main' } as const;
export const project = { ...account, project_id: 'p1' } as const;

/** With every label that a page has, so that an alert with too many of them shows. */
export const describedProject = {
  ...project,
  project_name: 'shop',
  platform_id: 'aws',
  region_id: 'aws-eu-central-1',
  provisioner: 'k8s',
  pg_version: '17',
  proxy_host: 'eu-central-1.db.example.com',
} as const;

/** The series that gives alerts a project's name. */
export const named: Series = { [select(projectFamilies.info, describedProject)]: '1x10000' };
