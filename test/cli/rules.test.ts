import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { rulesCommand } from '../../src/cli/rules.ts';
import { makeFakeIo } from './fake-io.ts';

const folder = mkdtempSync(join(tmpdir(), 'dbpm-rules-command-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function run(yaml?: string) {
  const { io, printed } = makeFakeIo();
  const file = join(folder, 'dbpm.yaml');
  if (yaml !== undefined) writeFileSync(file, yaml);
  const argv = ['rules', ...(yaml === undefined ? [] : ['--config.file', file])];
  const exitCode = await runCommandLine(io, argv, [rulesCommand(io)]);
  return { exitCode, ...printed, file };
}

test('without a configuration it prints the rule file of the repository', async () => {
  const committed = readFileSync(new URL('../../dashboards/rules/dbpm.rules.yml', import.meta.url), 'utf8');
  expect(await run()).toMatchObject({ exitCode: 0, stdout: committed, stderr: '' });
});

test('it prints the thresholds, severities and labels of the configuration', async () => {
  const { exitCode, stdout, stderr } = await run(`
rules:
  job: fleet
  labels: {team: database, quoted: 'a "b": c'}
  alerts:
    DbpmKeyRejected: {severity: warning, for: 2m}
    DbpmExporterAbsent: {enabled: false}
`);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const { groups }: { groups: { rules: { alert?: string; expr: string }[] }[] } = parse(stdout);
  const rules = groups.flatMap(group => group.rules);
  expect(rules.find(({ alert }) => alert === 'DbpmKeyRejected')).toMatchObject({
    expr: 'dbpm_auth_ok{job="fleet"} == 0',
    for: '2m',
    labels: { team: 'database', quoted: 'a "b": c', severity: 'warning' },
  });
  expect(rules.find(({ alert }) => alert === 'DbpmExporterAbsent')).toBeUndefined();
});

test('every problem of the configuration is a line on stderr, and nothing is printed', async () => {
  const { file, ...ended } = await run(
    'rules:\n  alerts:\n    DbpmKeyRejectd: {for: 2m}\n    DbpmRateLimited: {window: 5}\n',
  );
  expect(ended).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: [
      `${file}:3: rules.alerts.DbpmKeyRejectd: found an unknown alert, write DbpmKeyRejected\n`,
      `${file}:4: rules.alerts.DbpmRateLimited.window: found 5, write a duration such as 30s, 15m or 45d\n`,
    ].join(''),
  });
});
