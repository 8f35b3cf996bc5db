import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Daemon } from './daemon.ts';

/** How systemd wants to hear of this process (sd_notify(3)). */
export interface NotifyPlace {
  readonly socket: string;
  /** Without a sign of life for so long it kills the process; undefined where it waits for none. */
  readonly watchdogMs: number | undefined;
  /** Folders of programs. */
  readonly path: string | undefined;
}

/** Signs that are lost or late must not look like silence: the number of them in the time allowed. */
const signsPerWatchdog = 3;
const defaultPath = '/usr/bin:/bin';
/** A shell of its own sends the messages, one after the other: a fork of this process would keep scrapes waiting. */
const sendEachLine = 'while IFS= read -r message; do systemd-notify "$message"; done';

/**
 * Tells systemd how the daemon is. Node cannot send to a datagram socket of the file system, so `systemd-notify` does.
 * A message that cannot be sent is lost; the service manager then acts as for any service that is silent.
 */
export class ServiceManager {
  readonly #watchdogMs: number | undefined;
  readonly #sender: ChildProcess;
  #signs: NodeJS.Timeout | undefined;

  constructor({ socket, watchdogMs, path = defaultPath }: NotifyPlace) {
    this.#watchdogMs = watchdogMs;
    const env = { NOTIFY_SOCKET: socket, PATH: path };
    const stdio = ['pipe', 'ignore', 'inherit'] as const;
    this.#sender = spawn('/bin/sh', ['-c', sendEachLine], { env, stdio: [...stdio] });
    this.#sender.on('error', () => {});
    this.#sender.stdin?.on('error', () => {});
    this.#sender.unref();
    (this.#sender.stdin as Socket | null)?.unref();
  }

  /** Sends a message of one line, after those before. */
  tell(message: string): void {
    this.#sender.stdin?.write(`${message.replaceAll(/\s+/g, ' ')}\n`);
  }

  /** Says that the daemon is up; from then on gives signs of life while nothing has stalled. */
  beginSigns({ findStall, describe }: Pick<Daemon, 'findStall' | 'describe'>): void {
    const sign = () => {
      const stall = findStall();
      this.tell(`STATUS=${stall ?? describe()}`);
      if (stall === undefined) this.tell('WATCHDOG=1');
    };
    this.tell(`STATUS=${describe()}`);
    this.tell('READY=1');
    if (this.#watchdogMs === undefined) return;
    this.#signs = setInterval(sign, this.#watchdogMs / signsPerWatchdog).unref();
  }

  /** Says that the configuration is being loaded anew, and then that it was. */
  readonly noteReload = (reload: Promise<unknown>): void => {
    this.tell('RELOADING=1');
    const isOver = () => this.tell('READY=1');
    reload.then(isOver, isOver);
  };

  /** Says that the service stops, and sends nothing more. */
  stop(): void {
    clearInterval(this.#signs);
    this.tell('STOPPING=1');
    this.#sender.stdin?.end();
  }
}
