import { createRandom, type Random } from './random.ts';
import { Refusal } from './refusal.ts';
import type { Timeline } from './timeline.ts';

/** A key of the account. Instants are epoch seconds. */
export interface SimulatedKey {
  readonly id: number;
  readonly name: string;
  readonly secret: string;
  readonly createdAt: number;
  lastUsedAt: number | undefined;
  /** Empty while it was never used. */
  lastUsedFromAddr: string;
}

/** The valid keys of an account; a revoked one is forgotten at once. */
export interface KeyRing {
  /** By id. */
  list(): readonly SimulatedKey[];
  create(name: string): SimulatedKey;
  /** The key with this secret, noting its use; undefined if there is none. */
  use(secret: string, address: string): SimulatedKey | undefined;
  /** Throws a 404 `Refusal` for a key that does not exist (any more). */
  revoke(id: number): SimulatedKey;
}

const day = 86_400;
const addresses = [
  '198.51.100.17',
  '203.0.113.8',
  '192.0.2.61',
  '49.43.218.132,34.211.200.85',
  '2001:db8::5c',
] as const;

/** The keys of an account that has existed for long: the days before `now` a key was made and last used. */
const legacy = [
  { name: 'terraform', createdDays: 400, usedEveryHours: 6 },
  { name: 'ci-pipeline', createdDays: 210, usedEveryHours: 1 },
  { name: 'grafana', createdDays: 190, usedEveryHours: 0.5 },
  { name: 'laptop of a former colleague', createdDays: 520, usedDays: 131 },
  { name: 'migration 2 (temporary)', createdDays: 95, usedDays: 90 },
  { name: 'old-staging', createdDays: 300, usedDays: 58 },
  { name: 'backup-script', createdDays: 70 },
  { name: 'just in case', createdDays: 12 },
] as const;

/** The keys of an account: the first one with the given secret, then a legacy of fresh, stale and unused ones. */
export function createKeyRing(timeline: Timeline, seed: number, firstSecret: string): KeyRing {
  const random = createRandom(seed, 'keys');
  const keys: SimulatedKey[] = [];
  let nextId = 1001;
  const add = (name: string, secret: string, createdAt: number, lastUsedAt?: number): SimulatedKey => {
    const lastUsedFromAddr = lastUsedAt === undefined ? '' : random.pick(addresses);
    const key = { id: nextId, name, secret, createdAt, lastUsedAt, lastUsedFromAddr };
    nextId += random.integer(1, 9);
    keys.push(key);
    return key;
  };
  add('exporter', firstSecret, timeline.now);
  for (const item of legacy) {
    const createdAt = timeline.now - item.createdDays * day;
    const lastUsedAt = 'usedDays' in item ? timeline.now - item.usedDays * day : undefined;
    const key = add(item.name, drawSecret(random), createdAt, lastUsedAt);
    if ('usedEveryHours' in item) keepUsing(key, item.usedEveryHours * 3600, timeline, seed);
  }
  return {
    list: () => keys,
    create: name => add(name, drawSecret(random), timeline.now),
    use(secret, address) {
      const key = keys.find(candidate => candidate.secret === secret);
      if (key === undefined) return undefined;
      key.lastUsedAt = timeline.now;
      key.lastUsedFromAddr = address;
      return key;
    },
    revoke(id) {
      const index = keys.findIndex(key => key.id === id);
      const [revoked] = index < 0 ? [] : keys.splice(index, 1);
      if (revoked === undefined) {
        throw new Refusal(404, `there is no API key ${id}; GET /api_keys lists the ones that exist`);
      }
      return revoked;
    },
  };
}

function keepUsing(key: SimulatedKey, everySeconds: number, timeline: Timeline, seed: number): void {
  const random = createRandom(seed, 'use', key.name);
  const use = (): void => {
    key.lastUsedAt = timeline.now;
    key.lastUsedFromAddr = random.chance(0.9)
      ? (addresses[key.id % 2] ?? addresses[0])
      : random.pick(addresses);
    timeline.schedule(timeline.now + random.integer(everySeconds / 2, everySeconds * 1.5), use);
  };
  use();
}

function drawSecret(random: Random): string {
  return Array.from({ length: 8 }, () => random.integer(0, 0xffffffff).toString(16).padStart(8, '0')).join(
    '',
  );
}
