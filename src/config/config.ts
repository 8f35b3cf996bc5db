import { type Collector, partCollectors } from '../resources/collector.ts';
import type { LinkTemplates } from '../resources/link-template.ts';
import type { ProjectGlobs } from '../resources/project-filter.ts';
import type { CpuSourceChoice } from '../resources/project-usage.ts';
import type { Shard } from '../resources/shard.ts';
import type { AlertValues } from './alert-setting.ts';
import type { Sections } from './setting.ts';
import type { Spending } from './spending-reader.ts';
import type { NamedWebFile } from './web-file.ts';

/** One account of the service. The key is behind a function, so that printing an account never shows it. */
export interface Account {
  readonly name: string;
  readonly base_url: URL;
  readonly readApiKey: () => string;
  /** Why its key file cannot be used now, while the key in use stays; absent where the key is not in a file. */
  readonly findKeyProblem?: () => string | undefined;
  /** The most requests a minute; of a shard its share. */
  readonly requestsPerMinute: number;
  /** The most requests a minute of all shards together; absent where there are none. */
  readonly sharedRequestsPerMinute?: number;
  /** The organisation whose projects are read; absent where the service need not be told. */
  readonly org_id?: string;
  /** Where the compute of its projects is counted from; found out where it is absent. */
  readonly cpuSource?: CpuSourceChoice;
  /** The proxy to go through, behind a function, as it may hold a password; absent where there is none. */
  readonly readProxy?: () => AccountProxy;
  /** The file with certificates of authorities to trust besides those of Node, as PEM; absent where there is none. */
  readonly ca?: { readonly file: string; readonly read: () => string };
  /** Why that file cannot be used now, while what it held stays in use. */
  readonly findCaProblem?: () => string | undefined;
  /** The projects that are watched, by globs on their names and ids. */
  readonly projects: ProjectGlobs;
}

export interface AccountProxy {
  readonly url: string;
  /** Hosts that are reached without it, as in NO_PROXY. */
  readonly except: string;
}

/** The settings of the rule file: the section `rules`, and each alert by name. */
export interface RuleConfig extends RuleSettings {
  /** Labels every alert carries besides its own. */
  readonly labels: Readonly<Record<string, string>>;
  /** The address that people reach the console by; empty where that is not said. */
  readonly consoleUrl: string;
  readonly alerts: Readonly<Record<string, AlertValues>>;
}

type RuleSettings = Sections['rules'];

/** The whole configuration, checked and frozen: the sections of the schema, the accounts, and what usage costs. */
export interface Config extends Omit<Sections, 'rules'>, Spending {
  readonly rules: RuleConfig;
  readonly links: LinkTemplates;
  /** The part of the projects to take; absent where that is all of them. */
  readonly shard?: Shard;
  readonly accounts: readonly Account[];
  /** The file that settings were read from; absent where none is given. */
  readonly configFile?: string;
  /** The web configuration file; absent where none is given. */
  readonly webFile?: NamedWebFile;
}

/** The collectors that are on, those included that not every service offers. */
export function activeCollectors({
  collectors,
  consumption,
  ...settings
}: Config['collect']): readonly Collector[] {
  return [
    ...collectors,
    ...(consumption === 'off' ? [] : (['consumption'] as const)),
    ...partCollectors.filter(collector => settings[collector] === 'on'),
  ];
}

/** How long the history keeps rows of each kind, in milliseconds. */
export function retentionTimes(history: Config['history']) {
  return {
    samples: history.keepSamplesMs,
    hours: history.keepHoursMs,
    days: history.keepDaysMs,
    operations: history.keepOperationsMs,
  };
}
