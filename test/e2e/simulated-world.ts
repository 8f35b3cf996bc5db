import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../src/simulator/server.ts';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon-process.ts';
import type { Truth } from '../support/truth.ts';
import type { World } from '../world/world.ts';

/** The simulated service, a folder for histories and daemons that watch the one and keep the other. */
export interface SimulatedWorld extends World {
  readonly simulator: Simulator;
  readonly folder: string;
  startDaemon(env?: Readonly<Record<string, string>>, wrapper?: readonly string[]): DaemonProcess;
  close(): Promise<void>;
}

export const worldKey = 'e2e-0d6b1c7f4a92e853';

interface WorldOptions extends Omit<SimulatorOptions, 'apiKey' | 'wallClock'> {
  /** Epoch milliseconds at which the service's clock stands still until it is thawed; absent where it runs as ours. */
  readonly frozenAt?: number;
}

export async function startWorld({ frozenAt, ...options }: WorldOptions) {
  let stoppedAt = frozenAt;
  let lostMs = 0;
  const simulator = await startSimulator({
    ...options,
    apiKey: worldKey,
    wallClock: () => stoppedAt ?? Date.now() - lostMs,
  });
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-e2e-'));
  const historyFile = join(folder, 'history.sqlite');
  const daemons: DaemonProcess[] = [];
  const call: World['call'] = async (method, path, body, { key = worldKey, from } = {}) => {
    const url = path.startsWith('http') ? path : simulator.control_url + path;
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(from !== undefined && { 'x-forwarded-for': from }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as unknown;
  };
  const world: SimulatedWorld = {
    simulator,
    base_url: simulator.base_url,
    folder,
    freeze() {
      stoppedAt ??= Date.now() - lostMs;
    },
    thaw() {
      if (stoppedAt !== undefined) lostMs = Date.now() - stoppedAt;
      stoppedAt = undefined;
    },
    call,
    truth: async () => (await call('GET', '/truth')) as Truth,
    startDaemon(env, wrapper) {
      const daemon = startDaemonProcess({
        base_url: simulator.base_url,
        apiKey: worldKey,
        historyFile,
        ...(env && { env }),
        ...(wrapper && { limits: { wrapper } }),
      });
      daemons.push(daemon);
      return daemon;
    },
    async close() {
      await Promise.all(daemons.filter(daemon => daemon.isRunning()).map(daemon => daemon.stop('SIGKILL')));
      await simulator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return world;
}
