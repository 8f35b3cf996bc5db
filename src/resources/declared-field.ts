import {
  asDate,
  asFields,
  asFlag,
  asIdentifier,
  asNumber,
  asText,
  type Fields,
  neverUsedAt,
} from './field.ts';

/** A value as SQLite has it. */
export type StoredValue = string | number | null;

/** Reads a value of an item: null where it says there is none, undefined where it cannot be used and is lost. */
type FieldReader<Value> = (value: unknown) => Value | null | undefined;

interface FieldTraits {
  /** What is remembered besides the latest value: each value with since when. Or nothing at all. */
  readonly remembers?: 'changes' | 'nothing';
  /** Whether it has a column of its own, as queries need it; others of later versions are together in one of JSON. */
  readonly isColumn?: true;
  /** It changes by itself or by use, so a change is no setting: often, in most lists; or seldom. */
  readonly moves?: 'often' | 'seldom';
  /** Many items have the same text; one of them is kept in memory. */
  readonly isShared?: true;
}

/** What moves often is written by itself, which takes a column. */
type LaterTraits = FieldTraits & ({ readonly isColumn: true } | { readonly moves?: 'seldom' });

/** One field of an item, declared once: decoding, remembering and showing it follow. */
export interface Field<Value> extends FieldTraits {
  /** Its place in the item. */
  readonly at: readonly string[];
  readonly read: FieldReader<Value>;
  /** Whether only later versions of the service send it. */
  readonly isLater: boolean;
  readonly isFlag: boolean;
  /** Whether a value that cannot be used is as one that is absent. */
  readonly isLostQuietly?: true;
}

/** The fields of an item by the names they get: those of columns, of keys in JSON and of properties. */
export type FieldTable = Readonly<Record<string, Field<unknown>>>;

export type FieldValues<Table extends FieldTable> = {
  readonly [Name in keyof Table]?: NonNullable<ReturnType<Table[Name]['read']>>;
};

/** Names of fields that could not be used. */
export interface HasLostFields {
  readonly lostFields?: readonly string[];
}

/** A field of the specification, at this place in the item; one that cannot be used is as one that is absent. */
export function specified<Value>(
  at: string,
  read: (value: unknown) => Value | undefined,
  traits: FieldTraits = {},
): Field<Value> {
  return { ...declare(at, read, { ...traits, isColumn: true, isLater: false, read }), isLostQuietly: true };
}

/** A field of the specification that figures rest on: one that cannot be used is lost and named. */
export function vital<Value>(
  at: string,
  read: (value: unknown) => Value | undefined,
  traits: FieldTraits = {},
): Field<Value> {
  // A date that means "never" is none.
  const isNone = (value: unknown) => value === '' || asDate(value) !== undefined;
  const readVital = (value: unknown) => read(value) ?? (isNone(value) ? null : undefined);
  return declare(at, readVital, { ...traits, isColumn: true, isLater: false, read });
}

/** A field that later versions of the service send; one of a wrong type is lost and named, never the item. */
export function later<Value>(at: string, read: FieldReader<Value>, traits: LaterTraits = {}): Field<Value> {
  // Services written in Go send an empty text for what is not set.
  return declare(at, value => (value === '' ? null : read(value)), { ...traits, isLater: true, read });
}

function declare<Value>(
  at: string,
  read: FieldReader<Value>,
  { read: given, ...traits }: FieldTraits & { readonly isLater: boolean; readonly read: unknown },
): Field<Value> {
  return { ...traits, at: at.split('.'), read, isFlag: given === asFlag };
}

/** A thing that lists of the service hold: what identifies it, and its fields. */
interface ItemDeclaration<Id extends string, Table extends FieldTable> {
  /** The name its identity gets; in the item it is `id`. */
  readonly id: Id;
  readonly fields: Table;
  /** Reads one item; undefined when it cannot be used (not an object, no id). Never throws. */
  decode(item: unknown): DeclaredItem<Id, Table> | undefined;
}

type DeclaredItem<Id extends string, Table extends FieldTable> = Readonly<Record<Id, string>> &
  FieldValues<Table> &
  HasLostFields;

/** An item as it was declared; instants are epoch milliseconds. */
export type ItemOf<Declaration> =
  Declaration extends ItemDeclaration<infer Id, infer Table> ? DeclaredItem<Id, Table> : never;

/** Declares a thing that lists of the service hold. */
export function declareItem<const Id extends string, Table extends FieldTable>(
  id: Id,
  fields: Table,
): ItemDeclaration<Id, Table> {
  const read = readerOf(fields);
  return {
    id,
    fields,
    decode(item) {
      const sent = asFields(item);
      const identity = asIdentifier(sent?.id);
      if (sent === undefined || identity === undefined) return undefined;
      return read({ [id]: identity } as Record<Id, string>, sent);
    },
  };
}

/** Makes the function that adds the fields of an item to what is known of it already. */
export function readerOf<Table extends FieldTable>(table: Table) {
  const all = Object.entries(table);
  const specified = all.filter(([, { isLater }]) => !isLater);
  const later = all.filter(([, { isLater }]) => isLater);
  return <Known extends object>(known: Known, item: Fields): Known & FieldValues<Table> & HasLostFields => {
    const lostFields: string[] = [];
    const found = { ...known } as Record<string, unknown>;
    readInto(found, item, specified, lostFields);
    // Apart from the others, as V8 takes an object for a dictionary that gets more properties than these one by one.
    const more: Record<string, unknown> = {};
    const isMore = readInto(more, item, later, lostFields);
    if (lostFields.length > 0) more.lostFields = lostFields;
    const read = isMore || lostFields.length > 0 ? { ...found, ...more } : found;
    return read as Known & FieldValues<Table> & HasLostFields;
  };
}

/** @returns whether there was any field. */
function readInto(
  found: Record<string, unknown>,
  item: Fields,
  fields: readonly (readonly [name: string, field: Field<unknown>])[],
  lostFields: string[],
): boolean {
  let isAny = false;
  for (const [name, { at, read: readValue, isLostQuietly }] of fields) {
    const value = valueAt(item, at);
    if (value === undefined || value === null) continue;
    const read = value === misplaced ? undefined : readValue(value);
    if (read !== undefined && read !== null) {
      found[name] = read;
      isAny = true;
    } else if (read === undefined && !isLostQuietly) lostFields.push(name);
  }
  return isAny;
}

/** The place of a field in something that is no object. */
const misplaced = Symbol();

function valueAt(item: Fields, path: readonly string[]): unknown {
  if (path.length === 1 && path[0] !== undefined) return item[path[0]];
  let value: unknown = item;
  for (const step of path) {
    if (value === undefined || value === null) return undefined;
    const fields = asFields(value);
    if (fields === undefined) return misplaced;
    value = fields[step];
  }
  return value;
}

/** The names of the fields that are meant, in the order they are declared in. */
export function namesOf<Table extends FieldTable>(
  table: Table,
  isMeant: (field: Field<unknown>) => boolean,
): readonly (keyof Table & string)[] {
  return Object.entries(table).flatMap(([name, field]) => (isMeant(field) ? [name] : []));
}

export const laterText: FieldReader<string> = asText;
export const laterIdentifier: FieldReader<string> = asIdentifier;
export const laterFlag: FieldReader<boolean> = asFlag;

/** A quantity that is whole and not negative, such as bytes, seconds or milliseconds; fractions are rounded. */
export const laterAmount: FieldReader<number> = value => {
  const amount = Math.round(asNumber(value) ?? -1);
  return amount >= 0 && amount <= Number.MAX_SAFE_INTEGER ? amount : undefined;
};

/** A limit; services write 0 for none. */
export const laterLimit: FieldReader<number> = value =>
  laterAmount(value) || (value === 0 ? null : undefined);

/** The auto-suspend delay that stands for never. */
const neverSuspendsSec = -1;

/** An auto-suspend delay in seconds, with -1 for never. */
export const laterSuspendTimeout: FieldReader<number> = value =>
  value === neverSuspendsSec ? neverSuspendsSec : laterAmount(value);

/** A compute size in CU. */
export const laterComputeSize: FieldReader<number> = value => {
  const size = asNumber(value);
  return size !== undefined && size >= 0 ? size : undefined;
};

/** An instant in epoch milliseconds; the dates that services write for "never" are none. */
export const laterInstant: FieldReader<number> = value => {
  const at = asDate(value);
  return at === undefined || at > neverUsedAt ? at : null;
};
