import { expect, test } from 'vitest';
import { accountEnv, loadInvalid, loadRules, loadValid } from './loading.ts';

const load = (yaml: string) =>
  loadRules({ flags: { 'config.file': 'dbpm.yaml' }, files: { 'dbpm.yaml': yaml } });

test('without a word about rules, every alert has its own defaults', () => {
  expect(load('')).toEqual({
    job: 'dbpm',
    runbookUrl: '',
    dashboardUrl: 'http://localhost:3000',
    consoleUrl: '',
    labels: {},
    alerts: {
      DbpmTooSlow: {
        enabled: true,
        severity: 'warning',
        forMs: 300_000,
        keepFiringForMs: 600_000,
        thresholds: { age: 3_600_000, share: 0.5 },
      },
      DbpmTooLoud: { enabled: true, severity: 'info', forMs: 60_000, thresholds: {} },
    },
  });
});

test('what is written takes the place of the defaults, alert by alert and setting by setting', () => {
  const { labels, alerts } = load(`
rules:
  labels: {team: database, tier: "1"}
  alerts:
    DbpmTooSlow: {severity: critical, for: 90s, keep_firing_for: 1h, age: 1h30m, share: 0.25}
    DbpmTooLoud: {enabled: false}
`);
  expect(labels).toEqual({ team: 'database', tier: '1' });
  expect(alerts).toEqual({
    DbpmTooSlow: {
      enabled: true,
      severity: 'critical',
      forMs: 90_000,
      keepFiringForMs: 3_600_000,
      thresholds: { age: 5_400_000, share: 0.25 },
    },
    DbpmTooLoud: { enabled: false, severity: 'info', forMs: 60_000, thresholds: {} },
  });
});

test('the rules need no account, but every other section must be right', () => {
  expect(load('accounts:\n  - {name: one}\nrules: {job: fleet}\n').job).toBe('fleet');
  expect(() => load('log: {level: loud}\nrules: {jobb: fleet}\n')).toThrow(
    'dbpm.yaml:1: log.level: found "loud", write debug, info, warn or error\n' +
      'dbpm.yaml:2: rules.jobb: found an unknown setting, write rules.job',
  );
});

test('a wrong threshold stops the daemon, too', () => {
  const problems = loadInvalid({
    flags: { 'config.file': 'dbpm.yaml' },
    env: accountEnv,
    files: { 'dbpm.yaml': 'rules:\n  alerts:\n    DbpmTooFast: {age: 1h}\n' },
  });
  expect(problems).toEqual([
    'dbpm.yaml:3: rules.alerts.DbpmTooFast: found an unknown alert, write DbpmTooSlow',
  ]);
});

test('what is in effect has the labels and settings of alerts that somebody wrote, and no others', () => {
  const { effective } = loadValid({
    flags: { 'config.file': 'dbpm.yaml' },
    env: accountEnv,
    files: { 'dbpm.yaml': 'rules:\n  labels: {team: db}\n  alerts:\n    DbpmTooSlow: {age: 2h}\n' },
  });
  const written = effective.filter(({ key }) => /^rules\.(labels|alerts)\./.test(key));
  expect(written.map(({ key, text, from }) => `${key}=${text} (${from})`)).toEqual([
    'rules.labels.team=db (dbpm.yaml:2)',
    'rules.alerts.DbpmTooSlow.age=2h (dbpm.yaml:4)',
  ]);
});

test('the settings of rules cannot be changed', () => {
  const rules = load('');
  const parts = [rules, rules.labels, rules.alerts, rules.alerts.DbpmTooSlow?.thresholds];
  expect(parts.map(part => Object.isFrozen(part))).toEqual([true, true, true, true]);
});
