import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { renderProblem } from '../../src/config/problem.ts';
import { readSourceFile } from '../../src/config/source-file.ts';
import { readWebFile } from '../../src/config/web-file.ts';
import { type CertificateFolder, makeCertificates } from '../support/certificate.ts';
import { describeWithPeers } from '../support/peer.ts';

const served = 'tls_server_config: {cert_file: server.crt, key_file: server.key';
const hash = '$2y$10$qRTBuFoULoYNA7AQ/F3ck.trZBPyjV64.oA4ZsSBCIWvXuvQlQTuu';

/** Files that promtool accepts too. */
const valid: Readonly<Record<string, string>> = {
  'plain logins': `basic_auth_users:\n  alice: ${hash}\n  "bob b": ${hash}\n`,
  'certificate and key': `${served}}`,
  'every client policy': `${served}, client_auth_type: NoClientCert}`,
  'a former policy': `${served}, client_auth_type: RequireClientCert}`,
  'an authority': `${served}, client_auth_type: VerifyClientCertIfGiven, client_ca_file: ca.crt}`,
  'allowed names': `${served}, client_auth_type: RequireAndVerifyClientCert, client_ca_file: ca.crt, client_allowed_sans: [one, 10.0.0.1]}`,
  versions: `${served}, min_version: TLS10, max_version: TLS12}`,
  suites: `${served}, cipher_suites: [TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, TLS_AES_128_GCM_SHA256], prefer_server_cipher_suites: false}`,
  curves: `${served}, curve_preferences: [CurveP256, CurveP384, CurveP521, X25519]}`,
  headers:
    'http_server_config:\n  http2: false\n  headers:\n    X-Frame-Options: deny\n    Strict-Transport-Security: max-age=31536000; includeSubDomains\n    X-Content-Type-Options: nosniff\n    X-XSS-Protection: 1\n    Content-Security-Policy: "default-src \'self\' *.example.net"\n',
  'a rate limit': 'rate_limit:\n  interval: 1m30s\n  burst: 20\n',
  'no rate limit': 'rate_limit: {interval: 0, burst: 0}\n',
};

/** Files with the problem each has, after the name of the file. */
const sections = 'write tls_server_config, http_server_config, basic_auth_users or rate_limit';
const invalid: Readonly<Record<string, readonly [text: string, problem: string]>> = {
  nothing: ['', `the file: found nothing, ${sections}`],
  'a comment alone': ['# later\n', `the file: found nothing, ${sections}`],
  'no users below their key': [
    'basic_auth_users:\n',
    'basic_auth_users: found nothing, write users, each with the bcrypt hash of a password',
  ],
  'an empty certificate': [
    'tls_server_config: {cert_file: empty, key_file: server.key}',
    'tls_server_config.cert_file: found something that is not a certificate, write a certificate, as PEM',
  ],
  'an empty key': [
    'tls_server_config: {cert_file: server.crt, key_file: empty}',
    'tls_server_config.key_file: found something that is not a private key without a passphrase, write a private key without a passphrase, as PEM',
  ],
  'an empty authority': [
    `${served}, client_auth_type: RequireAndVerifyClientCert, client_ca_file: empty}`,
    'tls_server_config.client_ca_file: found something that is not a certificate, write a certificate, as PEM',
  ],
  'an authority of garbage': [
    `${served}, client_auth_type: RequireAndVerifyClientCert, client_ca: "-----BEGIN CERTIFICATE-----"}`,
    'tls_server_config.client_ca: found something that is not a certificate, write a certificate, as PEM',
  ],
  'no YAML': [
    'a: [',
    'YAML: found wrong indentation or a missing bracket, indent the settings of one section alike, with spaces, and close each bracket',
  ],
  'a list': ['- a', `the file: found a list, ${sections}`],
  'a slip': [
    'tls_server_confg: {}',
    'tls_server_confg: found an unknown setting, write one of tls_server_config, http_server_config, basic_auth_users, rate_limit',
  ],
  'a key without its certificate': [
    'tls_server_config: {key_file: server.key}',
    'tls_server_config.cert_file: found nothing, write cert_file or cert',
  ],
  'a file that is not there': [
    'tls_server_config: {cert_file: server.crt, key_file: other.key}',
    'tls_server_config.key_file: found "FOLDER/other.key", which does not exist, write the path of a readable PEM file',
  ],
  'another key': [
    'tls_server_config: {cert_file: server.crt, key_file: ca.key}',
    'tls_server_config.key_file: found something that is not the private key of the certificate, write the private key of the certificate, as PEM',
  ],
  'a certificate for a key': [
    'tls_server_config: {cert_file: server.crt, key_file: ca.crt}',
    'tls_server_config.key_file: found something that is not a private key without a passphrase, write a private key without a passphrase, as PEM',
  ],
  'both forms': [
    `${served}, key: "-----BEGIN PRIVATE KEY-----"}`,
    'tls_server_config.key_file: found key_file beside key, write one of the two',
  ],
  'a policy of its own': [
    `${served}, client_auth_type: Sometimes}`,
    'tls_server_config.client_auth_type: found "Sometimes", write one of NoClientCert, RequestClientCert, RequireAnyClientCert, VerifyClientCertIfGiven, RequireAndVerifyClientCert',
  ],
  'an authority for nobody': [
    `${served}, client_ca_file: ca.crt}`,
    'tls_server_config.client_ca_file: found it without a policy for client certificates, write client_auth_type: RequireAndVerifyClientCert too',
  ],
  'names for nobody': [
    `${served}, client_allowed_sans: [one]}`,
    'tls_server_config.client_allowed_sans: found it without a policy for client certificates, write client_auth_type: RequireAndVerifyClientCert too',
  ],
  'versions that leave none': [
    `${served}, min_version: TLS13, max_version: TLS12}`,
    'tls_server_config.max_version: found one below min_version, write one that is not below it',
  ],
  'a suite nobody knows': [
    `${served}, cipher_suites: [TLS_AES_128_GCM_SHA257]}`,
    'tls_server_config.cipher_suites[0]: found "TLS_AES_128_GCM_SHA257", write TLS_AES_128_GCM_SHA256',
  ],
  'a curve nobody knows': [
    `${served}, curve_preferences: [CurveP257]}`,
    'tls_server_config.curve_preferences[0]: found "CurveP257", write CurveP256',
  ],
  'HTTP/2': [
    'http_server_config: {http2: true}',
    'http_server_config.http2: found true, write false or leave it out: HTTP/1.1 is what is served here',
  ],
  'a sixth header': [
    'http_server_config: {headers: {Content-Type: a}}',
    'http_server_config.headers.Content-Type: found an unknown setting, write one of Content-Security-Policy, X-Frame-Options, X-Content-Type-Options, X-XSS-Protection, Strict-Transport-Security',
  ],
  'a frame option': [
    'http_server_config: {headers: {X-Frame-Options: allow}}',
    'http_server_config.headers.X-Frame-Options: found "allow", write one of deny, sameorigin',
  ],
  'a password': [
    'basic_auth_users: {alice: open sesame}',
    'basic_auth_users.alice: found something else (not shown), write the bcrypt hash of the password, as "htpasswd -nBC 10" prints it, of a cost of at most 18',
  ],
  'a user with a colon': [
    `basic_auth_users: {"al:ice": ${hash}}`,
    'basic_auth_users.(unnamed): found a name it cannot have, write a name without a colon and on one line',
  ],
  'a rate limit without its interval': [
    'rate_limit: {burst: 3}',
    'rate_limit.interval: found nothing, write a duration such as 100ms, 1s or 1m30s, or 0 for no limit',
  ],
};

describeWithPeers(['openssl', 'promtool'], 'the web configuration file', ({ openssl, promtool }) => {
  let certificates: CertificateFolder;
  beforeEach(() => {
    certificates = makeCertificates(openssl);
    certificates.issue('server', ['DNS:localhost']);
    writeFileSync(certificates.path('empty'), '');
  });

  const read = (text: string) => {
    const path = certificates.path('web.yml');
    writeFileSync(path, text);
    return readWebFile(path, readSourceFile);
  };

  describe('is read, and accepted by promtool, with', () => {
    test.each(Object.entries(valid))('%s', (_, text) => {
      expect(read(text).problems).toEqual([]);
      const { stderr } = spawnSync(promtool, ['check', 'web-config', certificates.path('web.yml')]);
      // Prometheus 2.42 is older than these two.
      expect(String(stderr)).toMatch(/SUCCESS|field (?:rate_limit|client_allowed_sans) not found/);
    });
  });

  describe('is refused with', () => {
    test.each(Object.entries(invalid))('%s', (_, [text, problem]) => {
      const { file, problems } = read(text);
      expect(file).toBeUndefined();
      const folder = certificates.folder;
      expect(problems.map(renderProblem).map(line => line.replaceAll(`${folder}/web.yml:1: `, ''))).toEqual([
        problem.replace('FOLDER', folder),
      ]);
    });
  });

  test('names the files it rests on, from its own folder', () => {
    const { file } = read(valid['allowed names'] ?? '');
    const paths = [...(file?.files.keys() ?? [])];
    expect(paths.map(path => path.replace(`${certificates.folder}/`, ''))).toEqual([
      'web.yml',
      'server.crt',
      'server.key',
      'ca.crt',
    ]);
    expect(file?.access.tls).toMatchObject({
      clientAuth: 'RequireAndVerifyClientCert',
      clientAllowedSans: ['one', '10.0.0.1'],
    });
  });

  test('may hold the certificate and the key themselves', () => {
    const inline = (name: string, file: string) =>
      `  ${name}: |\n${certificates.read(file).replaceAll(/^/gm, '    ')}\n`;
    const { file, problems } = read(
      `tls_server_config:\n${inline('cert', 'server.crt')}${inline('key', 'server.key')}`,
    );
    expect(problems).toEqual([]);
    expect(file?.files.size).toBe(1);
    expect(file?.access.tls?.key).toContain('PRIVATE KEY');
  });

  test('that is not there is one problem', () => {
    const { problems } = readWebFile('/nowhere/web.yml', readSourceFile);
    expect(problems.map(renderProblem)).toEqual([
      '/nowhere/web.yml: the file: found "/nowhere/web.yml", which does not exist, write the path of a readable web configuration file',
    ]);
  });
});
