import { asDate, asFields, asIdentifier, asNumber, asText, type Fields, neverUsedAt } from './field.ts';

/**
 * Reads a value that later versions of the service may send: null where it says there is none, undefined where it cannot
 * be used and is lost.
 */
export type OptionalReader<Value> = (value: unknown) => Value | null | undefined;

/** The fields of an item that the specification does not have, by the names they get, each with its place in the item. */
export type OptionalReaders = Readonly<
  Record<string, { readonly at: readonly string[]; readonly read: OptionalReader<unknown> }>
>;

export type OptionalValues<Readers extends OptionalReaders> = {
  readonly [Name in keyof Readers]?: NonNullable<ReturnType<Readers[Name]['read']>>;
};

/** Names of fields that could not be used. */
export interface HasLostFields {
  readonly lostFields?: readonly string[];
}

/** A field with this name in the item. */
export function optional<Value>(at: string, read: OptionalReader<Value>) {
  return { at: at.split('.'), read };
}

/**
 * Adds the optional fields of an item to what was decoded of it. One of a wrong type is lost and named, never the item; so
 * are those of the specification that could not be decoded.
 *
 * @returns the decoded item itself where there are none: items of the specification take no more time or memory.
 */
export function withOptional<Decoded extends object, Readers extends OptionalReaders>(
  decoded: Decoded,
  item: Fields,
  readers: Readers,
): Decoded & OptionalValues<Readers> & HasLostFields {
  let found: Record<string, unknown> | undefined;
  let lostFields: readonly string[] | undefined;
  for (const name in readers) {
    const reader = readers[name];
    const value = reader && valueAt(item, reader.at);
    // Services written in Go send an empty text for what is not set.
    if (reader === undefined || value === undefined || value === null || value === '') continue;
    const read = value === misplaced ? undefined : reader.read(value);
    if (read === undefined) lostFields = [...(lostFields ?? []), name];
    else if (read !== null) {
      found ??= {};
      found[name] = read;
    }
  }
  const lost = findLost(decoded, item, readers);
  if (lost.length > 0) lostFields = [...lost, ...(lostFields ?? [])];
  if (found === undefined && lostFields === undefined) return decoded;
  return { ...decoded, ...found, ...(lostFields && { lostFields }) } as Decoded & OptionalValues<Readers>;
}

/** Fields of the specification that figures rest on, by their names in items. */
const specifiedFields = [
  'cpu_used_sec',
  'failures_count',
  'autoscaling_limit_min_cu',
  'autoscaling_limit_max_cu',
  'last_active',
  'last_used_at',
  'created_at',
  'updated_at',
];

/** Those of the specification that an item has and that could not be used; dates for "never" are none. */
function findLost(decoded: object, item: Fields, readers: OptionalReaders): readonly string[] {
  return specifiedFields.filter(name => {
    const value = item[name] ?? '';
    return value !== '' && !(name in decoded) && !(name in readers) && asDate(value) === undefined;
  });
}

/** The place of a field in something that is no object. */
const misplaced = Symbol();

function valueAt(item: Fields, path: readonly string[]): unknown {
  let value: unknown = item;
  for (const step of path) {
    if (value === undefined || value === null) return undefined;
    const fields = asFields(value);
    if (fields === undefined) return misplaced;
    value = fields[step];
  }
  return value;
}

export const optionalText: OptionalReader<string> = asText;
export const optionalIdentifier: OptionalReader<string> = asIdentifier;

/** A quantity that is whole and not negative, such as bytes, seconds or milliseconds; fractions are rounded. */
export const optionalAmount: OptionalReader<number> = value => {
  const amount = Math.round(asNumber(value) ?? -1);
  return amount >= 0 && amount <= Number.MAX_SAFE_INTEGER ? amount : undefined;
};

/** The auto-suspend delay that stands for never. */
const neverSuspendsSec = -1;

/** An auto-suspend delay in seconds, with -1 for never. */
export const optionalSuspendTimeout: OptionalReader<number> = value =>
  value === neverSuspendsSec ? neverSuspendsSec : optionalAmount(value);

/** A compute size in CU. */
export const optionalComputeSize: OptionalReader<number> = value => {
  const size = asNumber(value);
  return size !== undefined && size >= 0 ? size : undefined;
};

/** An instant in epoch milliseconds; the dates that services write for "never" are none. */
export const optionalInstant: OptionalReader<number> = value => {
  const at = asDate(value);
  return at === undefined || at > neverUsedAt ? at : null;
};
