import { readAccountKey, unreadKey } from './account-key.ts';
import {
  findRepeatedNames,
  mergeAccounts,
  nameOf,
  readAccount,
  readAccountEnvironment,
} from './account-reader.ts';
import { listAlertSettings } from './alert-setting.ts';
import type { Account, Config, RuleConfig } from './config.ts';
import { type EffectiveSetting, listEffective, listNested } from './effective-setting.ts';
import { type Environment, findMistypedVariables, readEnvironment } from './environment.ts';
import { type Problem, sortProblems } from './problem.ts';
import { findRetentionProblems } from './retention-check.ts';
import { readRuleMaps } from './rule-reader.ts';
import { configFileSetting, globalSettings, type SettingValues, settings } from './setting.ts';
import type { Setting } from './setting-row.ts';
import { describeReadFailure, type SourceFile } from './source-file.ts';
import { readSpending, type Spending } from './spending-reader.ts';
import type { ConfigChecks } from './value-kind.ts';
import { makeProblem, parseWritten, type WrittenValue } from './written-value.ts';
import { readYamlFile, type WrittenAccount, type YamlFile } from './yaml-file.ts';

export interface LoadRequest {
  /** What was given on the command line, by key of the setting (`history.file`). */
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
}

export type Loaded = LoadedConfig | { readonly problems: readonly Problem[] };

type Layer = ReadonlyMap<string, WrittenValue>;
type Values = Omit<Config, 'accounts' | keyof Spending>;

/**
 * The configuration from flags, environment, file and defaults, in this order of precedence, with the files
 * it names read. All problems of all sources are found at once, also in settings that another source overrides.
 */
export function loadConfig(request: LoadRequest): Loaded {
  const { env, readFile, checks, now, isOffline = false } = request;
  const warnings: Problem[] = [];
  const { values, file, layers, configFile, problems } = readSources(request);
  const fromEnv = readAccountEnvironment(env);
  const written = mergeAccounts(file.accounts, fromEnv);
  problems.push(...findRepeatedNames(written));
  if (!isOffline) problems.push(...findMissingAccounts(written, file));
  const reading = { env, readFile, configFile: configFile?.text, checks, problems, warnings };
  const readKey = isOffline ? () => unreadKey : readAccountKey;
  const accounts = written.flatMap(account => readAccount(account, reading, readKey) ?? []);
  const names = file.accountsUnderstood && written.length > 0 ? written.map(nameOf) : undefined;
  const spending = readSpending(file.nested, { accounts: names, now, problems, warnings });
  warnings.push(...findUnusedVariables(env, fromEnv, written));
  if (problems.length > 0) return { problems: sortProblems(problems) };
  return {
    config: freezeConfig({ ...values, ...spending }, accounts),
    warnings,
    effective: [...listEffective(layers, written, configFile), ...listNested(file.nested)],
  };
}

/** The settings of the rule file alone: as `loadConfig`, but accounts and their keys need not be there. */
export function loadRuleConfig(
  request: LoadRequest,
): { readonly rules: RuleConfig } | { readonly problems: readonly Problem[] } {
  const { values, file, problems } = readSources(request);
  readSpending(file.nested, { accounts: undefined, now: request.now, problems, warnings: [] });
  return problems.length > 0 ? { problems: sortProblems(problems) } : { rules: values.rules };
}

/** All settings outside the accounts, and the file as it was written. */
function readSources({ flags, env, readFile, checks }: LoadRequest) {
  const problems: Problem[] = [];
  const rows = [configFileSetting, ...globalSettings].map(row => [row.key, row] as const);
  const flagLayer = readFlags(flags);
  const envLayer = readEnvironment(rows, env);
  const configFile =
    (flagLayer.get(configFileSetting.key) ?? envLayer.get(configFileSetting.key)) || undefined;
  const file = readConfigFile(configFile, readFile, { checks, problems });
  const layers = [flagLayer, envLayer, file.values];
  problems.push(...findRetentionProblems(layers, (row, written) => parseWritten(row, written, checks, [])));
  return { values: readValues(layers, checks, problems), file, layers, configFile, problems };
}

function readFlags(flags: LoadRequest['flags']): Layer {
  const layer = new Map<string, WrittenValue>();
  for (const { key, flag } of [configFileSetting, ...globalSettings]) {
    const text = flags[key];
    if (flag !== undefined && text !== undefined) layer.set(key, { text, where: 'flag', key: flag });
  }
  return layer;
}

const noFile: YamlFile = {
  values: new Map(),
  accounts: [],
  nested: new Map(),
  problems: [],
  accountsUnderstood: true,
};

function readConfigFile(
  written: WrittenValue | undefined,
  readFile: LoadRequest['readFile'],
  { checks, problems }: { readonly checks: ConfigChecks; readonly problems: Problem[] },
): YamlFile {
  if (written === undefined) return noFile;
  try {
    const alertKeys = listAlertSettings(checks.alerts).map(setting => setting.key);
    const file = readYamlFile(readFile(written.text).text, written.text, alertKeys);
    problems.push(...file.problems);
    return file;
  } catch (error) {
    const found = `${configFileSetting.kind.show(written.text)}, ${describeReadFailure(error)}`;
    problems.push(makeProblem(written, found, 'write the path of a readable YAML file'));
    return { ...noFile, accountsUnderstood: false };
  }
}

function readValues(layers: readonly Layer[], checks: ConfigChecks, problems: Problem[]): Values {
  function read<Value>(setting: Setting<Value>): Value | undefined {
    const fallback = { text: setting.default ?? '', where: 'default', key: setting.key };
    const written = layers.flatMap(layer => layer.get(setting.key) ?? []);
    const given = written.length > 0 ? written : [fallback];
    const [value] = given.map(each => parseWritten(setting, each, checks, problems));
    return value;
  }
  const mapEntries = <Value, Result>(tree: Record<string, Value>, change: (value: Value) => Result) =>
    Object.fromEntries(Object.entries(tree).map(([name, value]) => [name, change(value)]));
  const values = mapEntries<Record<string, Setting<unknown>>, Record<string, unknown>>(settings, section =>
    Object.freeze(mapEntries(section, read)),
  );
  // The tree has the shape of the schema by construction, and no undefined once there is no problem.
  const sections = values as SettingValues<typeof settings>;
  const written = layers.at(-1) ?? new Map();
  const maps = readRuleMaps(written, read, { checks, problems });
  return { ...sections, rules: Object.freeze({ ...sections.rules, ...maps }) };
}

function findMissingAccounts(
  accounts: readonly WrittenAccount[],
  { accountsUnderstood }: YamlFile,
): Problem[] {
  if (accounts.length > 0 || !accountsUnderstood) return [];
  const expected =
    'set DBPM_BASE_URL and DBPM_API_KEY (or DBPM_API_KEY_FILE), or list the accounts in a file given with --config.file';
  return [{ where: 'configuration', key: 'accounts', found: 'nothing', expected }];
}

/** Warns of variables nothing reads: mistyped ones, and those of an account that does not exist. */
function findUnusedVariables(
  env: Environment,
  fromEnv: Layer,
  accounts: readonly WrittenAccount[],
): Problem[] {
  const used = new Set(accounts.flatMap(({ values }) => values.get('api_key_env')?.text ?? []));
  const read = new Set(accounts.flatMap(({ values }) => [...values.values()]));
  const idle = [...fromEnv.values()].filter(written => !read.has(written) && !used.has(written.key));
  const expected = 'set DBPM_BASE_URL too, or DBPM_ACCOUNT_NAME to the account of the file that it is for';
  return [
    ...idle.map(written => makeProblem(written, 'a value that no account uses', expected)),
    ...findMistypedVariables(env, used),
  ];
}

function freezeConfig(values: Omit<Config, 'accounts'>, accounts: readonly Account[]): Config {
  return Object.freeze({
    ...values,
    accounts: Object.freeze(accounts.map(account => Object.freeze(account))),
  });
}
