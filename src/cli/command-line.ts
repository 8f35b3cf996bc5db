import { Command, CommanderError, type Option } from 'commander';
import { ConfigFailure, renderProblem } from '../config/problem.ts';
import { describeError } from '../log/error-record.ts';
import { Failure, type FailureKind } from '../resources/failure.ts';
import { completeCommand } from './completion.ts';
import type { ExitCode, Io } from './io.ts';
import { paint } from './terminal.ts';
import { versionLine } from './version.ts';

const exitCodes: Readonly<Record<FailureKind, ExitCode>> = { run: 1, usage: 2, partial: 3 };

/**
 * Runs one command line to its end. A failure becomes one sentence on stderr and the exit code.
 *
 * @param argv the words after node and the script.
 * @param commands the first one is also the one that runs when none is named.
 */
export async function runCommandLine(
  io: Io,
  argv: readonly string[],
  commands: readonly Command[],
): Promise<ExitCode> {
  try {
    const root = buildRoot(io, commands);
    refuseUnknownCommand(argv, root);
    await root.parseAsync([...argv], { from: 'user' });
    return 0;
  } catch (error) {
    return reportFailure(io, error, commands.find(each => each.name() === argv[0]) ?? commands[0]);
  }
}

/** Where help is wrapped when it is not printed to a terminal. */
const usualColumns = 80;
const versionFlags = '-V, --version';

function buildRoot(io: Io, commands: readonly Command[]): Command {
  const root = new Command('dbpm-exporter')
    .description('Prometheus exporter with a memory for fleets of hosted Postgres projects.')
    .exitOverride()
    .configureOutput({
      writeOut: io.stdout,
      writeErr: () => {},
      getOutHasColors: () => io.stdoutHasColors,
      getOutHelpWidth: () => io.stdoutColumns ?? usualColumns,
    })
    .configureHelp({
      styleTitle: text => paint(text, 'title', true),
      styleOptionTerm: text => paint(text, 'term', true),
      styleSubcommandTerm: text => paint(text, 'term', true),
    })
    .version(versionLine, versionFlags, 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', '\nWithout a command it serves: the flags of "serve" can be given at once.');
  for (const [index, command] of commands.entries()) {
    command.copyInheritedSettings(root).version(versionLine, versionFlags, 'print the version');
    root.addCommand(command, { isDefault: index === 0 });
  }
  return root.addCommand(completeCommand(io), { hidden: true });
}

/** The first word can only be a command; without this it would be taken for an argument of the default one. */
function refuseUnknownCommand([given = '-', named = '-']: readonly string[], root: Command): void {
  const first = given === 'help' ? named : given;
  const names = root
    .createHelp()
    .visibleCommands(root)
    .map(command => command.name());
  if (first.startsWith('-') || [...names, 'complete'].includes(first)) return;
  const suggested = suggestWord(first, names);
  const advice =
    suggested === undefined ? `the commands are ${names.join(', ')}` : `did you mean ${suggested}?`;
  throw new Failure(`there is no command "${first}": ${advice}`, 'usage');
}

/** @param command the one that was asked for. */
function reportFailure(io: Io, error: unknown, command: Command | undefined): ExitCode {
  if (error instanceof ConfigFailure) {
    for (const problem of error.problems)
      io.stderr(`${paint(renderProblem(problem), 'failure', io.stderrHasColors)}\n`);
    return exitCodes.usage;
  }
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    printFailure(io, describeUsage(error, command));
    return exitCodes.usage;
  }
  printFailure(io, error instanceof Failure ? error.message : describeError(error));
  return exitCodes[error instanceof Failure ? error.kind : 'run'];
}

function printFailure({ stderr, stderrHasColors }: Io, sentence: string): void {
  stderr(`${paint('dbpm-exporter:', 'failure', stderrHasColors)} ${sentence}\n`);
}

/** The parser's message as one sentence. */
function describeUsage({ code, message }: CommanderError, command: Command | undefined): string {
  const text = message.replace(/^error: /, '');
  // A value glued to a flag may be a key and is cut off.
  const { flag = '' } = /'(?<flag>-[^\s=']*)/.exec(text)?.groups ?? {};
  if (code === 'commander.unknownOption') return describeUnknownFlag(flag, command?.options ?? []);
  if (code === 'commander.missingArgument') {
    const [{ description, argChoices = [] } = { description: text }] = command?.registeredArguments ?? [];
    return `${description} is missing: write one of ${argChoices.join(', ')}`;
  }
  if (code === 'commander.optionMissingArgument') return `${flag} needs a value: see --help`;
  if (code === 'commander.missingMandatoryOptionValue') {
    const { description = '' } = command?.options.find(({ long }) => long === flag) ?? {};
    return `${flag} is missing: name ${description}`;
  }
  if (code === 'commander.excessArguments') return 'only flags are expected after the command: see --help';
  const { word, choices } =
    /value '(?<word>.*)' is invalid for argument .*Allowed choices are (?<choices>.*)\.$/s.exec(text)
      ?.groups ?? {};
  if (word !== undefined) return `found ${JSON.stringify(word)}, write one of ${choices}`;
  const invalid = /argument '(?<found>.*)' is invalid\. (?<expected>.*)$/s.exec(text)?.groups;
  if (invalid !== undefined) {
    const expected = invalid.expected ?? '';
    const words = /^Allowed choices are (?<words>.*)\.$/s.exec(expected)?.groups?.words?.split(', ');
    const advice = words === undefined ? expected : `write ${sayWords(words)}`;
    return `${flag}: found ${JSON.stringify(invalid.found)}, ${advice}`;
  }
  return text.split('\n')[0] ?? text;
}

function sayWords(words: readonly string[]): string {
  return words.length > 2 ? `one of ${words.join(', ')}` : words.join(' or ');
}

function describeUnknownFlag(flag: string, options: readonly Option[]): string {
  const flags = ['--help', ...options.flatMap(({ long }) => long ?? [])];
  if (flags.includes(flag)) return `${flag} takes no value: see --help`;
  const long = flag.replace(/^-+/, '--');
  const suggested = flags.includes(long) ? long : suggestWord(long, flags);
  return `there is no flag ${flag}: ${suggested === undefined ? 'see --help' : `did you mean ${suggested}?`}`;
}

/** Shorter words are a part of too many. */
const leastPart = 3;
const mostSuggested = 4;

/**
 * The known words that a wrong one may mean, `--log.level` or `one of --from, --format`: the nearest one, or else all that
 * contain it.
 *
 * @param known names of commands, or flags.
 */
function suggestWord(word: string, known: readonly string[]): string | undefined {
  const nearest = findNearest(word, known);
  const part = word.replace(/^--/, '');
  if (nearest !== undefined || part.length < leastPart) return nearest;
  const begun = known.filter(each => each.startsWith(word));
  const found = begun.length > 0 ? begun : known.filter(each => each.includes(part));
  if (found.length === 0 || found.length > mostSuggested) return undefined;
  return `${found.length > 1 ? 'one of ' : ''}${found.join(', ')}`;
}

/** The parser's suggestion. It is asked for with the word alone: with a value glued to the word it finds none. */
function findNearest(word: string, known: readonly string[]): string | undefined {
  const parser = new Command().exitOverride().configureOutput({ writeOut: () => {}, writeErr: () => {} });
  for (const each of known) {
    if (!each.startsWith('--')) parser.command(each);
    else if (each !== '--help') parser.option(each);
  }
  try {
    parser.parse([word], { from: 'user' });
  } catch (error) {
    const { message } = error instanceof CommanderError ? error : { message: '' };
    return /\(Did you mean (?<words>.*)\?\)/.exec(message)?.groups?.words;
  }
  return undefined;
}
