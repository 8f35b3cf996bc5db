import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import type { Config } from '../config/config.ts';
import { type ListenAddress, renderListenAddress } from '../config/listen-address.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { renderProblem } from '../config/problem.ts';
import { historySizeBytes } from '../history/file/reader.ts';
import { describeError } from '../log/error-record.ts';
import type { LogFields } from '../log/logger.ts';
import { renderDuration } from '../resources/duration.ts';
import { Failure } from '../resources/failure.ts';
import { allowGivingBack } from '../thread/garbage.ts';
import type { Daemon, DaemonOptions } from './daemon.ts';
import { type NotifyPlace, ServiceManager } from './service-manager.ts';

/** Requests a minute up to which collecting garbage so much more often takes a few hundredths of one core at most. */
const mostRequestsPerMinute = 12_000;

/** The bytes of bytecode that the compiler may put into one function, a quarter of the usual: it takes far less memory for it. */
const mostInlinedBytes = 250;

/**
 * Makes the heaps of this process small rather than fast, where few requests a minute leave hardly any work to slow
 * down. To be called before much is kept: what a heap has grown to it does not give back.
 */
function favorSmallHeap(requestsPerMinute: number): void {
  setFlagsFromString(`--max-inlined-bytecode-size-cumulative=${mostInlinedBytes}`);
  if (requestsPerMinute <= mostRequestsPerMinute) setFlagsFromString('--optimize-for-size');
}

/** The composition root. It is loaded only once the daemon runs, as it needs half of the program. */
export interface DaemonModule {
  readonly startDaemon: (config: Config, options: DaemonOptions) => Promise<Daemon>;
}

/** The surroundings of a daemon that runs until it is told to stop. */
export interface DaemonHost extends Omit<DaemonOptions, 'log'> {
  /** Takes the lines of the log. */
  readonly write: (line: string) => void;
  /** Whether they go to a terminal with colours. */
  readonly hasColors: boolean;
  /** Takes what is to happen at a SIGHUP. */
  readonly onHangup: (listener: () => void) => void;
  /** Told how to list the keys that were ever in use, which may show nowhere. */
  readonly onSecrets: (list: () => readonly string[]) => void;
  /** Called once it serves. */
  readonly onReady?: (daemon: Daemon) => void;
  /** The command that takes the flag a remedy names; absent where the flag alone says it. */
  readonly command?: string;
  /** Where systemd wants to hear how the daemon is; absent where it does not. */
  readonly notifyPlace?: NotifyPlace | undefined;
}

/**
 * Starts the daemon, logs when it serves, and closes it when its signal is aborted.
 *
 * @throws Failure when it cannot start or cannot go on, without a key in its message.
 */
export async function runDaemon(
  { config, warnings }: Pick<LoadedConfig, 'config' | 'warnings'>,
  { write, hasColors, onHangup, onReady = () => {}, onSecrets, notifyPlace, command, ...options }: DaemonHost,
  loadDaemon: () => Promise<DaemonModule> = () => import('./daemon.ts'),
): Promise<void> {
  const startedMs = performance.now();
  const { accounts } = config;
  const secrets = rememberSecrets();
  secrets.follow(config);
  onSecrets(secrets.list);
  allowGivingBack();
  favorSmallHeap(accounts.reduce((sum, { requestsPerMinute }) => sum + requestsPerMinute, 0));
  const { createLogger } = await import('../log/logger.ts');
  const log = createLogger({ ...config.log, write, hasColors, secrets: secrets.list });
  for (const warning of warnings) log.warn(renderProblem(warning));
  // Until it serves there is nothing newer to read.
  let reload = () => {};
  const manager = notifyPlace && new ServiceManager(notifyPlace);
  onHangup(() => reload());
  try {
    const { startDaemon } = await loadDaemon();
    const daemon = await startDaemon(config, {
      ...options,
      log,
      ...(manager && { onReloading: manager.noteReload }),
      loadConfig: async () => {
        const loaded = await options.loadConfig();
        secrets.follow(loaded.config);
        return loaded;
      },
    });
    try {
      log.info({ url: daemon.url, version: options.version, ...describeServing(config) }, 'serving');
      reload = () => void daemon.reload();
      manager?.beginSigns(daemon);
      onReady(daemon);
      // Its threads do likewise: a process that is killed writes nothing, and the next start would compile all of it again.
      flushCompileCache();
      await Promise.race([untilAborted(options.signal), daemon.failed]);
      log.info('stopping');
      manager?.stop();
    } finally {
      await daemon.close();
      log.info({ ran: renderDuration(performance.now() - startedMs) }, 'stopped');
    }
  } catch (error) {
    if (options.signal.aborted && error instanceof Error && error.name === 'AbortError') return;
    log.debug({ err: error }, 'the daemon ended with an error');
    throw new Failure(log.redact(describeDaemonFailure(error, config, command)));
  }
}

function describeServing({ web, history }: Config): LogFields {
  const reload = web.enableLifecycle ? ['/-/reload'] : [];
  return {
    paths: ['/', web.telemetryPath, '/-/healthy', '/-/ready', ...reload],
    history: history.file,
    history_bytes: historySizeBytes(history.file),
  };
}

/** Keys that were ever in use: one that was exchanged is none to be logged either. */
function rememberSecrets() {
  const configs: Config[] = [];
  const keys = new Set<string>();
  return {
    follow: (config: Config) => void configs.push(config),
    list(): readonly string[] {
      for (const { readApiKey, readProxy } of configs.flatMap(({ accounts }) => accounts)) {
        keys.add(readApiKey());
        for (const secret of proxySecrets(readProxy?.().url)) keys.add(secret);
      }
      return [...keys];
    },
  };
}

/** The password of a proxy, as it is written and as it is meant. */
function proxySecrets(url: string | undefined): readonly string[] {
  const password = url === undefined ? '' : (URL.parse(url)?.password ?? '');
  if (password === '') return [];
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

const listenFailures: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken by another program: stop that one, or choose another address with',
  EACCES: 'may not be listened on by this user: choose a port above 1023 with',
  EADDRNOTAVAIL: 'is no address of this machine: choose another with',
  ENOTFOUND: 'is not known here: choose another address with',
};

/** The failure with its causes; for an address that cannot be listened on, that address and the remedy. */
export function describeDaemonFailure(error: unknown, config: Config, command?: string): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const isListening = 'syscall' in cause && (cause.syscall === 'listen' || cause.syscall === 'getaddrinfo');
    const advice = isListening && 'code' in cause ? listenFailures[String(cause.code)] : undefined;
    if (advice !== undefined) {
      const { address, flag } = findAddress(cause, config);
      return command === undefined
        ? `${address} ${advice} ${flag}`
        : `${address} ${advice} ${command} ${flag} 127.0.0.1:0`;
    }
  }
  return describeError(error);
}

/** The address that failed, as it was written, with the flag it was given by; the system tells its port. */
function findAddress(error: Error, { web }: Config): { readonly address: string; readonly flag: string } {
  const isFailed = ({ port }: ListenAddress) => 'port' in error && error.port === port;
  const failed = web.listenAddress.find(isFailed);
  const probed = failed === undefined ? web.healthAddress.find(isFailed) : undefined;
  const address = failed ?? probed ?? web.listenAddress[0] ?? { host: undefined, port: 0 };
  const flag = probed === undefined ? '--web.listen-address' : '--web.health-address';
  return { address: renderListenAddress(address), flag };
}
