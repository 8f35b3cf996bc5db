import { fstatSync, writeFileSync } from 'node:fs';
import { close as closeDebugger } from 'node:inspector';
import type { makeCommands as makeAll } from './cli/command-list.ts';
import type { Io } from './cli/io.ts';
import { describeError } from './log/error-record.ts';
import { redactText } from './log/redaction.ts';

/** How long something forgotten may keep the process alive after its command has ended. */
const lingerMs = 2000;

/**
 * Runs the command line of this process to its end: the only code that reads its arguments, environment and signals. All
 * else is loaded once it listens to signals, which takes a while: a process that is told to stop meanwhile has stopped.
 *
 * @param make gives the commands, where they are not all there are.
 */
export async function main(process: NodeJS.Process, make?: typeof makeAll): Promise<void> {
  // A diagnostic report would hold every variable, the keys among them.
  process.report.excludeEnv = true;
  let listSecrets: () => readonly string[] = () => [];
  const onSecrets: Io['onSecrets'] = list => {
    listSecrets = list;
  };
  const io = { ...makeIo(process), onSecrets };
  process.on('uncaughtException', error => {
    const message = redactText(describeError(error), listSecrets());
    io.stderr(`dbpm-exporter: ended by an unexpected error: ${message}\n`);
    process.exit(1);
  });
  const [{ runCommandLine }, { makeCommands }] = await Promise.all([
    import('./cli/command-line.ts'),
    import('./cli/command-list.ts'),
  ]);
  if (io.stopped.aborted) return;
  process.exitCode = await runCommandLine(io, process.argv.slice(2), (make ?? makeCommands)(io));
  setTimeout(() => process.exit(), lingerMs).unref();
}

/** A terminal, npm and `timeout` tell a process and its group: that is one signal, and only a later one is a second. */
const sameSignalMs = 500;

function makeIo(process: NodeJS.Process): Omit<Io, 'onSecrets'> {
  const stop = new AbortController();
  let toldAt = Number.POSITIVE_INFINITY;
  const onSignal = () => {
    if (performance.now() - toldAt > sameSignalMs) process.exit(1);
    if (stop.signal.aborted) return;
    toldAt = performance.now();
    stop.abort();
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal).on('SIGQUIT', onSignal);
  // Node opens a debugger at this one, to anybody on the machine.
  process.on('SIGUSR1', () => {
    closeDebugger();
    process.stderr.write('dbpm-exporter: SIGUSR1 opens no debugger here\n');
  });
  process.on('SIGUSR2', () => process.stderr.write('dbpm-exporter: SIGUSR2 means nothing here\n'));
  process.stderr.on('error', () => {});
  return {
    env: { ...process.env },
    hideVariables(names) {
      for (const name of names) delete process.env[name];
    },
    stdout: openStdout(process.stdout),
    stdoutTaken: watchTaking(process),
    stderr: text => process.stderr.write(text),
    stdoutIsTerminal: process.stdout.isTTY === true,
    stderrIsTerminal: process.stderr.isTTY === true,
    stdoutHasColors: hasColors(process.stdout),
    stderrHasColors: hasColors(process.stderr),
    ...(process.stdout.isTTY && { stdoutColumns: process.stdout.columns }),
    stopped: stop.signal,
    onHangup: listener => void process.on('SIGHUP', listener),
    inheritedSockets: listInheritedSockets(process),
    notifyPlace: findNotifyPlace(process),
  };
}

/** Node heeds NO_COLOR, NODE_DISABLE_COLORS, FORCE_COLOR and TERM here. */
function hasColors(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && stream.hasColors();
}

/** Systemd numbers the sockets it hands over from here on (sd_listen_fds(3)). */
const firstInherited = 3;

function listInheritedSockets({ env, pid }: NodeJS.Process): readonly number[] {
  if (env.LISTEN_PID !== String(pid)) return [];
  const count = /^\d{1,3}$/.test(env.LISTEN_FDS ?? '') ? Number(env.LISTEN_FDS) : 0;
  return Array.from({ length: count }, (_, index) => firstInherited + index);
}

function findNotifyPlace({ env, pid }: NodeJS.Process): Io['notifyPlace'] {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: microseconds, WATCHDOG_PID, PATH: path } = env;
  if (!socket) return undefined;
  const isWatched = Number(microseconds) > 0 && (WATCHDOG_PID ?? String(pid)) === String(pid);
  return { socket, watchdogMs: isWatched ? Number(microseconds) / 1000 : undefined, path };
}

/** Prints all of a text or fails: where a disk is almost full the stream of a file forgets what did not fit. */
function openStdout(stream: NodeJS.WriteStream & { readonly fd: number }): Io['stdout'] {
  if (!fstatSync(stream.fd).isFile()) return text => stream.write(text);
  return text => {
    try {
      writeFileSync(stream.fd, text);
    } catch (error) {
      stream.emit('error', error);
    }
  };
}

/** Follows how much of what is printed is taken; once writing failed nothing is. What is lost is told, and fails the process. */
function watchTaking(process: NodeJS.Process): Io['stdoutTaken'] {
  const stream = process.stdout;
  let isGone = false;
  let wake = () => {};
  stream.on('drain', () => wake());
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has gone (`dbpm-exporter --help | head -1`) is no error of ours.
    if (!isGone && error.code !== 'EPIPE') {
      process.stderr.write(`dbpm-exporter: stdout cannot be written: ${error.message}\n`);
      process.on('exit', () => {
        process.exitCode = 1;
      });
    }
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

// `node src/main.ts` starts here; bin/dbpm-exporter.cjs, which an older Node can read too, calls `main`.
if (import.meta.main) await main(process);
