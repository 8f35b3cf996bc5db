import { cpuSourceChoices } from '../resources/project-usage.ts';
import { type AccountReading, keyFields, missingField, readAccountKey, unreadKey } from './account-key.ts';
import { readNetwork } from './account-network.ts';
import { accountSettings } from './account-setting.ts';
import type { Account } from './config.ts';
import type { Layer, WrittenAccount } from './config-file.ts';
import { readSetting } from './node-reader.ts';
import { adviceOf } from './schema.ts';
import type { Setting } from './setting-row.ts';
import type { SettingType, ValueOfType } from './value-schema.ts';
import { nodeProblem, textOf, type WrittenNode, writeText } from './written-node.ts';

/**
 * The accounts of the file with the one of the environment: it overrides, field by field, the account of its
 * name, and is an account of its own where the file has none of that name.
 */
export function mergeAccounts(
  fromFile: readonly WrittenAccount[],
  fromEnv: Layer,
): readonly WrittenAccount[] {
  const ofEnv = {
    where: 'environment',
    key: `accounts[${fromFile.length}]`,
    fields: fromEnv,
    holdsKey: false,
  };
  const existing = fromFile.find(account => nameOf(account) === nameOf(ofEnv));
  if (existing !== undefined) {
    return fromFile.map(account => (account === existing ? override(account, fromEnv) : account));
  }
  const defines = fromEnv.has('base_url') || (fromFile.length === 0 && fromEnv.size > 0);
  return defines ? [...fromFile, ofEnv] : fromFile;
}

/** The name of an account, whether it may be called so or not. */
export function nameOf(account: WrittenAccount): string {
  return textOf(nameNode(account));
}

/** Where the name of an account is written, or would be. */
export function nameNode({ where, key, fields }: WrittenAccount): WrittenNode {
  return fields.get('name') ?? writeText(accountSettings.name.default ?? '', where, `${key}.name`);
}

/** Whether a key stands in an address, where logs and people would see it; a host name is one without capitals. */
function holdsKey(url: URL, key: string): boolean {
  const spellings = [url.href, safeDecode(url.href)].map(text => text.toLowerCase());
  return key.length >= 8 && spellings.some(text => text.includes(key.toLowerCase()));
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A key from the environment takes the place of the file's, however that names it. */
function override(account: WrittenAccount, fromEnv: Layer): WrittenAccount {
  const bringsKey = keyFields.some(field => fromEnv.has(field));
  const kept = [...account.fields].filter(([field]) => !(bringsKey && keyFields.some(key => key === field)));
  return { ...account, fields: new Map([...kept, ...fromEnv]) };
}

/** Reads one account, without its key if nothing `isOffline`; undefined after adding every problem it has. */
export function readAccount(
  account: WrittenAccount,
  reading: AccountReading,
  isOffline: boolean,
): Account | undefined {
  const { problems } = reading;
  const before = problems.length;
  function read<Type extends SettingType>(
    field: keyof typeof accountSettings,
    setting: Setting<Type>,
  ): ValueOfType<Type> | undefined {
    const node = account.fields.get(field);
    if (node !== undefined) return readSetting(setting, node, reading);
    if (setting.default !== undefined) {
      return readSetting(setting, writeText(setting.default, 'default', setting.key), reading);
    }
    problems.push(missingField(account, field, adviceOf(reading.schemas[setting.type](setting))));
    return undefined;
  }
  const name = read('name', accountSettings.name);
  const base_url = read('base_url', accountSettings.base_url);
  const requestsPerMinute = read('requests_per_minute', accountSettings.requests_per_minute);
  const include = read('projects.include', accountSettings['projects.include']);
  const exclude = read('projects.exclude', accountSettings['projects.exclude']);
  const orgNode = account.fields.get('org_id');
  const org_id = orgNode && readSetting(accountSettings.org_id, orgNode, reading);
  const source = read('cpu_source', accountSettings.cpu_source);
  const cpuSource = cpuSourceChoices.find(word => word === source);
  const network = isOffline ? {} : readNetwork(account, base_url, reading);
  const key = isOffline ? { readApiKey: unreadKey } : readAccountKey(account, reading);
  if (problems.length > before || !name || !base_url || !requestsPerMinute || !cpuSource) return undefined;
  if (key !== undefined && !isOffline && holdsKey(base_url, key.readApiKey())) {
    const node = account.fields.get('base_url') ?? nameNode(account);
    problems.push(
      nodeProblem(
        node,
        'an address that holds the API key',
        'write it without: the key has a setting of its own',
      ),
    );
    return undefined;
  }
  if (key === undefined || include === undefined || exclude === undefined) return undefined;
  const organisation = org_id === undefined ? {} : { org_id };
  return {
    ...{ name, base_url, ...key, requestsPerMinute, cpuSource },
    ...organisation,
    ...network,
    projects: { include, exclude },
  };
}
