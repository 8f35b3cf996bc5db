import type { World } from './world.ts';

/** An API key that is used besides that of the exporters. */
export interface RoamingKey {
  readonly id: number;
  readonly secret: string;
}

/** Addresses a key is used from: some behind proxies, so that the service lists a whole chain. */
export const addresses = ['192.0.2.7', '198.51.100.20', '203.0.113.5, 34.211.200.85', '2001:db8::7'] as const;

export async function createKey(world: World): Promise<RoamingKey> {
  const answer = await world.call('POST', `${world.base_url}api_keys`, { key_name: 'roaming' });
  const { id, key } = answer as { readonly id: number; readonly key: string };
  return { id, secret: key };
}

/** Asks the service something by a key from an address. An injected fault that is answered is no matter: the key was used. */
export async function useKey(world: World, { secret }: RoamingKey, from: string): Promise<void> {
  await world.call('GET', `${world.base_url}api_keys`, undefined, { key: secret, from }).catch(() => {});
}
