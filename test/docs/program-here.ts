import { vi } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { makeCommands } from '../../src/cli/command-list.ts';
import { exportCommand } from '../../src/cli/export.ts';
import type { Io } from '../../src/cli/io.ts';
import { reportCommand } from '../../src/cli/report.ts';
import { makeFakeIo } from '../cli/fake-io.ts';
import { patience } from '../support/patience.ts';
import { recordedAt } from '../support/recorded-demo.ts';

type Env = Readonly<Record<string, string>>;

/** The program in this process, without a process of its own. */
export interface RunningProgram {
  readonly printed: { readonly stdout: string; readonly stderr: string };
  readonly ended: Promise<number>;
  /** Stops it as a signal does. @returns its exit code. */
  stop(): Promise<number>;
}

/** Commands that run until they are stopped, by what they print when they are ready. */
const readyText: Readonly<Record<string, RegExp>> = {
  serve: /msg=serving/,
  demo: /Stop it with/,
  simulate: /"api_key"/,
  console: /Open the console/,
};

/** Starts the program; a command that runs until it is stopped is ready then. */
export async function startProgramHere(argv: readonly string[], env: Env): Promise<RunningProgram> {
  const { io, printed, stop } = makeFakeIo({ env });
  const ended = runCommandLine(io, argv, makeCommandsAt(io));
  const ready = readyText[findCommand(argv)];
  if (ready !== undefined) {
    await vi.waitFor(() => {
      if (!ready.test(printed.stdout + printed.stderr))
        throw new Error(`${argv.join(' ')} is not ready: ${printed.stderr}`);
    }, patience);
  }
  const stopAndWait = () => {
    stop();
    return ended;
  };
  return { printed, ended, stop: stopAndWait };
}

/** Runs the program to its end, or stops it once it is ready. @returns its exit code and what it printed. */
export async function runProgramHere(argv: readonly string[], env: Env) {
  const program = await startProgramHere(argv, env);
  const exitCode = await (readyText[findCommand(argv)] === undefined ? program.ended : program.stop());
  return { exitCode, ...program.printed };
}

function findCommand([first = '']: readonly string[]): string {
  return first === '' || first.startsWith('-') ? 'serve' : first;
}

/** All commands. Where one asks for the time, it is the instant of the recorded demo. */
function makeCommandsAt(io: Io) {
  const now = () => recordedAt;
  const living = [exportCommand(io, now), reportCommand(io, { now })];
  return makeCommands(io).map(command => living.find(each => each.name() === command.name()) ?? command);
}
