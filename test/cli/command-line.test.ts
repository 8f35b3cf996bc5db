import { Command, InvalidArgumentError } from 'commander';
import { expect, onTestFinished, test, vi } from 'vitest';
import { backupCommand } from '../../src/cli/backup.ts';
import { checkConfigCommand } from '../../src/cli/check-config.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { consoleCommand } from '../../src/cli/console.ts';
import { demoCommand } from '../../src/cli/demo.ts';
import { reconcileCommand } from '../../src/cli/reconcile.ts';
import { reportCommand } from '../../src/cli/report.ts';
import { serveCommand } from '../../src/cli/serve.ts';
import { versionLine } from '../../src/cli/version.ts';
import { Failure } from '../../src/resources/failure.ts';
import { makeFakeIo } from './fake-io.ts';

async function run(...argv: readonly string[]) {
  const { io, printed } = makeFakeIo();
  const commands = [
    serveCommand(io),
    demoCommand(io),
    checkConfigCommand(io),
    backupCommand(io),
    reportCommand(io),
    reconcileCommand(io),
  ];
  const exitCode = await runCommandLine(io, argv, commands);
  return { exitCode, ...printed };
}

test.each([
  ['--version'],
  ['-V'],
  ['serve', '-V'],
  ['serve', '--version'],
  ['demo', '--version'],
  ['--config.file', 'x', '--version'],
])('%s %s prints the version and exits 0', async (...argv) => {
  expect(await run(...argv)).toEqual({ exitCode: 0, stdout: `${versionLine}\n`, stderr: '' });
  expect(versionLine).toMatch(/^dbpm-exporter, version \d+\.\d+\.\d+ \(node v\d+\.\d+\.\d+\)$/);
});

test.each(['serve', 'demo', 'check-config', 'backup'])(
  '%s --help prints its flags and exits 0',
  async name => {
    const { exitCode, stdout, stderr } = await run(name, '--help');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^Usage: dbpm-exporter ${name} `));
    expect(stdout).toContain('--history.file <path>');
  },
);

test('--help lists the commands', async () => {
  const { exitCode, stdout } = await run('--help');
  expect(exitCode).toBe(0);
  for (const name of ['serve', 'demo', 'check-config', 'backup']) expect(stdout).toContain(`\n  ${name} `);
});

test('--help lists the flags of the command alone, and the variables of the environment once', async () => {
  const helps = await Promise.all(['serve', 'check-config', 'report', 'backup'].map(n => run(n, '--help')));
  const [serve = '', check = '', report = '', backup = ''] = helps.map(({ stdout }) => stdout);
  for (const text of [serve, check]) expect(text).toContain('--web.listen-address <address>');
  for (const text of [report, backup]) {
    expect(text).toContain('--config.file <path>');
    expect(text).not.toContain('--web.');
    expect(text).not.toContain('--log.');
  }
  for (const text of [check, report, backup]) expect(text).not.toContain('DBPM_API_KEY_FILE');
  expect(serve).toContain('DBPM_API_KEY_FILE');
  for (const line of `${serve}${report}`.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
});

test('the help of console lists the flag that its own refusal to reload names', async () => {
  const { io, printed } = makeFakeIo();
  expect(await runCommandLine(io, ['console', '--help'], [consoleCommand(io)])).toBe(0);
  expect(printed.stdout).toContain('--web.enable-lifecycle');
});

test('a flag that --help does not list is taken all the same', async () => {
  const { stderr } = await run('report', 'usage', '--log.level', 'debug', '--history.file', 'nowhere.sqlite');
  expect(stderr).toBe(
    'dbpm-exporter: there is no history at nowhere.sqlite yet: run the daemon on it, or name another with --history.file\n',
  );
});

test('colours are printed where they are wanted, and nothing else changes', async () => {
  expect((await run('--help')).stdout).not.toContain('\u001b');
  const { io, printed } = makeFakeIo({ colors: true });
  expect(await runCommandLine(io, ['--help'], [serveCommand(io)])).toBe(0);
  expect(printed.stdout).toContain('\u001b[1mUsage:\u001b[22m');
  expect(await runCommandLine(io, ['--colour'], [serveCommand(io)])).toBe(2);
  expect(printed.stderr).toBe('\u001b[31mdbpm-exporter:\u001b[39m there is no flag --colour: see --help\n');
});

test.each([
  [['rep'], ['report']],
  [
    ['report', ''],
    ['usage', 'cost', 'months', 'budgets', 'forecast', 'keys', 'operations', 'findings', 'why', 'showback'],
  ],
  [['report', 'cost', '--form'], ['--format']],
  [
    ['serve', '--log.level', ''],
    ['debug', 'info', 'warn', 'error'],
  ],
  [['serve', '--config.file', 'test/clo'], []],
  [['serve', '--config.file', 'test/cl'], ['test/cli/']],
  [['report', 'cost', '--web'], []],
  [['t'], []],
])('a TAB after %j completes %j', async (words, completed) => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  const { exitCode, stdout } = await run('complete', '--', ...words);
  const lines = [...log.mock.calls.flat().map(String), ...stdout.split('\n')];
  expect(exitCode).toBe(0);
  expect(lines.filter(line => line !== '' && !line.startsWith(':')).map(line => line.split('\t')[0])).toEqual(
    completed,
  );
});

test.each([
  [['srve'], 'there is no command "srve": did you mean serve?'],
  [['help', 'srve'], 'there is no command "srve": did you mean serve?'],
  [
    ['x'],
    'there is no command "x": the commands are serve, demo, check-config, backup, report, reconcile, help',
  ],
  [['--confg.file', 'x'], 'there is no flag --confg.file: did you mean --config.file?'],
  [['serve', '--log-level=debug'], 'there is no flag --log-level: did you mean --log.level?'],
  [['--web.listen', 'x'], 'there is no flag --web.listen: did you mean --web.listen-address?'],
  [['--listen-address=x'], 'there is no flag --listen-address: did you mean --web.listen-address?'],
  [['config'], 'there is no command "config": did you mean check-config?'],
  [
    ['report'],
    'what is reported is missing: write one of usage, cost, months, budgets, forecast, keys, operations, findings, why, showback',
  ],
  [['--api-key=canary'], 'there is no flag --api-key: see --help'],
  [['-config.file', 'x'], 'there is no flag -config.file: did you mean --config.file?'],
  [['backup', '--to', 'x', '--force=canary'], '--force takes no value: see --help'],
  [['demo', '--se=1'], 'there is no flag --se: did you mean --seed?'],
  [['--config.file'], '--config.file needs a value: see --help'],
  [['serve', 'canary'], 'only flags are expected after the command: see --help'],
  [['demo', '--projects', '0'], '--projects: found "0", write a whole number from 1 to 2000'],
  [['demo', '--seed', "it's"], '--seed: found "it\'s", write a whole number from 0 to 4294967295'],
  [['backup'], '--to is missing: name the file to write the copy to, such as backup.sqlite'],
  [['reconcile'], '--invoice is missing: name the invoice as CSV, such as invoice.csv'],
])('%j is wrong usage: one sentence, exit 2', async (argv, sentence) => {
  expect(await run(...argv)).toEqual({ exitCode: 2, stdout: '', stderr: `dbpm-exporter: ${sentence}\n` });
});

test('a flag as near to two others names both', async () => {
  const { io, printed } = makeFakeIo();
  const command = new Command('fold').option('--left').option('--lift');
  expect(await runCommandLine(io, ['fold', '--loft=canary'], [command])).toBe(2);
  expect(printed.stderr).toBe(
    'dbpm-exporter: there is no flag --loft: did you mean one of --left, --lift?\n',
  );
});

async function runThrowing(error: unknown) {
  const { io, printed } = makeFakeIo();
  const command = new Command('break').action(() => {
    throw error;
  });
  return { exitCode: await runCommandLine(io, ['break'], [command]), ...printed };
}

test('an error nobody expected is one sentence with its causes and exit 1, without a stack', async () => {
  const error = new Error('the copy failed', { cause: new Error('disk full') });
  const stderr = 'dbpm-exporter: the copy failed: disk full\n';
  expect(await runThrowing(error)).toEqual({ exitCode: 1, stdout: '', stderr });
});

test('a failure decides its exit code', async () => {
  const stderr = 'dbpm-exporter: done without two projects\n';
  expect(await runThrowing(new Failure('done without two projects', 'partial'))).toEqual({
    exitCode: 3,
    stdout: '',
    stderr,
  });
});

test('a command may refuse a value in an action, too', async () => {
  const { exitCode, stderr } = await runThrowing(new InvalidArgumentError('write a port'));
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: 'dbpm-exporter: write a port\n' });
});
