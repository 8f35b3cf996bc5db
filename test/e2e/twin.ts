import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { DaemonProcess } from '../support/daemon-process.ts';
import { readSamples, type Sample } from '../support/exposition-reader.ts';
import { patience } from '../support/patience.ts';
import { differences } from '../support/truth.ts';
import { type Gateway, startGateway } from './fault/gateway.ts';
import type { SimulatedWorld } from './simulated-world.ts';

/** States are read between operations: the one an endpoint is in goes on while the next reading is waited for. */
const stateToleranceSeconds = 60;

/** A daemon with a history of its own, and the way by which it alone reaches the service. */
interface Twin {
  readonly gateway: Gateway;
  readonly start: () => DaemonProcess;
  daemon: DaemonProcess;
}

export async function startTwin(world: SimulatedWorld, name: string): Promise<Twin> {
  const gateway = await startGateway({ service: world.simulator.base_url });
  const env = {
    DBPM_HISTORY_FILE: join(world.folder, `${name}.sqlite`),
    DBPM_BASE_URL: gateway.base_url,
  };
  const start = () => world.startDaemon(env);
  return { gateway, start, daemon: start() };
}

export async function samplesOf({ daemon }: Twin): Promise<readonly Sample[]> {
  return readSamples(await daemon.untilServing());
}

/** Until a twin shows all that ever happened; the world stands still. */
export async function untilTrue(world: SimulatedWorld, twin: Twin): Promise<void> {
  await vi.waitFor(
    async () =>
      expect(differences(await world.truth(), await samplesOf(twin), stateToleranceSeconds)).toEqual([]),
    patience,
  );
}
