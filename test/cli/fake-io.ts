import type { Io } from '../../src/cli/io.ts';

/** An `Io` that remembers what was printed; `stop` is the signal, and `hangUp` a SIGHUP. */
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
  const hangups: (() => void)[] = [];
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
    onHangup: listener => void hangups.push(listener),
    onSecrets: () => {},
    inheritedSockets: [],
    notifyPlace: undefined,
  };
  const hangUp = () => {
    for (const listener of hangups) listener();
  };
  return { io, printed, hangUp, stop: () => stopper.abort() };
}
