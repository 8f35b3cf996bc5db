import { dirname, isAbsolute, join } from 'node:path';
import { accountSettings } from './account-setting.ts';
import type { Account } from './config.ts';
import type { WrittenAccount } from './config-file.ts';
import type { Environment } from './environment.ts';
import { readSetting } from './node-reader.ts';
import type { Problem } from './problem.ts';
import { showKeyFile, showKeyVariable } from './shown-secret.ts';
import {
  describeReadFailure,
  type FileContent,
  type FollowedFile,
  followFile,
  type SourceFile,
} from './source-file.ts';
import { isUsableKey, keyFileAdvice, type ValueSchemas } from './value-schema.ts';
import { nodeProblem, type WrittenNode } from './written-node.ts';

/** Everything that reading an account needs, and where it says what is wrong. */
export interface AccountReading {
  readonly env: Environment;
  readonly readFile: (path: string) => SourceFile;
  /** The YAML file, whose folder a relative path in it starts from. */
  readonly configFile: string | undefined;
  readonly schemas: ValueSchemas;
  readonly problems: Problem[];
  readonly warnings: Problem[];
}

/** The key of an account, and whether that can still be read. */
type AccountKey = Pick<Account, 'readApiKey' | 'findKeyProblem'>;

export const keyFields = ['api_key', 'api_key_file', 'api_key_env'] as const;

/** The key of an account that is asked nothing: reading the history needs no key. */
export function unreadKey(): never {
  throw new Error('the API key was not read, as nothing is asked of the service');
}

/** A field of an account that is not there. */
export function missingField(
  { where, key }: WrittenAccount,
  field: keyof typeof accountSettings,
  expected: string,
): Problem {
  const { env } = accountSettings[field];
  const spelled = where === 'environment' && env !== undefined ? env : `${key}.${field}`;
  return { where, key: spelled, found: 'nothing', expected };
}

/** The key of an account; undefined after adding every problem it has. */
export function readAccountKey(account: WrittenAccount, reading: AccountReading): AccountKey | undefined {
  const { problems } = reading;
  const [first, second] = keyFields.flatMap(field => {
    const node = account.fields.get(field);
    return node === undefined ? [] : [{ field, node }];
  });
  if (first === undefined) {
    if (!account.holdsKey) problems.push(describeMissingKey(account));
    return undefined;
  }
  if (second !== undefined) {
    problems.push(nodeProblem(second.node, `it beside ${first.node.key}`, 'keep one of the two'));
    return undefined;
  }
  const named = readSetting(accountSettings[first.field], first.node, reading);
  return named === undefined ? undefined : readers[first.field](named, first.node, reading);
}

function describeMissingKey(account: WrittenAccount): Problem {
  return account.where === 'environment'
    ? missingField(account, 'api_key', 'set it, or DBPM_API_KEY_FILE')
    : missingField(account, 'api_key_file', 'write the path of a file that holds the key, or api_key_env');
}

/** The file that a path of an account names: a relative one that stands in the YAML file starts from its folder. */
function fileOf(path: string, node: WrittenNode, { configFile }: AccountReading): string {
  const fromFolder = node.range !== undefined && configFile !== undefined && !isAbsolute(path);
  return fromFolder ? join(dirname(configFile), path) : path;
}

type KeyReader = (named: string, node: WrittenNode, reading: AccountReading) => AccountKey | undefined;

const readKeyVariable: KeyReader = (variable, node, { env, problems }) => {
  const text = env[variable] ?? '';
  if (isUsableKey(text)) return { readApiKey: () => text };
  const content = text === '' ? 'is not set' : 'holds something that cannot be a key (not shown)';
  const advice = 'set that variable to the key, or write the name of one that is set';
  problems.push(nodeProblem(node, `${showKeyVariable(variable)}, which ${content}`, advice));
  return undefined;
};

const readKeyFile: KeyReader = (path, node, reading) => {
  const name = showKeyFile(path);
  const advice = { unreadable: keyFileAdvice, unusable: 'put the key and nothing else into it' };
  const followed = openFollowed({ path, node, name, advice, readContent: readKeyContent }, reading);
  if (followed?.readableByAll) {
    const found = `${name}, which every user may read`;
    reading.warnings.push(nodeProblem(node, found, 'take that right away (chmod 600)'));
  }
  return followed && { readApiKey: followed.read, findKeyProblem: followed.findProblem };
};

const readers = {
  api_key: (key: string): AccountKey => ({ readApiKey: () => key }),
  api_key_file: readKeyFile,
  api_key_env: readKeyVariable,
};

/** The text of a key file without its last line break. */
function readKeyContent({ text: written }: SourceFile): FileContent {
  const text = written.replace(/\r?\n$/, '');
  if (isUsableKey(text)) return { text };
  const isEmpty = text.trim() === '';
  return {
    problem: isEmpty ? 'which is empty' : 'which holds more than a key, such as a space or a second line',
  };
}

interface NamedFile {
  readonly path: string;
  readonly node: WrittenNode;
  /** The path as a problem may show it. */
  readonly name: string;
  /** Where the file cannot be read, and where it holds something else. */
  readonly advice: Readonly<Record<'unreadable' | 'unusable', string>>;
  readonly readContent: (source: SourceFile) => FileContent;
}

/** A file of an account, which is read again whenever it has changed; undefined after adding what is wrong with it now. */
export function openFollowed(
  { path, node, name, advice, readContent }: NamedFile,
  reading: AccountReading,
): (FollowedFile & Pick<SourceFile, 'readableByAll'> & { readonly file: string }) | undefined {
  const { readFile, problems } = reading;
  const file = fileOf(path, node, reading);
  const describe = (problem: string) => `${name}, ${problem}`;
  try {
    const source = readFile(file);
    const content = readContent(source);
    if ('text' in content) {
      const { read, findProblem } = followFile(file, content.text, () => readContent(readFile(file)));
      const findNamed = () => {
        const problem = findProblem();
        return problem && describe(problem);
      };
      return { file, readableByAll: source.readableByAll, read, findProblem: findNamed };
    }
    problems.push(nodeProblem(node, describe(content.problem), advice.unusable));
  } catch (error) {
    problems.push(nodeProblem(node, describe(describeReadFailure(error)), advice.unreadable));
  }
  return undefined;
}
