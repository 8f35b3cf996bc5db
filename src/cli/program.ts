import type { Command } from 'commander';
import { describeError } from '../log/error-record.ts';
import { backupCommand } from './backup.ts';
import { checkConfigCommand } from './check-config.ts';
import { runCommandLine } from './command-line.ts';
import { dashboardsCommand } from './dashboards.ts';
import { demoCommand } from './demo.ts';
import { exportCommand } from './export.ts';
import type { Io } from './io.ts';
import { planCommand } from './plan.ts';
import { rebuildCommand } from './rebuild.ts';
import { reportCommand } from './report.ts';
import { rulesCommand } from './rules.ts';
import { serveCommand } from './serve.ts';
import { simulateCommand } from './simulate.ts';

/** How long something forgotten may keep the process alive after its command has ended. */
const lingerMs = 2000;

/** One line a command; the first is also the one that runs when none is named. */
const makeCommands = (io: Io): Command[] => [
  serveCommand(io),
  demoCommand(io),
  simulateCommand(io),
  checkConfigCommand(io),
  planCommand(io),
  exportCommand(io),
  reportCommand(io),
  backupCommand(io),
  rebuildCommand(io),
  rulesCommand(io),
  dashboardsCommand(io),
];

/** Runs the program on this process, the only code besides `main` that touches it. */
export async function runProgram(process: NodeJS.Process, make = makeCommands): Promise<void> {
  const io = makeIo(process);
  process.on('uncaughtException', error => {
    io.stderr(`dbpm-exporter: ended by an error nobody expected: ${describeError(error)}\n`);
    process.exit(1);
  });
  process.exitCode = await runCommandLine(io, process.argv.slice(2), make(io));
  setTimeout(() => process.exit(), lingerMs).unref();
}

function makeIo(process: NodeJS.Process): Io {
  const stop = new AbortController();
  const onSignal = () => {
    if (stop.signal.aborted) process.exit(1);
    stop.abort();
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  process.stderr.on('error', () => {});
  return {
    env: process.env,
    stdout: text => process.stdout.write(text),
    stdoutTaken: watchTaking(process.stdout),
    stderr: text => process.stderr.write(text),
    stdoutIsTerminal: process.stdout.isTTY === true,
    stderrIsTerminal: process.stderr.isTTY === true,
    stopped: stop.signal,
  };
}

/** Follows how much of what is printed is taken; once writing failed nothing is. */
function watchTaking(stream: NodeJS.WriteStream): Io['stdoutTaken'] {
  let isGone = false;
  let wake = () => {};
  stream.on('drain', () => wake());
  // A reader that has gone (`dbpm-exporter --help | head -1`) is no error of ours.
  stream.on('error', () => {
    isGone = true;
    wake();
  });
  return async () => {
    if (stream.writableNeedDrain && !isGone) {
      await new Promise<void>(resolve => {
        wake = resolve;
      });
    }
    return !isGone;
  };
}
