import type { Io } from '../../src/cli/io.ts';

/** An `Io` that remembers what was printed; `stop` is the signal. */
export function makeFakeIo({
  env = {},
  terminal = false,
}: {
  readonly env?: Io['env'];
  readonly terminal?: boolean;
} = {}) {
  const printed = { stdout: '', stderr: '' };
  const stopper = new AbortController();
  const io: Io = {
    env,
    stdout: text => {
      printed.stdout += text;
    },
    stderr: text => {
      printed.stderr += text;
    },
    stdoutTaken: async () => true,
    stdoutIsTerminal: terminal,
    stderrIsTerminal: terminal,
    stopped: stopper.signal,
    onHangup: () => {},
    inheritedSockets: [],
  };
  return { io, printed, stop: () => stopper.abort() };
}
