import { X509Certificate } from 'node:crypto';
import { type AccountReading, openFollowed } from './account-key.ts';
import { accountSettings } from './account-setting.ts';
import type { Account, AccountProxy } from './config.ts';
import type { WrittenAccount } from './config-file.ts';
import { readSetting } from './node-reader.ts';
import { quoteValue } from './problem.ts';
import { showUrl } from './shown-secret.ts';
import type { FileContent, SourceFile } from './source-file.ts';
import { nodeProblem, writeText } from './written-node.ts';

/** How an account's service is reached; adds every problem of it. */
export function readNetwork(
  account: WrittenAccount,
  base_url: URL | undefined,
  reading: AccountReading,
): Pick<Account, 'readProxy' | 'ca' | 'findCaProblem'> {
  const proxy = readOwnProxy(account, base_url, reading) ?? readUsualProxy(base_url, reading);
  return { ...(proxy && { readProxy: () => proxy }), ...readAuthorities(account, reading) };
}

function readOwnProxy(
  { fields }: WrittenAccount,
  base_url: URL | undefined,
  reading: AccountReading,
): AccountProxy | undefined {
  const node = fields.get('proxy_url');
  const url = node && readSetting(accountSettings.proxy_url, node, reading);
  if (node === undefined || url === undefined) return undefined;
  if (base_url?.protocol === 'http:') {
    const found = 'a proxy for an address of http://';
    reading.problems.push(nodeProblem(node, found, 'leave it out: the API key would travel readable'));
  }
  return { url, except: '' };
}

/**
 * The proxy of the environment, as programs on this host have it; never for http://, which is for loopback alone. Adds its
 * problem if it has one.
 */
export function readUsualProxy(
  base_url: URL | undefined,
  { env, problems }: Pick<AccountReading, 'env' | 'problems'>,
): AccountProxy | undefined {
  const name = env.https_proxy ? 'https_proxy' : 'HTTPS_PROXY';
  const written = env[name] ?? '';
  if (written === '' || base_url?.protocol !== 'https:') return undefined;
  const url = written.includes('://') ? written : `http://${written}`;
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    const expected = 'write the address of a proxy, such as http://proxy.example.com:3128';
    problems.push(nodeProblem(writeText(written, 'environment', name), showUrl(written), expected));
    return undefined;
  }
  return { url, except: env.no_proxy || env.NO_PROXY || '' };
}

function readAuthorities(
  { fields }: WrittenAccount,
  reading: AccountReading,
): Pick<Account, 'ca' | 'findCaProblem'> | undefined {
  const node = fields.get('ca_file');
  const path = node && readSetting(accountSettings.ca_file, node, reading);
  if (node === undefined || path === undefined) return undefined;
  const unusable = 'write the path of a PEM file with certificates of authorities';
  const advice = { unusable, unreadable: unusable };
  const named = { path, node, name: quoteValue(path), advice, readContent: readCertificates };
  const followed = openFollowed(named, reading);
  if (followed === undefined) return undefined;
  const { file, read, findProblem } = followed;
  return { ca: { file, read }, findCaProblem: findProblem };
}

/** The certificates of a file, as PEM. */
export function readCertificates({ text }: SourceFile): FileContent {
  return areCertificates(text) ? { text } : { problem: 'which holds no certificate that can be read' };
}

const certificate = /-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs;

function areCertificates(text: string): boolean {
  const found = text.match(certificate) ?? [];
  return found.length > 0 && found.every(isCertificate);
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== '';
  } catch {
    return false;
  }
}
