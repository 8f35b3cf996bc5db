import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { type Alertmanager, startAlertmanager } from '../support/alertmanager.ts';
import { patience } from '../support/patience.ts';
import { describeWithPeers } from '../support/peer.ts';

const run = promisify(execFile);
const folder = new URL('../../deploy/compose/', import.meta.url).pathname;
const rulesFolder = new URL('../../dashboards/rules/', import.meta.url).pathname;
const file = `${folder}alertmanager.yml`;
const sample: { readonly inhibit_rules: readonly InhibitRule[] } = parse(readFileSync(file, 'utf8'));

interface InhibitRule {
  readonly source_matchers: readonly string[];
  readonly target_matchers: readonly string[];
}

describeWithPeers(['promtool'], 'the sample configuration of Prometheus', ({ promtool }) => {
  test('passes promtool together with the generated rules, where the compose file mounts them', async () => {
    const mounted = mkdtempSync(join(tmpdir(), 'dbpm-prometheus-'));
    onTestFinished(() => rmSync(mounted, { recursive: true, force: true }));
    copyFileSync(`${folder}prometheus.yml`, join(mounted, 'prometheus.yml'));
    symlinkSync(rulesFolder, join(mounted, 'rules'));
    const { stdout } = await run(promtool, ['check', 'config', join(mounted, 'prometheus.yml')]);
    expect(stdout).toMatch(/rules\/dbpm\.rules\.yml\n +SUCCESS: \d+ rules found/);
  });
});

describeWithPeers(['amtool'], 'the sample configuration of Alertmanager', ({ amtool }) => {
  test('passes amtool', async () => {
    expect((await run(amtool, ['check-config', file])).stdout).toContain('SUCCESS');
  });

  test.each([
    ['critical', 'on-call'],
    ['warning', 'team'],
    ['info', 'digest'],
  ])('sends what is %s to the receiver %s', async (severity, receiver) => {
    const args = ['config', 'routes', 'test', `--config.file=${file}`, `severity=${severity}`];
    expect((await run(amtool, args)).stdout.trim()).toBe(receiver);
  });
});

test('the sample configuration of Alertmanager names only alerts that exist', () => {
  const { groups } = parse(readFileSync(`${rulesFolder}dbpm.rules.yml`, 'utf8'));
  const alerts: readonly string[] = groups.flatMap(({ rules }: { rules: { alert?: string }[] }) =>
    rules.flatMap(({ alert }) => alert ?? []),
  );
  const matchers = sample.inhibit_rules
    .flatMap(rule => [...rule.source_matchers, ...rule.target_matchers])
    .filter(matcher => matcher.startsWith('alertname'));
  for (const matcher of matchers) {
    const [, pattern = ''] = /^alertname(?:=~?|!=|!~)"(.+)"$/.exec(matcher) ?? [];
    for (const alternative of pattern.split(/\|(?![^(]*\))/)) {
      expect(
        alerts.some(alert => new RegExp(`^(?:${alternative})$`).test(alert)),
        alternative,
      ).toBe(true);
    }
  }
});

/** An Alertmanager looks at what mutes an alert when it would tell of it, a second apart here. */
const main = { job: 'dbpm', instance: 'a:1', account: 'main' } as const;

describeWithPeers(['prometheus-alertmanager'], 'a real Alertmanager with the sample inhibitions', peers => {
  let alertmanager: Alertmanager;

  beforeAll(async () => {
    alertmanager = await startAlertmanager(peers['prometheus-alertmanager'], sample.inhibit_rules);
  });

  afterAll(async () => await alertmanager?.close());

  test.each([
    ['DbpmExporterDown', 'DbpmDataStale', {}],
    ['DbpmHistoryWriteFailed', 'DbpmDataStale', {}],
    ['DbpmKeyRejected', 'DbpmDataStale', main],
    ['DbpmAccountFailing', 'DbpmRateLimited', main],
    ['DbpmRateLimited', 'DbpmRequestBudgetTooSmall', main],
    ['DbpmDataStale', 'DbpmOperationStuck', main],
    ['DbpmDataStale', 'DbpmApiKeyUnused', main],
    ['DbpmHistoryWriteFailed', 'DbpmUsageStale', {}],
    ['DbpmHistoryWriteFailed', 'DbpmAccountFailing', {}],
    ['DbpmHistoryWriteFailed', 'DbpmHistoryBackupFailed', {}],
    ['DbpmHistoryDamaged', 'DbpmHistoryWriteFailed', {}],
    ['DbpmHistoryDamaged', 'DbpmHistoryBackupFailed', {}],
    ['DbpmHistoryDamaged', 'DbpmUsageStale', {}],
    ['DbpmHistoryDamaged', 'DbpmAccountFailing', {}],
    ['DbpmAccountFailing', 'DbpmUsageStale', main],
    ['DbpmBudgetBurnsFast', 'DbpmBudgetBurnsSlow', {}],
    ['DbpmBudgetWillRunOut', 'DbpmBudgetBurnsSlow', {}],
    ['DbpmBudgetExhausted', 'DbpmBudgetWillRunOut', {}],
  ])('%s mutes %s of the same exporter or account and of no other', async (source, target, more) => {
    const place = { ...main, instance: `${source}-${target}:1` };
    const elsewhere = { ...place, instance: `not-${place.instance}` };
    const { job, instance } = place;
    await post(alertmanager, [
      { ...more, alertname: source, job, instance },
      { ...place, alertname: target },
      { ...elsewhere, alertname: target },
    ]);
    await vi.waitFor(async () => {
      const states = await readStates(alertmanager);
      expect(states.get(`${target} ${place.instance}`)).toBe('suppressed');
      expect(states.get(`${target} ${elsewhere.instance}`)).toBe('active');
    }, patience);
  });

  test('an operation that failed mutes its own failed attempts and not those of another action', async () => {
    const failed = { ...main, instance: 'failed:1', project_id: 'shy-moon-123456', action: 'start_compute' };
    const attempts = { ...failed, alertname: 'DbpmOperationAttemptsFail' };
    await post(alertmanager, [
      { ...failed, alertname: 'DbpmOperationFailed' },
      attempts,
      { ...attempts, action: 'apply_config' },
    ]);
    await vi.waitFor(async () => {
      const states = await readStates(alertmanager, 'action');
      expect(states.get('DbpmOperationAttemptsFail start_compute')).toBe('suppressed');
      expect(states.get('DbpmOperationAttemptsFail apply_config')).toBe('active');
    }, patience);
  });

  test('a budget that is used up mutes the thresholds below it and not those beyond', async () => {
    const spent = { job: 'dbpm', instance: 'budget:1', budget: 'platform' };
    const reached = { ...spent, alertname: 'DbpmBudgetThresholdReached' };
    await post(alertmanager, [
      { ...spent, alertname: 'DbpmBudgetExhausted' },
      { ...reached, threshold: '50%' },
      { ...reached, threshold: '99.5%' },
      { ...reached, threshold: '120%' },
    ]);
    await vi.waitFor(async () => {
      const states = await readStates(alertmanager, 'threshold');
      expect(states.get('DbpmBudgetThresholdReached 50%')).toBe('suppressed');
      expect(states.get('DbpmBudgetThresholdReached 99.5%')).toBe('suppressed');
      expect(states.get('DbpmBudgetThresholdReached 120%')).toBe('active');
    }, patience);
  });

  test('a shard that is down mutes that one is missing, in its own job', async () => {
    await post(alertmanager, [
      { job: 'sharded', alertname: 'DbpmExporterDown', instance: 'dbpm-1:1' },
      { job: 'sharded', alertname: 'DbpmShardMissing' },
      { job: 'other', alertname: 'DbpmShardMissing' },
    ]);
    await vi.waitFor(async () => {
      const states = await readStates(alertmanager, 'job');
      expect(states.get('DbpmShardMissing sharded')).toBe('suppressed');
      expect(states.get('DbpmShardMissing other')).toBe('active');
    }, patience);
  });

  test('an account that one of its shards cannot read mutes what is of all of them', async () => {
    const job = 'dbpm';
    const shards = { job, instance: 'shards' };
    await post(alertmanager, [
      { job, alertname: 'DbpmAccountFailing', instance: 'dbpm-1:1', account: 'sharded' },
      { ...shards, alertname: 'DbpmUsageDrift', account: 'sharded' },
      { ...shards, alertname: 'DbpmUsageUnpriced', account: 'other' },
    ]);
    await vi.waitFor(async () => {
      const states = await readStates(alertmanager);
      expect(states.get('DbpmUsageDrift shards')).toBe('suppressed');
      expect(states.get('DbpmUsageUnpriced shards')).toBe('active');
    }, patience);
  });
});

async function post(alertmanager: Alertmanager, alerts: readonly Readonly<Record<string, string>>[]) {
  const response = await fetch(`${alertmanager.url}/api/v2/alerts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(alerts.map(labels => ({ labels }))),
  });
  expect(response.status).toBe(200);
}

async function readStates(
  alertmanager: Alertmanager,
  label = 'instance',
): Promise<ReadonlyMap<string, string>> {
  const response = await fetch(`${alertmanager.url}/api/v2/alerts`);
  const alerts = (await response.json()) as {
    readonly labels: Readonly<Record<string, string>>;
    readonly status: { readonly state: string };
  }[];
  return new Map(alerts.map(({ labels, status }) => [`${labels.alertname} ${labels[label]}`, status.state]));
}
