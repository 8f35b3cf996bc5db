import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { loadCheckedConfig } from '../../src/check/config/loaded-config.ts';
import { accountEnv, loadInvalid, loadValid } from './loading.ts';

const authority = `-----BEGIN CERTIFICATE-----
MIIBfTCCASOgAwIBAgIUQ0FOQVJZAAAAAAAAAAAAAAAAAAAwCgYIKoZIzj0EAwIw
-----END CERTIFICATE-----
`;

const accountOf = (env: Readonly<Record<string, string>>) => {
  const loaded = loadValid({ env: { ...accountEnv, ...env } });
  const [account] = loaded.config.accounts;
  return { proxy: account?.readProxy?.(), loaded };
};

test('a proxy of the environment is used, and the hosts it leaves out', () => {
  expect(accountOf({}).proxy).toBeUndefined();
  expect(accountOf({ HTTPS_PROXY: '' }).proxy).toBeUndefined();
  expect(accountOf({ HTTPS_PROXY: 'http://p:3128', NO_PROXY: 'a,b' }).proxy).toEqual({
    url: 'http://p:3128',
    except: 'a,b',
  });
  expect(accountOf({ HTTPS_PROXY: 'http://p:3128', https_proxy: 'q:80', no_proxy: 'c' }).proxy).toEqual({
    url: 'http://q:80',
    except: 'c',
  });
});

test('a proxy of the account takes its place, for all hosts', () => {
  const env = { DBPM_PROXY_URL: 'http://own.example.com:3128/', HTTPS_PROXY: 'http://p', NO_PROXY: '*' };
  expect(accountOf(env).proxy).toEqual({ url: 'http://own.example.com:3128', except: '' });
});

test('no proxy sees the key of a service on loopback that is asked over http', async () => {
  const env = { ...accountEnv, DBPM_BASE_URL: 'http://127.0.0.1:8080/', DBPM_HISTORY_FILE: '/tmp/h.sqlite' };
  const { config } = await loadCheckedConfig({ flags: {}, env: { ...env, HTTPS_PROXY: 'http://p:3128' } });
  expect(config.accounts[0]?.readProxy).toBeUndefined();
  const withProxy = { flags: {}, env: { ...env, DBPM_PROXY_URL: 'http://p:3128' } };
  await expect(loadCheckedConfig(withProxy)).rejects.toMatchObject({
    problems: [{ key: 'DBPM_PROXY_URL', found: 'a proxy for an address of http://' }],
  });
});

test('a variable with the password of a proxy is one to hide', () => {
  expect(accountOf({ HTTPS_PROXY: 'http://me:canary@p:3128' }).loaded.keyVariables).toEqual([
    'DBPM_API_KEY',
    'HTTPS_PROXY',
  ]);
  expect(accountOf({ HTTPS_PROXY: 'http://p:3128' }).loaded.keyVariables).toEqual(['DBPM_API_KEY']);
});

test.each([
  [
    'DBPM_PROXY_URL',
    'http://me:canary@p:3128',
    'environment: DBPM_PROXY_URL: found "http://…@p:3128", write the address of the proxy, such as http://proxy.example.com:3128, without user name, path and query',
  ],
  [
    'DBPM_PROXY_URL',
    'socks5://p',
    'environment: DBPM_PROXY_URL: found "socks5://p", write the address of the proxy, such as http://proxy.example.com:3128, without user name, path and query',
  ],
  [
    'HTTPS_PROXY',
    'socks5://me:canary@p',
    'environment: HTTPS_PROXY: found "socks5://…@p", write the address of a proxy, such as http://proxy.example.com:3128',
  ],
  [
    'DBPM_CA_FILE',
    'absent.pem',
    'environment: DBPM_CA_FILE: found "absent.pem", which does not exist, write the path of a PEM file with certificates of authorities',
  ],
  [
    'DBPM_CA_FILE',
    'empty.pem',
    'environment: DBPM_CA_FILE: found "empty.pem", which holds no certificate that can be read, write the path of a PEM file with certificates of authorities',
  ],
  [
    'DBPM_CA_FILE',
    'torn.pem',
    'environment: DBPM_CA_FILE: found "torn.pem", which holds no certificate that can be read, write the path of a PEM file with certificates of authorities',
  ],
])('%s=%s is refused in one sentence', (variable, value, sentence) => {
  const files = { 'empty.pem': 'nothing', 'torn.pem': authority };
  expect(loadInvalid({ env: { ...accountEnv, [variable]: value }, files })).toEqual([sentence]);
});

test('authorities are read again when their file has changed, and stay as they were while it holds none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-authority-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'ca.pem');
  const [first = '', second = ''] = rootCertificates;
  writeFileSync(file, first);
  const env = { ...accountEnv, DBPM_CA_FILE: file, DBPM_HISTORY_FILE: join(folder, 'h.sqlite') };
  const { config } = await loadCheckedConfig({ flags: {}, env });
  const [account] = config.accounts;
  const state = () => [account?.ca?.read(), account?.findCaProblem?.()];
  expect(state()).toEqual([first, undefined]);
  writeFileSync(file, 'nothing');
  expect(state()).toEqual([first, `"${file}", which holds no certificate that can be read`]);
  writeFileSync(file, second);
  expect(state()).toEqual([second, undefined]);
});
