import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { DaemonProcess } from '../support/daemon-process.ts';
import { readExposition, type Sample } from '../support/exposition-reader.ts';
import { differences } from '../support/truth.ts';
import { AddressChangeCount } from './address-change-count.ts';
import { type Gateway, startGateway } from './fault/gateway.ts';
import type { SimulatedWorld } from './simulated-world.ts';

/** States are read between operations: the one an endpoint is in goes on while the next reading is waited for. */
export const stateToleranceSeconds = 60;
const lastingCounter = /^dbpm_(?!exporter_).*(?:_total|_count|_bucket|_sum)$/;

/** A daemon with a history of its own, and the way by which it alone reaches the service. */
export interface Twin {
  readonly gateway: Gateway;
  /** What it must count of the addresses of API keys. */
  readonly addressChanges: AddressChangeCount;
  readonly start: () => DaemonProcess;
  daemon: DaemonProcess;
}

export async function startTwin(world: SimulatedWorld, name: string): Promise<Twin> {
  const gateway = await startGateway({ service: world.simulator.base_url });
  const addressChanges = new AddressChangeCount();
  addressChanges.follow(gateway);
  const env = {
    DBPM_HISTORY_FILE: join(world.folder, `${name}.sqlite`),
    DBPM_BASE_URL: gateway.base_url,
  };
  const start = () => world.startDaemon(env);
  return { gateway, addressChanges, start, daemon: start() };
}

export async function killTwin({ daemon, addressChanges }: Twin): Promise<void> {
  await daemon.stop('SIGKILL');
  addressChanges.loseLast();
}

/** Lets a twin not reach the service until its gateway accepts again. */
export async function cutOff({ gateway, addressChanges }: Twin): Promise<void> {
  await gateway.refuse();
  addressChanges.loseLast();
}

export async function samplesOf({ daemon }: Twin): Promise<readonly Sample[]> {
  return readExposition(await (await fetch(`${await daemon.untilServing()}/metrics`)).text());
}

/** Until a twin shows all that ever happened; the world stands still. */
export async function untilTrue(world: SimulatedWorld, twin: Twin): Promise<void> {
  await vi.waitFor(
    async () =>
      expect(differences(await world.truth(), await samplesOf(twin), stateToleranceSeconds)).toEqual([]),
    { timeout: 60_000, interval: 250 },
  );
}

/** Counters of which two pages say something else, by name, with how far they are apart at most. */
export function apart(one: readonly Sample[], other: readonly Sample[]): ReadonlyMap<string, number> {
  const counters = (samples: readonly Sample[]) =>
    new Map(
      samples
        .filter(({ name }) => lastingCounter.test(name))
        .map(sample => [sample.name + JSON.stringify(sample.labels), sample]),
    );
  const [left, right] = [counters(one), counters(other)];
  const found = new Map<string, number>();
  for (const series of new Set([...left.keys(), ...right.keys()])) {
    const { name = '' } = left.get(series) ?? right.get(series) ?? {};
    const distance = Math.abs((left.get(series)?.value ?? 0) - (right.get(series)?.value ?? 0));
    if (distance > 0) found.set(name, Math.max(distance, found.get(name) ?? 0));
  }
  return found;
}
