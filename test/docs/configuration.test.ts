import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadCheckedConfig } from '../../src/check/config/loaded-config.ts';
import { readSourceFile } from '../../src/config/source-file.ts';
import { readWebFile } from '../../src/config/web-file.ts';
import { makeCertificates } from '../support/certificate.ts';
import { describeWithPeers } from '../support/peer.ts';
import { documents } from './document.ts';

const folder = mkdtempSync(join(tmpdir(), 'dbpm-documented-settings-'));
const keyFile = join(folder, 'dbpm.key');
writeFileSync(keyFile, 'key-of-a-page', { mode: 0o600 });
afterAll(() => rmSync(folder, { recursive: true }));

const blocks = documents.flatMap(({ path, fences }) =>
  fences
    .filter(({ language, text }) => language === 'yaml' && !text.startsWith('scrape_configs:'))
    .map(({ text }) => ({ path, text })),
);
/** Where pages say that the key is. */
const keyPlaces = /\/run\/(secrets\/dbpm|credentials\/dbpm-exporter\.service\/api-key)/g;
const webPage = 'docs/web.md';
/** Its blocks are values of the chart, which test/deploy renders. */
const chartPage = 'docs/kubernetes.md';
const settings = blocks.filter(({ path }) => path !== webPage && path !== chartPage);
const webBlocks = blocks.filter(({ path }) => path === webPage);
/** For a block that leaves the accounts out. */
const account = {
  DBPM_BASE_URL: 'https://api.example.com/api/v2/',
  DBPM_API_KEY: 'key-of-a-page',
};

test('there are blocks of YAML on the pages of settings', () => {
  const pages = [
    'README.md',
    'deploy/systemd/README.md',
    'docs/alerts.md',
    'docs/configuration.md',
    'docs/cost.md',
    'docs/invoice.md',
    'docs/prices.md',
    'docs/reports.md',
    'docs/series.md',
  ];
  expect([...new Set(settings.map(({ path }) => path))]).toEqual(pages);
});

test.each(settings)('the configuration shown in $path is one: $text', async ({ text }) => {
  const file = join(folder, 'dbpm.yaml');
  writeFileSync(file, text.replaceAll(keyPlaces, keyFile));
  const env = { RESEARCH_API_KEY: 'key-of-a-page', ...(!text.startsWith('accounts:') && account) };
  const { config } = await loadCheckedConfig({ flags: { 'config.file': file }, env });
  expect(config.accounts[0]?.name).toBe('main');
});

describeWithPeers(['openssl'], 'the web configuration files on the page', ({ openssl }) => {
  test.each(webBlocks)('are such: $text', ({ text }) => {
    const certificates = makeCertificates(openssl);
    certificates.issue('server', ['DNS:localhost']);
    writeFileSync(certificates.path('web.yml'), text);
    expect(readWebFile(certificates.path('web.yml'), readSourceFile).problems).toEqual([]);
  });
});

test('every block of JSON is JSON', () => {
  const texts = documents.flatMap(({ fences }) => fences.filter(({ language }) => language === 'json'));
  expect(texts.map(({ text }) => typeof JSON.parse(text))).toEqual(texts.map(() => 'object'));
});
