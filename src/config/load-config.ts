import { compact } from '../resources/field.ts';
import type { Shard } from '../resources/shard.ts';
import { mergeAccounts, nameNode, nameOf, readAccount } from './account-reader.ts';
import { accountSettings } from './account-setting.ts';
import type { AlertDefaults } from './alert-setting.ts';
import type { Config, RuleConfig } from './config.ts';
import { type Layer, openConfigFile, type WrittenAccount } from './config-file.ts';
import { type EffectiveSetting, listEffective } from './effective-setting.ts';
import { type Environment, findMistypedVariables, readEnvironment, readFlags } from './environment.ts';
import { readLinks } from './link-reader.ts';
import { readSetting } from './node-reader.ts';
import { type Problem, sortProblems } from './problem.ts';
import { readAlert, readLabels } from './rule-reader.ts';
import {
  configFileSetting,
  type Sections,
  sectionSettings,
  settings,
  shardSetting,
  webFileSetting,
} from './setting.ts';
import { propertyOf, type Setting } from './setting-row.ts';
import { findSmallShares, shareConfig } from './shard-config.ts';
import { hideKeys } from './shown-secret.ts';
import type { SourceFile } from './source-file.ts';
import { freeze, readSpending } from './spending-reader.ts';
import { isUsableKey, makeValueSchemas, type ValueChecks } from './value-schema.ts';
import { openWebFile } from './web-file.ts';
import {
  childOf,
  findRepeatedNames,
  nodeProblem,
  textOf,
  type WrittenNode,
  writeText,
} from './written-node.ts';

export interface ConfigChecks extends ValueChecks {
  /** The alerts a user may tune, as the rule file declares them. */
  readonly alerts: readonly AlertDefaults[];
}

export interface LoadRequest {
  /** Settings that the command line gives, by key (`history.file`). */
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly env: Environment;
  readonly readFile: (path: string) => SourceFile;
  readonly checks: ConfigChecks;
  /** By this host's clock: what has ended until then is warned of. */
  readonly now: number;
  /** Nothing is asked of the service: without accounts, or without their keys, it is a configuration all the same. */
  readonly isOffline?: boolean;
}

/** A valid configuration, what deserves a second look in it, and where each value comes from. */
export interface LoadedConfig {
  readonly config: Config;
  readonly warnings: readonly Problem[];
  readonly effective: readonly EffectiveSetting[];
  /** The environment variables that hold keys and other secrets. */
  readonly keyVariables: readonly string[];
}

export type Loaded = LoadedConfig | { readonly problems: readonly Problem[] };

/**
 * The configuration from flags, environment, file and defaults, in this order of precedence, with the files
 * it names read. All problems of all sources are found at once, also in settings that another source overrides.
 */
export function loadConfig(request: LoadRequest): Loaded {
  const { env, readFile, now, isOffline = false } = request;
  const warnings: Problem[] = [];
  const { sections, shard, shardNode, file, layers, configNode, webNode, schemas, problems } =
    readSources(request);
  const fromEnv = readEnvironment(accountSettings, env);
  const written = mergeAccounts(file.accounts, fromEnv);
  problems.push(...findRepeatedNames(written.map(nameNode), 'account'));
  if (!isOffline && written.length === 0 && file.accountsUnderstood) problems.push(missingAccounts);
  const configFile = configNode && textOf(configNode);
  const reading = { env, readFile, configFile, schemas, problems, warnings };
  const accounts = written.flatMap(account => readAccount(account, reading, isOffline) ?? []);
  if (shard !== undefined) problems.push(...findSmallShares(accounts, shard, shardNode));
  const names =
    file.accountsUnderstood && written.length > 0 ? written.map(nameOf).filter(Boolean) : undefined;
  const spending = readSpending(file.root, { accounts: names, now, problems, warnings });
  const links = readLinks(childOf(file.root, 'links'), problems);
  const webFile = webNode && openWebFile(webNode, readFile, problems);
  warnings.push(...findUnusedVariables(env, fromEnv, written));
  const keyVariables = listKeyVariables(written, env);
  if (problems.length > 0) {
    const keys = keyVariables.map(variable => env[variable] ?? '').filter(isUsableKey);
    if (!isOffline) keys.push(...accounts.map(({ readApiKey }) => readApiKey()));
    return { problems: sortProblems(problems).map(problem => hideKeys(problem, keys)) };
  }
  const files = compact({ configFile, webFile });
  const whole = { ...sections, ...spending, links, accounts, ...files };
  return {
    keyVariables,
    config: freeze({ ...whole, ...(shard && shareConfig(whole, shard)) }),
    warnings,
    effective: listEffective({ layers, accounts: written, configNode, webNode, root: file.root }),
  };
}

/** The settings of the rule file alone: as `loadConfig`, but accounts and their keys need not be there. */
export function loadRuleConfig(
  request: LoadRequest,
): { readonly rules: RuleConfig } | { readonly problems: readonly Problem[] } {
  const { sections, file, problems } = readSources(request);
  readSpending(file.root, { accounts: undefined, now: request.now, problems, warnings: [] });
  readLinks(childOf(file.root, 'links'), problems);
  return problems.length > 0 ? { problems: sortProblems(problems) } : { rules: freeze(sections.rules) };
}

/** All settings outside the accounts, and the file as it was written. */
function readSources({ flags, env, readFile, checks }: LoadRequest) {
  const problems: Problem[] = [];
  const schemas = makeValueSchemas(checks);
  const all = {
    [configFileSetting.key]: configFileSetting,
    [webFileSetting.key]: webFileSetting,
    [shardSetting.key]: shardSetting,
    ...settings,
  };
  const flagLayer = readFlags(all, flags);
  const envLayer = readEnvironment(all, env);
  const pathNode = ({ key }: Setting) => [flagLayer, envLayer].flatMap(layer => layer.get(key) ?? []).at(0);
  const configNode = pathNode(configFileSetting);
  const webNode = pathNode(webFileSetting);
  const file = openConfigFile(configNode, readFile, checks.alerts);
  for (const problem of file.problems) problems.push(problem);
  const layers = [flagLayer, envLayer, file.values];
  const written = ({ key, default: usual = '' }: Setting): readonly [WrittenNode, ...WrittenNode[]] => {
    const [first, ...others] = layers.flatMap(layer => layer.get(key) ?? []);
    return [first ?? writeText(usual, 'default', key), ...others];
  };
  const read = (setting: Setting) =>
    written(setting).map(node => readSetting(setting, node, { schemas, problems }))[0];
  problems.push(
    ...findRetentionProblems(
      setting => written(setting)[0],
      setting => readSetting(setting, written(setting)[0], { schemas, problems: [] }),
    ),
  );
  const labels = readLabels(file.root, problems);
  const alerts = Object.fromEntries(checks.alerts.map(alert => [alert.name, readAlert(alert, read)]));
  const values = readSections(read);
  const sections = {
    ...values,
    rules: { ...values.rules, labels, alerts, consoleUrl: values.web.externalUrl },
  };
  const [shardNode] = written(shardSetting);
  // An empty one that was written is a part that is missing.
  const shard = shardNode.where === 'default' ? undefined : (read(shardSetting) as Shard | undefined);
  return { sections, shard, shardNode, file, layers, configNode, webNode, schemas, problems };
}

function readSections(read: (setting: Setting) => unknown): Sections {
  const sections: Record<string, Record<string, unknown>> = {};
  for (const setting of sectionSettings) {
    const [section = ''] = setting.key.split('.');
    sections[section] = { ...sections[section], [propertyOf(setting, section)]: read(setting) };
  }
  // The values have the types of their rows by construction, and are not undefined once there is no problem.
  return sections as Sections;
}

const missingAccounts: Problem = {
  where: 'configuration',
  key: 'accounts',
  found: 'nothing',
  expected:
    'set DBPM_BASE_URL and DBPM_API_KEY (or DBPM_API_KEY_FILE), or list the accounts in a file given with --config.file',
};

/** The variables that are to hold secrets, whether they are needed or not. */
function listKeyVariables(accounts: readonly WrittenAccount[], env: Environment): readonly string[] {
  const named = accounts.flatMap(({ fields }) => fields.get('api_key_env') ?? []).map(textOf);
  const own = accountSettings.api_key.env ?? '';
  // A proxy may be named with its password.
  const proxies = ['https_proxy', 'HTTPS_PROXY'].filter(variable => env[variable]?.includes('@'));
  return [...new Set([own, ...named, ...proxies])].filter(variable => env[variable] !== undefined);
}

/** Warns of variables that are not read: mistyped ones, and settings of an account that does not exist. */
function findUnusedVariables(
  env: Environment,
  fromEnv: Layer,
  accounts: readonly WrittenAccount[],
): Problem[] {
  const variables = accounts.flatMap(({ fields }) => fields.get('api_key_env') ?? []);
  const used = new Set(variables.map(textOf));
  const read = new Set(accounts.flatMap(({ fields }) => [...fields.values()]));
  const idle = [...fromEnv.values()].filter(node => !read.has(node) && !used.has(node.key));
  const expected = 'set DBPM_BASE_URL too, or DBPM_ACCOUNT_NAME to the account of the file that it is for';
  return [
    ...idle.map(node => nodeProblem(node, 'a value that no account uses', expected)),
    ...findMistypedVariables(env, used),
  ];
}

/** Each is made of the one before it and outlives it. */
const stages = [
  [settings['history.keep_samples'], settings['history.keep_hours']],
  [settings['history.keep_hours'], settings['history.keep_days']],
] as const;

/**
 * A problem for each roll-up that would be thrown away before what it is made of.
 *
 * @param inEffect the setting as it is written where it counts.
 * @param read its value in milliseconds; undefined for one that is wrong.
 */
function findRetentionProblems(
  inEffect: (setting: Setting) => WrittenNode,
  read: (setting: Setting<'duration'>) => number | undefined,
): Problem[] {
  return stages.flatMap(([finer, coarser]) => {
    const [finerMs, coarserMs] = [read(finer), read(coarser)];
    if (finerMs === undefined || coarserMs === undefined || coarserMs >= finerMs) return [];
    const [kept, keptCoarser] = [inEffect(finer), inEffect(coarser)];
    const nameOf = (node: WrittenNode) => `${node.key} (${node.where}: ${textOf(node)})`;
    if (keptCoarser.where === 'default') {
      const expected = `write ${textOf(keptCoarser)} or less, or a longer ${coarser.key}`;
      return [nodeProblem(kept, `${textOf(kept)}, longer than ${nameOf(keptCoarser)}`, expected)];
    }
    const found = `${textOf(keptCoarser)}, shorter than ${nameOf(kept)}`;
    return [nodeProblem(keptCoarser, found, `write ${textOf(kept)} or more`)];
  });
}
