import { Command, InvalidArgumentError } from 'commander';
import { expect, test } from 'vitest';
import { backupCommand } from '../../src/cli/backup.ts';
import { checkConfigCommand } from '../../src/cli/check-config.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { demoCommand } from '../../src/cli/demo.ts';
import { serveCommand } from '../../src/cli/serve.ts';
import { versionLine } from '../../src/cli/version.ts';
import { Failure } from '../../src/resources/failure.ts';
import { makeFakeIo } from './fake-io.ts';

async function run(...argv: readonly string[]) {
  const { io, printed } = makeFakeIo();
  const commands = [serveCommand(io), demoCommand(io), checkConfigCommand(io), backupCommand(io)];
  const exitCode = await runCommandLine(io, argv, commands);
  return { exitCode, ...printed };
}

test.each([
  ['--version'],
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

test.each([
  [['srve'], 'there is no command "srve": did you mean serve?'],
  [['x'], 'there is no command "x": the commands are serve, demo, check-config, backup, help'],
  [['--confg.file', 'x'], 'there is no flag --confg.file: did you mean --config.file?'],
  [['serve', '--log-level=debug'], 'there is no flag --log-level: did you mean --log.level?'],
  [['--api-key=canary'], 'there is no flag --api-key: see --help'],
  [['-config.file', 'x'], 'there is no flag -config.file: did you mean --config.file?'],
  [['backup', '--to', 'x', '--force=canary'], '--force takes no value: see --help'],
  [['demo', '--se=1'], 'there is no flag --se: did you mean --seed?'],
  [['--config.file'], '--config.file needs a value: see --help'],
  [['serve', 'canary'], 'only flags are expected after the command: see --help'],
  [['demo', '--projects', '0'], '--projects: found "0", write a whole number from 1 to 2000'],
  [['demo', '--seed', "it's"], '--seed: found "it\'s", write a whole number from 0 to 4294967295'],
  [['backup'], '--to is missing: see --help'],
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
