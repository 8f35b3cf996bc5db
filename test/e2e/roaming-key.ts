import type { SimulatedWorld } from './simulated-world.ts';

/** An API key that is used besides that of the exporters. */
export interface RoamingKey {
  readonly id: number;
  readonly secret: string;
}

/** Addresses a key is used from: some behind proxies, so that the service lists a whole chain. */
export const addresses = ['192.0.2.7', '198.51.100.20', '203.0.113.5, 34.211.200.85', '2001:db8::7'] as const;

export async function createKey(world: SimulatedWorld): Promise<RoamingKey> {
  const answer = await world.call('POST', `${world.simulator.base_url}api_keys`, { key_name: 'roaming' });
  const { id, key } = answer as { readonly id: number; readonly key: string };
  return { id, secret: key };
}

/** An answer may never come. */
const longestAnswerMs = 500;

/** Asks the service something by a key from an address; that the answer may be an injected fault is no matter. */
export async function useKey(world: SimulatedWorld, { secret }: RoamingKey, address: string): Promise<void> {
  const headers = { authorization: `Bearer ${secret}`, 'x-forwarded-for': address };
  const url = `${world.simulator.base_url}api_keys`;
  try {
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(longestAnswerMs) });
    await answer.arrayBuffer();
  } catch {
    // The key was used all the same.
  }
}
