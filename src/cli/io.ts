import type { NotifyPlace } from '../daemon/service-manager.ts';

/** The parts of its process that a command may touch; they are handed in, so that a test can hand in its own. */
export interface Io {
  /** The environment as it was at the start. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Takes variables out of the environment that libraries, threads and children see; `env` stays. */
  readonly hideVariables: (names: readonly string[]) => void;
  readonly stdout: (text: string) => void;
  /** Resolves once more can be printed without piling up; to false when the reader is gone. */
  readonly stdoutTaken: () => Promise<boolean>;
  readonly stderr: (text: string) => void;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  /** Whether colours may be printed: on a terminal that has them, unless NO_COLOR or a like variable forbids it. */
  readonly stdoutHasColors: boolean;
  readonly stderrHasColors: boolean;
  /** Columns of the terminal, if stdout is one. */
  readonly stdoutColumns?: number;
  /** Aborted by SIGTERM or SIGINT: a long-running command then closes what it opened and returns. */
  readonly stopped: AbortSignal;
  /** Takes how to list what may show nowhere, such as keys, also where the process ends by an error. */
  readonly onSecrets: (list: () => readonly string[]) => void;
  /** Takes what is to happen at a SIGHUP; without a listener the system ends the process. */
  readonly onHangup: (listener: () => void) => void;
  /** Descriptors of the listening sockets that systemd handed over. */
  readonly inheritedSockets: readonly number[];
  /** Where systemd wants to hear how the daemon is; undefined where it does not. */
  readonly notifyPlace: NotifyPlace | undefined;
}

/** 0 fine; 1 failed at run time; 2 wrong usage or configuration; 3 done, but on partial data. */
export type ExitCode = 0 | 1 | 2 | 3;
