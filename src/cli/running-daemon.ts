import type { Config } from '../config/config.ts';
import { renderListenAddress } from '../config/listen-address.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { renderProblem } from '../config/problem.ts';
import { describeError } from '../log/error-record.ts';
import type { Logger } from '../log/logger.ts';
import { redactText } from '../log/redaction.ts';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import { revisionVariable, version } from './version.ts';

/** A daemon that serves; `close` drains and returns when everything is written. */
export interface RunningDaemon {
  readonly url: string;
  /** Rejects when it cannot go on. */
  readonly failed: Promise<never>;
  readonly close: () => Promise<void>;
}

/** The composition root, as the commands that run a daemon see it. */
export interface DaemonModule {
  readonly startDaemon: (
    config: Config,
    options: {
      readonly log: Logger;
      readonly version: string;
      readonly revision: string;
      readonly signal: AbortSignal;
    },
  ) => Promise<RunningDaemon>;
}

const readKeys = (config: Config): string[] => config.accounts.map(account => account.readApiKey());

/** Starts the daemon, tells when it is ready, and closes it when the process is told to stop. Throws `Failure`. */
export async function runDaemon(
  io: Io,
  { config, warnings }: LoadedConfig,
  loadDaemon: () => Promise<DaemonModule>,
  onReady: (daemon: RunningDaemon) => void = () => {},
): Promise<void> {
  const secrets = () => readKeys(config);
  const { createLogger } = await import('../log/logger.ts');
  const log = createLogger({ ...config.log, write: io.stderr, secrets });
  for (const warning of warnings) log.warn(renderProblem(warning));
  const revision = io.env[revisionVariable] ?? '';
  try {
    const { startDaemon } = await loadDaemon();
    const daemon = await startDaemon(config, { log, version, revision, signal: io.stopped });
    try {
      log.info({ url: daemon.url, version }, 'serving');
      onReady(daemon);
      await Promise.race([untilAborted(io.stopped), daemon.failed]);
      log.info('stopping');
    } finally {
      await daemon.close();
    }
  } catch (error) {
    if (io.stopped.aborted && error instanceof Error && error.name === 'AbortError') return;
    log.debug({ err: error }, 'the daemon ended with an error');
    throw new Failure(redactText(describeDaemonFailure(error, config), secrets()));
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

const listenFailures: Readonly<Record<string, string>> = {
  EADDRINUSE:
    'is taken by another program: stop that one, or choose another address with --web.listen-address',
  EACCES: 'may not be listened on by this user: choose a port above 1023 with --web.listen-address',
  EADDRNOTAVAIL: 'is no address of this machine: choose another with --web.listen-address',
  ENOTFOUND: 'is not known here: choose another address with --web.listen-address',
};

/** What went wrong, and for an address that cannot be listened on, what to do about it. */
function describeDaemonFailure(error: unknown, config: Config): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const isListening = 'syscall' in cause && (cause.syscall === 'listen' || cause.syscall === 'getaddrinfo');
    const advice = isListening && 'code' in cause ? listenFailures[String(cause.code)] : undefined;
    if (advice !== undefined) return `${renderListenAddress(config.web.listenAddress)} ${advice}`;
  }
  return describeError(error);
}
