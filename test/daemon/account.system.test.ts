import { describe, it } from 'vitest';
import { collectors } from '../../src/resources/collector.ts';
import { sampleValue } from '../support/exposition-reader.ts';
import {
  accountOf,
  canaryKey,
  errorCount,
  openDaemon,
  openService,
  openWatched,
  projectIds,
} from './open-daemon.ts';

interface ApiKey {
  readonly id: number;
}

describe.concurrent('a key that is revoked', () => {
  it('shows after one sweep; values stay until drop_after, counters of the account for good', async ({
    expect,
    onTestFinished,
  }) => {
    const dropAfterMs = 8000;
    const { service, daemon, before } = await openWatched(onTestFinished, { daemon: { dropAfterMs } });
    const keys = await service.call<readonly ApiKey[]>('GET', '/api_keys');
    await service.call('DELETE', `/api_keys/${keys[0]?.id}`);
    const revokedAt = Date.now();
    const refused = await daemon.until(samples => {
      expect(sampleValue(samples, 'dbpm_auth_ok')).toBe(0);
      expect(sampleValue(samples, 'dbpm_up')).toBe(0);
    });
    expect(projectIds(refused)).toEqual(projectIds(before));
    const lost = await daemon.until(samples => {
      expect(samples.filter(({ name }) => /^dbpm_(project|endpoint|api_key)/.test(name))).toEqual([]);
    });
    expect(Date.now() - revokedAt).toBeGreaterThanOrEqual(dropAfterMs);
    const total = 'dbpm_account_cpu_used_seconds_total';
    expect(sampleValue(lost, total)).toBe(sampleValue(before, total));
    expect([sampleValue(lost, 'dbpm_auth_ok'), sampleValue(lost, 'dbpm_up')]).toEqual([0, 0]);
    const unauthorized = { collector: 'projects', reason: 'unauthorized' };
    expect(sampleValue(lost, 'dbpm_collector_errors_total', unauthorized)).toBeGreaterThanOrEqual(3);
    expect(await daemon.read('/')).toContain('the API key is not accepted');
  });
});

describe.concurrent('several accounts in one process', () => {
  it('are shown side by side, one failing without touching the other', async ({ expect, onTestFinished }) => {
    const [shop, blog] = [
      await openService(onTestFinished),
      await openService(onTestFinished, { seed: 2, projects: 3 }),
    ];
    const daemon = await openDaemon(onTestFinished, [
      accountOf(shop, { name: 'shop' }),
      accountOf(blog, { name: 'blog' }),
      accountOf(blog, { name: 'locked out', readApiKey: () => 'mistyped' }),
    ]);
    const samples = await daemon.until(found => {
      expect(projectIds(found)).toHaveLength(5);
      expect(sampleValue(found, 'dbpm_auth_ok', { account: 'locked out' })).toBe(0);
      for (const account of ['shop', 'blog']) {
        for (const collector of collectors) {
          expect(sampleValue(found, 'dbpm_collector_success', { account, collector })).toBe(1);
        }
      }
    });
    const accounts = ['shop', 'blog', 'locked out'];
    expect(accounts.map(account => sampleValue(samples, 'dbpm_up', { account }))).toEqual([1, 1, 0]);
    const own = (account: string) => samples.filter(({ labels }) => labels.account === account);
    expect([projectIds(own('shop')).length, projectIds(own('blog')).length]).toEqual([2, 3]);
    expect(collectors.map(collector => errorCount(own('shop'), collector))).toEqual([0, 0, 0, 0]);
    expect(errorCount(own('locked out'), 'projects')).toBeGreaterThanOrEqual(1);
    expect(sampleValue(own('locked out'), 'dbpm_account_cpu_used_seconds_total')).toBeUndefined();
  });
});

describe.concurrent('the API key', () => {
  it('appears in no log line, page or error, even where the service sends it back', async ({
    expect,
    onTestFinished,
  }) => {
    const service = await openService(onTestFinished);
    const echo = JSON.stringify({ code: canaryKey, message: `Bearer ${canaryKey} is no good` });
    const answers = [
      { match: 'GET /projects', status: 500, body: echo, headers: { 'x-key': canaryKey }, times: 3 },
      { match: 'GET /projects', status: 200, body: `not json ${canaryKey}`, times: 1 },
      { match: 'GET /api_keys', status: 403, body: echo, times: 1 },
      { match: 'GET /api_keys', status: 302, headers: { location: `/?key=${canaryKey}` }, times: 1 },
      { match: 'GET /projects/*/endpoints', status: 400, body: canaryKey },
      { match: 'GET /projects/*/operations', close: true },
    ];
    for (const answer of answers) await service.fault(answer);
    const daemon = await openDaemon(onTestFinished, [accountOf(service)]);
    await daemon.until(samples => {
      for (const [collector, reason] of [
        ['projects', 'unavailable'],
        ['projects', 'malformed'],
        ['api_keys', 'forbidden'],
        ['api_keys', 'malformed'],
        ['endpoints', 'bad_request'],
        ['operations', 'network'],
      ] as const) {
        const errors = sampleValue(samples, 'dbpm_collector_errors_total', { collector, reason });
        expect([collector, reason, (errors ?? 0) > 0]).toEqual([collector, reason, true]);
      }
    });
    const pages = [await daemon.read('/metrics'), await daemon.read('/'), await daemon.read('/-/ready')];
    await daemon.close();
    expect(daemon.lines.length).toBeGreaterThanOrEqual(6);
    expect(daemon.lines.join('')).toContain('500 from GET /projects');
    for (const text of [...pages, ...daemon.lines]) expect(text).not.toContain(canaryKey);
  });
});
