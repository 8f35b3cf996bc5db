import { createPrivateKey, X509Certificate } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { compact } from '../resources/field.ts';
import type { TlsAccess, WebAccess } from '../resources/web-access.ts';
import { readNode } from './node-reader.ts';
import { type Problem, quoteValue } from './problem.ts';
import type { Placed } from './schema.ts';
import { describeReadFailure, type SourceFile, stampFile } from './source-file.ts';
import { cipherSuites, curves, type WrittenTls, type WrittenWeb, webSchema } from './web-schema.ts';
import { missingKey, nodeProblem, textOf, type WrittenNode, writeText } from './written-node.ts';
import { readYamlFile } from './yaml-file.ts';

/** The web configuration file, and all files that it rests on: a change of one of them changes it. */
interface WebFile {
  readonly access: WebAccess;
  /** Their stamps from before they were read, by path. */
  readonly files: ReadonlyMap<string, string>;
}

/** A web configuration file and its path. */
export interface NamedWebFile extends WebFile {
  readonly path: string;
}

/** Reads a web configuration file anew, with the certificates and keys it names. */
export function readWebFile(
  path: string,
  readFile: ReadFile,
): { readonly file?: NamedWebFile; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const file = openWebFile(writeText(path, path, 'the file'), readFile, problems);
  return { ...(file && { file }), problems };
}

type ReadFile = (path: string) => SourceFile;

/**
 * Reads the web configuration file that `node` names, with the certificates and keys it names; paths in it are relative
 * to its own directory. Undefined after adding to `problems` what is wrong with it.
 */
export function openWebFile(
  node: WrittenNode,
  readFile: ReadFile,
  problems: Problem[],
): NamedWebFile | undefined {
  const path = textOf(node);
  const stamp = stampFile(path);
  let text: string;
  try {
    ({ text } = readFile(path));
  } catch (error) {
    const found = `${quoteValue(path)}, ${describeReadFailure(error)}`;
    problems.push(nodeProblem(node, found, 'write the path of a readable web configuration file'));
    return undefined;
  }
  const file = readWebText(text, path, readFile, problems);
  return file && { ...file, files: new Map([[path, stamp], ...file.files]), path };
}

function readWebText(
  text: string,
  path: string,
  readFile: ReadFile,
  problems: Problem[],
): WebFile | undefined {
  const file = readYamlFile(text, path);
  problems.push(...file.problems);
  if (!file.isYaml) return undefined;
  const written = readNode(webSchema, file.root, problems);
  return written && readAccess(written, path, readFile, problems);
}

function readAccess(
  written: WrittenWeb,
  path: string,
  readFile: ReadFile,
  problems: Problem[],
): WebFile | undefined {
  const before = problems.length;
  const { tls_server_config, http_server_config, basic_auth_users = [], rate_limit } = written;
  const files = new Map<string, string>();
  const readPem = pemReader({ folder: dirname(path), files, readFile, problems });
  const tls = tls_server_config && readTls(tls_server_config, readPem, problems);
  if (problems.length > before) return undefined;
  const limit = rate_limit &&
    rate_limit.interval > 0 && { burst: rate_limit.burst ?? 0, intervalMs: rate_limit.interval };
  return {
    access: {
      ...compact({ tls }),
      headers: http_server_config?.headers ?? {},
      users: new Map(basic_auth_users.map(({ name, value }) => [name, value])),
      ...(limit && { rateLimit: limit }),
    },
    files,
  };
}

/** The text of a file, or the one that is written in its place; undefined where there is neither. */
type ReadPem = (file: Placed<string> | undefined, inline: Placed<string> | undefined) => string | undefined;

interface PemSource {
  /** Paths start from it. */
  readonly folder: string;
  /** Gets the stamp of each file from before it is first read. */
  readonly files: Map<string, string>;
  readonly readFile: ReadFile;
  readonly problems: Problem[];
}

function pemReader({ folder, files, readFile, problems }: PemSource): ReadPem {
  return (file, inline) => {
    if (file === undefined) return inline?.value;
    const path = resolve(folder, file.value);
    if (!files.has(path)) files.set(path, stampFile(path));
    try {
      return readFile(path).text;
    } catch (error) {
      const found = `${quoteValue(path)}, ${describeReadFailure(error)}`;
      problems.push(nodeProblem(file.node, found, 'write the path of a readable PEM file'));
      return undefined;
    }
  };
}

function readTls(
  { node, value: tls }: Placed<WrittenTls>,
  readPem: ReadPem,
  problems: Problem[],
): TlsAccess | undefined {
  problems.push(...findTwice(tls), ...findMissing(node, tls), ...findIdle(tls));
  const cert = readPem(tls.cert_file, tls.cert);
  const key = readPem(tls.key_file, tls.key);
  const clientCa = readPem(tls.client_ca_file, tls.client_ca);
  if (cert === undefined || key === undefined) return undefined;
  const access: TlsAccess = {
    cert,
    key,
    ...compact({ clientCa, clientAllowedSans: tls.client_allowed_sans?.value }),
    clientAuth: tls.client_auth_type?.value ?? 'NoClientCert',
    minVersion: tls.min_version ?? 'TLSv1.2',
    maxVersion: tls.max_version?.value ?? 'TLSv1.3',
    cipherSuites: (tls.cipher_suites ?? []).flatMap(name => cipherSuites[name] ?? []),
    preferServerCipherSuites: tls.prefer_server_cipher_suites ?? true,
    curves: (tls.curve_preferences ?? []).flatMap(name => curves[name] ?? []),
  };
  problems.push(...findUnusable(tls, access));
  return access;
}

const pairs = [
  ['cert', 'cert_file'],
  ['key', 'key_file'],
  ['client_ca', 'client_ca_file'],
] as const;

function findTwice(tls: WrittenTls): Problem[] {
  return pairs.flatMap(([inline, file]) => {
    const second = tls[file];
    if (tls[inline] === undefined || second === undefined) return [];
    return [nodeProblem(second.node, `${file} beside ${inline}`, 'write one of the two')];
  });
}

function findMissing(node: WrittenNode, tls: WrittenTls): Problem[] {
  return pairs.slice(0, 2).flatMap(([inline, file]) => {
    if (tls[inline] !== undefined || tls[file] !== undefined) return [];
    return [missingKey(node, file, `write ${file} or ${inline}`)];
  });
}

/** Settings of client certificates that no client is asked for. */
function findIdle({
  client_auth_type,
  client_ca,
  client_ca_file,
  client_allowed_sans,
}: WrittenTls): Problem[] {
  if (client_auth_type !== undefined && client_auth_type.value !== 'NoClientCert') return [];
  const expected = 'write client_auth_type: RequireAndVerifyClientCert too';
  return [client_ca, client_ca_file, client_allowed_sans].flatMap(given =>
    given === undefined
      ? []
      : [nodeProblem(given.node, 'it without a policy for client certificates', expected)],
  );
}

/** Certificates and keys that OpenSSL refuses, and versions that leave none. An empty file holds neither. */
function findUnusable(tls: WrittenTls, { cert, key, clientCa, ...access }: TlsAccess): Problem[] {
  if (tls.max_version !== undefined && access.minVersion > access.maxVersion) {
    return [nodeProblem(tls.max_version.node, 'one below min_version', 'write one that is not below it')];
  }
  const certificate = 'a certificate';
  const tries: readonly (readonly [Placed<string> | undefined, () => unknown, string])[] = [
    [tls.cert_file ?? tls.cert, () => new X509Certificate(cert), certificate],
    [tls.key_file ?? tls.key, () => createPrivateKey(key), 'a private key without a passphrase'],
    [tls.key_file ?? tls.key, () => createSecureContext({ cert, key }), 'the private key of the certificate'],
    [tls.client_ca_file ?? tls.client_ca, () => new X509Certificate(clientCa ?? ''), certificate],
  ];
  for (const [written, open, what] of tries) {
    if (written !== undefined && !isUsable(open)) {
      return [nodeProblem(written.node, `something that is not ${what}`, `write ${what}, as PEM`)];
    }
  }
  return [];
}

function isUsable(open: () => unknown): boolean {
  try {
    open();
    return true;
  } catch {
    return false;
  }
}
