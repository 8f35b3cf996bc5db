/** A part of the projects of every account: one of `count` parts, numbered from 0. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** More shards than this are a slip of the hand. */
export const mostShards = 1000;

/** `0/3` */
export function renderShard({ index, count }: Shard): string {
  return `${index}/${count}`;
}

/** The shard that a text such as `0/3` names; undefined where it names none. */
export function parseShard(text: string): Shard | undefined {
  const [, index, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  return shard.index < shard.count && shard.count <= mostShards ? shard : undefined;
}

/**
 * Whether a project is of the shard: rendezvous hashing gives it to the shard whose score for it is the highest. With one
 * shard more, only those projects move that the new one scores highest for. The scores are the same in every version, as
 * histories rest on them.
 */
export function isOfShard(project_id: string, { index, count }: Shard): boolean {
  return count === 1 || findShard(project_id, count) === index;
}

/** The number of the shard that a project is of. */
export function findShard(project_id: string, count: number): number {
  const [idHigh, idLow] = hashText(project_id);
  let found = 0;
  let [bestHigh, bestLow] = [-1, -1];
  for (let shard = 0; shard < count; shard += 1) {
    const salt = mix(Math.imul(shard + 1, 0x9e3779b1));
    const high = mix(idHigh ^ salt) >>> 0;
    if (high < bestHigh) continue;
    const low = mix(idLow ^ Math.imul(salt, 0x85ebca6b)) >>> 0;
    if (high === bestHigh && low <= bestLow) continue;
    [found, bestHigh, bestLow] = [shard, high, low];
  }
  return found;
}

/** The shards that are not there, by the ones that are; none where one of these is of all projects. */
export function findMissingShards(there: readonly (Shard | undefined)[]): readonly Shard[] {
  if (there.includes(undefined)) return [];
  const count = there.reduce((most, shard) => Math.max(most, shard?.count ?? 0), 0);
  const found = new Set(there.map(shard => shard?.index));
  return Array.from({ length: count }, (_, index) => ({ index, count })).filter(
    ({ index }) => !found.has(index),
  );
}

/** `shard 2/3` or `shards 1/3, 2/3`, for a sentence. */
export function nameShards(shards: readonly Shard[]): string {
  return `shard${shards.length === 1 ? '' : 's'} ${shards.map(renderShard).join(', ')}`;
}

/** The part that a shard may use of a rate that all share: one a minute at least. */
export function shareOfRate(perMinute: number, shard: Shard | undefined): number {
  return Math.max(1, Math.floor(perMinute / (shard?.count ?? 1)));
}

/** 64 bits of a text as two halves, which share no factor of their products. */
function hashText(text: string): readonly [high: number, low: number] {
  let high = 0x811c9dc5;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit, 0x5f356495);
  }
  return [mix(high ^ Math.imul(low, 0x27d4eb2f)), mix(low ^ Math.imul(high, 0x165667b1))];
}

/** The last step of MurmurHash3: every bit of the input changes half of the output. */
function mix(input: number): number {
  let value = input ^ (input >>> 16);
  value = Math.imul(value, 0x85ebca6b);
  value ^= value >>> 13;
  value = Math.imul(value, 0xc2b2ae35);
  return value ^ (value >>> 16);
}
