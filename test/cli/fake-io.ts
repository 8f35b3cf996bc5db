import type { Io } from '../../src/cli/io.ts';

/** An `Io` that remembers what was printed; `stop` is the signal. */
export function makeFakeIo({
  env = {},
  terminal = false,
  colors = false,
}: {
  readonly env?: Io['env'];
  readonly terminal?: boolean;
  readonly colors?: boolean;
} = {}) {
  const printed = { stdout: '', stderr: '' };
  const stopper = new AbortController();
  const io: Io = {
    env,
    hideVariables: () => {},
    stdout: text => {
      printed.stdout += text;
    },
    stderr: text => {
      printed.stderr += text;
    },
    stdoutTaken: async () => true,
    stdoutIsTerminal: terminal,
    stderrIsTerminal: terminal,
    stdoutHasColors: colors,
    stderrHasColors: colors,
    stopped: stopper.signal,
    onHangup: () => {},
    onSecrets: () => {},
    inheritedSockets: [],
    notifyPlace: undefined,
  };
  return { io, printed, stop: () => stopper.abort() };
}
