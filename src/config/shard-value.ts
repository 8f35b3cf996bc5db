import * as v from 'valibot';
import { parseShard, type Shard } from '../resources/shard.ts';
import { single } from './schema.ts';

const advice =
  'write a part such as 0/3, 1/3 or 2/3, or auto/3 where host names end in these numbers, as those of a StatefulSet do';

/** Reads `0/3`, and `auto/3` by the name of this host. */
export function shardSchema(hostName: string) {
  const read = v.rawTransform<string, Shard>(({ dataset: { value: text }, addIssue, NEVER }) => {
    const [, count] = /^auto\/(\d+)$/.exec(text) ?? [];
    const ordinal = /-(\d+)$/.exec(hostName.split('.', 1).join())?.[1];
    const shard = parseShard(count === undefined ? text : `${ordinal}/${count}`);
    if (shard !== undefined) return shard;
    const isHost = count !== undefined && parseShard(`0/${count}`) !== undefined;
    const hostAdvice = `give this host a name that ends in -0 to -${Number(count) - 1}, as "${hostName}" does not, or ${advice}`;
    addIssue({ message: isHost ? hostAdvice : advice });
    return NEVER;
  });
  return single(advice, v.pipe(v.string(), read));
}
