import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { patience } from './patience.ts';

/** A real peer that serves on a loopback address. */
export interface PeerProcess {
  /** Without a last slash. */
  readonly url: string;
  /** Lets it stand still, as if it got no processor time, until `goOn`. */
  standStill(): void;
  goOn(): void;
  /** Ends it and waits until it has. */
  stop(): Promise<void>;
}

/**
 * Starts a program of the Prometheus family and waits until its `/-/ready` says so; what it logged is in the error
 * when it never does. It dies with the test process.
 *
 * @param address the loopback host and port its arguments tell it to listen on.
 */
export async function startPeerProcess(
  name: string,
  binary: string,
  args: readonly string[],
  address: string,
): Promise<PeerProcess> {
  const child = spawn(binary, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const killed = () => child.kill('SIGKILL');
  process.once('exit', killed);
  const exited = once(child, 'close');
  let log = '';
  child.stderr.on('data', chunk => {
    log += chunk;
  });
  const url = `http://${address}`;
  const lateAt = Date.now() + patience.timeout;
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${log}`);
    if (Date.now() > lateAt) throw new Error(`${name} is not ready: ${log}`);
    await sleep(100);
  }
  return {
    url,
    standStill: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
    async stop() {
      process.off('exit', killed);
      child.kill('SIGCONT');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/-/ready`)).ok;
  } catch {
    // Nothing listens yet.
    return false;
  }
}
