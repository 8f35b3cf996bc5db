import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadCheckedConfig } from '../../src/check/config/loaded-config.ts';

function load(base_url: string, trust: string, more: { readonly isOffline?: boolean } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-tls-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const env = {
    DBPM_BASE_URL: base_url,
    DBPM_API_KEY: 'a-key-of-some-length',
    DBPM_HISTORY_FILE: join(folder, 'h.sqlite'),
    NODE_TLS_REJECT_UNAUTHORIZED: trust,
  };
  return loadCheckedConfig({ flags: {}, env, ...more });
}

test('an environment that has every certificate believed is refused', async () => {
  await expect(load('https://api.example.com/api/v2/', '0')).rejects.toMatchObject({
    problems: [
      {
        where: 'environment',
        key: 'NODE_TLS_REJECT_UNAUTHORIZED',
        found: '"0", with which anyone who answers in the place of the service gets the API key',
        expected: 'take it away, and name the authority of the certificate with accounts[].ca_file',
      },
    ],
  });
});

test.each([
  ['https://localhost:8443/', '0', {}],
  ['https://127.0.0.1:8443/', '0', {}],
  ['https://api.example.com/api/v2/', '1', {}],
  ['https://api.example.com/api/v2/', '0', { isOffline: true }],
])('it is not where nobody else can answer or nothing is asked: %s with %s %o', async (url, trust, more) => {
  await expect(load(url, trust, more)).resolves.toBeDefined();
});
