import { type AccountField, accountSettings } from './account-setting.ts';
import { type KeyReading, readApiKey } from './api-key-source.ts';
import type { Account } from './config.ts';
import type { Problem } from './problem.ts';
import type { ConfigChecks } from './value-kind.ts';
import { makeProblem, parseWritten } from './written-value.ts';
import type { WrittenAccount } from './yaml-file.ts';

export type KeyOfAccount = Account['readApiKey'];
export type AccountReading = KeyReading & { readonly checks: ConfigChecks };

export const keyFields = ['api_key', 'api_key_file', 'api_key_env'] as const;

/** Of an account that is asked nothing: whoever may read the history need not hold its key. */
export function unreadKey(): never {
  throw new Error('the API key was not read, as nothing is asked of the service');
}

/** A field of an account that is not there. */
export function missingField({ where, key }: WrittenAccount, field: AccountField, expected: string): Problem {
  const variable = accountSettings[field].env;
  const spelled = where === 'environment' && variable !== undefined ? variable : `${key}.${field}`;
  return { where, key: spelled, found: 'nothing', expected };
}

/** The key of an account; undefined after adding every problem it has. */
export function readAccountKey(account: WrittenAccount, reading: AccountReading): KeyOfAccount | undefined {
  const { checks, problems } = reading;
  const given = keyFields.flatMap(field => {
    const written = account.values.get(field);
    return written === undefined ? [] : [{ field, written }];
  });
  const [first, second] = given;
  if (first === undefined) {
    if (keyFields.some(field => account.refused.has(field))) return undefined;
    const inEnvironment = account.where === 'environment';
    const expected = inEnvironment
      ? 'set it, or DBPM_API_KEY_FILE'
      : 'write the path of a file that holds the key, or api_key_env';
    problems.push(missingField(account, inEnvironment ? 'api_key' : 'api_key_file', expected));
    return undefined;
  }
  if (second !== undefined) {
    problems.push(makeProblem(second.written, `it beside ${first.written.key}`, 'keep one of the two'));
    return undefined;
  }
  const usable = parseWritten<unknown>(accountSettings[first.field], first.written, checks, problems);
  const key = usable === undefined ? undefined : readApiKey(first.field, first.written, reading);
  return key === undefined ? undefined : () => key;
}
