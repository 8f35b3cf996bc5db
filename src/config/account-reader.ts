import { type AccountReading, type KeyOfAccount, keyFields, missingField } from './account-key.ts';
import { type AccountField, accountSettings } from './account-setting.ts';
import type { Account } from './config.ts';
import { type Environment, readEnvironment } from './environment.ts';
import { type Problem, quoteValue } from './problem.ts';
import type { Setting } from './setting-row.ts';
import { makeProblem, parseWritten, type WrittenValue } from './written-value.ts';
import type { WrittenAccount } from './yaml-file.ts';

const defaultName = accountSettings.name.default ?? '';

/** What the environment says about one account, by field. */
export function readAccountEnvironment(env: Environment): ReadonlyMap<string, WrittenValue> {
  return readEnvironment(Object.entries<Setting<unknown>>(accountSettings), env);
}

/**
 * The accounts of the file with the one of the environment: it overrides, field by field, the account of its
 * name, and is an account of its own where the file has none of that name.
 */
export function mergeAccounts(
  fromFile: readonly WrittenAccount[],
  fromEnv: ReadonlyMap<string, WrittenValue>,
): readonly WrittenAccount[] {
  const name = fromEnv.get('name')?.text ?? defaultName;
  const existing = fromFile.find(account => nameOf(account) === name);
  if (existing !== undefined)
    return fromFile.map(account => (account === existing ? override(account, fromEnv) : account));
  const defines = fromEnv.has('base_url') || (fromFile.length === 0 && fromEnv.size > 0);
  if (!defines) return fromFile;
  return [
    ...fromFile,
    { where: 'environment', key: `accounts[${fromFile.length}]`, values: fromEnv, refused: new Set() },
  ];
}

/** What an account is called, whether it may be called so or not. */
export function nameOf({ values }: WrittenAccount): string {
  return values.get('name')?.text ?? defaultName;
}

/** A key from the environment takes the place of the file's, however that names it. */
function override(account: WrittenAccount, fromEnv: ReadonlyMap<string, WrittenValue>): WrittenAccount {
  const bringsKey = keyFields.some(field => fromEnv.has(field));
  const kept = [...account.values].filter(([field]) => !(bringsKey && keyFields.some(key => key === field)));
  return { ...account, values: new Map([...kept, ...fromEnv]) };
}

/** Reads one account, and its key as `readKey` does; undefined after adding every problem it has. */
export function readAccount(
  account: WrittenAccount,
  reading: AccountReading,
  readKey: (account: WrittenAccount, reading: AccountReading) => KeyOfAccount | undefined,
): Account | undefined {
  const { checks, problems } = reading;
  const before = problems.length;
  function read<Value>(field: AccountField, setting: Setting<Value>): Value | undefined {
    const written = account.values.get(field);
    if (written !== undefined) return parseWritten(setting, written, checks, problems);
    const fallback = { text: setting.default ?? '', where: 'default', key: setting.key };
    if (setting.default !== undefined) return parseWritten(setting, fallback, checks, problems);
    if (!account.refused.has(field)) problems.push(missingField(account, field, setting.kind.expected));
    return undefined;
  }
  const name = read('name', accountSettings.name);
  const base_url = read('base_url', accountSettings.base_url);
  const requestsPerMinute = read('requests_per_minute', accountSettings.requests_per_minute);
  const include = read('projects.include', accountSettings['projects.include']);
  const exclude = read('projects.exclude', accountSettings['projects.exclude']);
  const readApiKey = readKey(account, reading);
  if (problems.length > before || !name || !base_url || !requestsPerMinute) return undefined;
  if (readApiKey === undefined || include === undefined || exclude === undefined) return undefined;
  const projects = Object.freeze({ include, exclude });
  return { name, base_url, readApiKey, requestsPerMinute, projects };
}

/** One problem for each account whose name an earlier one has. */
export function findRepeatedNames(accounts: readonly WrittenAccount[]): Problem[] {
  const seen = new Set<string>();
  return accounts.flatMap(({ where, key, values }) => {
    const written = values.get('name') ?? { text: defaultName, where, key: `${key}.name` };
    const repeated = seen.has(written.text);
    seen.add(written.text);
    const found = `${quoteValue(written.text)} a second time`;
    return repeated ? [makeProblem(written, found, 'write a different name for each account')] : [];
  });
}
