import { Buffer } from 'node:buffer';
import { showKeyFile } from '../../../config/shown-secret.ts';
import { describeReadFailure, followFile, readSourceFile } from '../../../config/source-file.ts';
import { Failure } from '../../../resources/failure.ts';

/** Paths of the files with which one logs in at a receiver. */
export interface LoginFiles {
  /** A bearer token. */
  readonly bearerTokenFile?: string;
  /** A user name, a colon and a password. */
  readonly basicAuthFile?: string;
  /** Headers, one a line. */
  readonly headerFile?: string;
}

/** The headers of a login, read again whenever their files change. */
export interface Login {
  readonly readHeaders: () => Readonly<Record<string, string>>;
  /** All that may show nowhere. */
  readonly listSecrets: () => readonly string[];
  /** The paths of the files that every user may read. */
  readonly openFiles: readonly string[];
  /** Whether there is more to it than headers that say whose the samples are. */
  readonly hasAuthorization: boolean;
}

/** The content of a file, and what is made of it. */
interface FileKind {
  /** Follows the name of the file; undefined where all is well. */
  readonly findProblem: (text: string) => string | undefined;
  readonly readHeaders: (text: string) => Readonly<Record<string, string>>;
  readonly listSecrets: (text: string) => readonly string[];
}

interface LoginFile extends FileKind {
  readonly file: FlagFile;
}

/** @throws Failure when a file cannot be read or holds something else. */
export function readLogin({ bearerTokenFile, basicAuthFile, headerFile }: LoginFiles): Login {
  const open = (flag: string, path: string | undefined, kind: FileKind): readonly LoginFile[] =>
    path === undefined ? [] : [{ ...kind, file: readFlagFile(flag, path, kind.findProblem) }];
  const files = [
    ...open('--bearer-token-file', bearerTokenFile, bearerToken),
    ...open('--basic-auth-file', basicAuthFile, basicAuth),
    ...open('--header-file', headerFile, headerLines),
  ];
  const readAll = () => files.map(each => each.readHeaders(each.file.read()));
  const logins = readAll().filter(headers => 'authorization' in headers).length;
  if (logins > 1)
    throw new Failure(
      '--bearer-token-file, --basic-auth-file and Authorization in --header-file are logins: give one of them',
      'usage',
    );
  return {
    readHeaders: () => Object.assign({}, ...readAll()),
    listSecrets: () => files.flatMap(each => each.listSecrets(each.file.read())),
    openFiles: files.flatMap(({ file }) => (file.readableByAll ? [file.path] : [])),
    hasAuthorization: logins > 0,
  };
}

const bearerToken: FileKind = {
  findProblem: text =>
    /^[\x21-\x7e]+$/.test(text) ? undefined : 'which holds no token: write it and nothing else',
  readHeaders: text => ({ authorization: `Bearer ${text}` }),
  listSecrets: text => [text],
};

const basicAuth: FileKind = {
  findProblem: text =>
    /^[^:\r\n]+:[^\r\n]+$/.test(text)
      ? undefined
      : 'which holds no login: write user:password and nothing else',
  readHeaders: text => ({ authorization: `Basic ${encodeBasic(text)}` }),
  listSecrets: text => [text.slice(text.indexOf(':') + 1), encodeBasic(text)],
};

function encodeBasic(text: string): string {
  return Buffer.from(text).toString('base64');
}

const headerLine = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\x20-\x7e]*[\x21-\x7e])$/;
/** Headers that the request itself has. */
const ownHeader =
  /^(host|connection|transfer-encoding|content-.*|user-agent|x-prometheus-remote-write-version|accept(-encoding)?|expect|keep-alive|upgrade|te|trailer)$/i;

const headerLines: FileKind = {
  findProblem(text) {
    const lines = listLines(text);
    const strange = lines.findIndex(line => !headerLine.test(line));
    if (lines.length === 0) return 'which holds no header: write one a line, such as X-Scope-OrgID: team';
    if (strange >= 0)
      return `whose line ${strange + 1} is no header: write one a line, such as X-Scope-OrgID: team`;
    const own = listHeaders(text).find(([name]) => ownHeader.test(name))?.[0];
    return own && `which has the header ${own}: leave it out, as the export sets it itself`;
  },
  readHeaders: text => Object.fromEntries(listHeaders(text)),
  // Names of tenants and the like are no secrets, but cannot be told from tokens.
  listSecrets: text => listHeaders(text).flatMap(([, value]) => [value, ...value.split(' ').slice(1)]),
};

function listLines(text: string): readonly string[] {
  return text.split(/\r?\n/).filter(line => line.trim() !== '');
}

function listHeaders(text: string): readonly (readonly [name: string, value: string])[] {
  return listLines(text).map(line => {
    const [, name = '', value = ''] = headerLine.exec(line) ?? [];
    return [name.toLowerCase(), value];
  });
}

/** A file that a flag names, read again whenever it has changed. */
interface FlagFile {
  readonly path: string;
  /** Its text without the line breaks at its end. */
  readonly read: () => string;
  /** Whether every user may read it. */
  readonly readableByAll: boolean;
}

/**
 * @param findProblem is given the text, and answers what is wrong with it as it follows the name of the file.
 * @throws Failure when the file cannot be read or something is wrong with it.
 */
export function readFlagFile(
  flag: string,
  path: string,
  findProblem: (text: string) => string | undefined,
): FlagFile {
  const readContent = () => {
    const { text: whole, readableByAll } = readSourceFile(path);
    const text = whole.replace(/[\r\n]+$/, '');
    const problem = findProblem(text);
    return problem === undefined ? { text, readableByAll } : { problem };
  };
  const refuse = (problem: string) => new Failure(`${flag}: found ${showKeyFile(path)}, ${problem}`, 'usage');
  try {
    const content = readContent();
    if (content.problem !== undefined) throw refuse(content.problem);
    const { text, readableByAll } = content;
    return { path, read: followFile(path, text, readContent).read, readableByAll };
  } catch (error) {
    throw error instanceof Failure ? error : refuse(describeReadFailure(error));
  }
}
