import { Command, CommanderError } from 'commander';
import { findNearestWord } from '../config/nearest-word.ts';
import { renderProblem } from '../config/problem.ts';
import { describeError } from '../log/error-record.ts';
import { ConfigFailure, Failure } from './failure.ts';
import type { ExitCode, Io } from './io.ts';
import { versionLine } from './version.ts';

/**
 * Runs one command line (`argv` without node and script) to its end; what goes wrong becomes one sentence on
 * stderr and the exit code. The first command is also the one that runs when none is named.
 */
export async function runCommandLine(
  io: Io,
  argv: readonly string[],
  commands: readonly Command[],
): Promise<ExitCode> {
  try {
    refuseUnknownCommand(argv, commands);
    await buildRoot(io, commands).parseAsync([...argv], { from: 'user' });
    return 0;
  } catch (error) {
    return reportFailure(io, error, listFlags(argv, commands));
  }
}

function buildRoot(io: Io, commands: readonly Command[]): Command {
  const root = new Command('dbpm-exporter')
    .description('Prometheus exporter with a memory for fleets of hosted Postgres projects.')
    .exitOverride()
    .configureOutput({ writeOut: io.stdout, writeErr: () => {} })
    .version(versionLine, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', '\nWithout a command it serves: the flags of "serve" can be given at once.');
  for (const [index, command] of commands.entries()) {
    command.copyInheritedSettings(root).version(versionLine, '--version', 'print the version');
    root.addCommand(command, { isDefault: index === 0 });
  }
  return root;
}

/** The first word can only be a command; without this it would be taken for an argument of the default one. */
function refuseUnknownCommand([first = '-']: readonly string[], commands: readonly Command[]): void {
  const names = [...commands.map(command => command.name()), 'help'];
  if (first.startsWith('-') || names.includes(first)) return;
  const nearest = findNearestWord(first, names);
  const advice = nearest === undefined ? `the commands are ${names.join(', ')}` : `did you mean ${nearest}?`;
  throw new Failure(`there is no command "${first}": ${advice}`, 2);
}

/** The flags of the command that was asked for. */
function listFlags([first]: readonly string[], commands: readonly Command[]): string[] {
  const command = commands.find(each => each.name() === first) ?? commands[0];
  return ['--help', ...(command?.options ?? []).flatMap(({ long }) => long ?? [])];
}

function reportFailure(io: Io, error: unknown, flags: readonly string[]): ExitCode {
  if (error instanceof ConfigFailure) {
    for (const problem of error.problems) io.stderr(`${renderProblem(problem)}\n`);
    return 2;
  }
  if (error instanceof CommanderError) {
    if (error.exitCode !== 0) io.stderr(`dbpm-exporter: ${describeUsage(error, flags)}\n`);
    return error.exitCode === 0 ? 0 : 2;
  }
  io.stderr(`dbpm-exporter: ${error instanceof Failure ? error.message : describeError(error)}\n`);
  return error instanceof Failure ? error.exitCode : 1;
}

/** The parser's message as one sentence; a value glued to an unknown flag may be a key and is cut off. */
function describeUsage({ code, message }: CommanderError, flags: readonly string[]): string {
  const text = message.replace(/^error: /, '');
  const flag = /'(?<flag>-[^\s=']*)/.exec(text)?.groups?.flag;
  if (code === 'commander.unknownOption') {
    const nearest = flag && findNearestWord(flag, flags);
    return `there is no flag ${flag}: ${nearest ? `did you mean ${nearest}?` : 'see --help'}`;
  }
  if (code === 'commander.optionMissingArgument') return `${flag} needs a value: see --help`;
  if (code === 'commander.missingMandatoryOptionValue') return `${flag} is missing: see --help`;
  if (code === 'commander.excessArguments') return 'only flags are expected after the command: see --help';
  const invalid = /argument '(?<found>.*)' is invalid\. (?<expected>.*)$/s.exec(text)?.groups;
  if (invalid !== undefined) return `${flag}: found ${JSON.stringify(invalid.found)}, ${invalid.expected}`;
  return text.split('\n')[0] ?? text;
}
