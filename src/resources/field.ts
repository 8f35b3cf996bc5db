/**
 * Tolerant readers for the fields of an item: an unusable field is absent, nothing throws.
 * Live services add fields, leave fields out and send words, numbers and dates that were not expected.
 */
export type Fields = Readonly<Record<string, unknown>>;

/** The fields of an object; undefined for anything else. */
export function asFields(item: unknown): Fields | undefined {
  return typeof item === 'object' && item !== null && !Array.isArray(item) ? (item as Fields) : undefined;
}

/** Characters of a text: names of ten thousand occur (live services), and each goes on the page. */
const longestText = 16_384;

/** A string as UTF-8 can carry it: lone surrogates become U+FFFD. What is longer than any honest one is cut. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? cut(value) : undefined;
}

/** A word of an open set (state, action, status); an empty one is no word, and one without an end is cut. */
export function asWord(value: unknown): string | undefined {
  return asText(value) || undefined;
}

/** An identifier, whether the service writes it as text or as an integer; one without an end is none. */
export function asIdentifier(value: unknown): string | undefined {
  if (Number.isSafeInteger(value)) return String(value);
  if (typeof value !== 'string' || value.length > longestText) return undefined;
  return value.toWellFormed() || undefined;
}

/** A text as a copy of its own: a part would keep the whole in memory. */
function cut(text: string): string {
  return text.length <= longestText
    ? text.toWellFormed()
    : Buffer.from(text.slice(0, longestText)).toString();
}

/** A finite number; minus zero is zero, as it is in a database. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value + 0 : undefined;
}

/** A quantity that only ever adds up; a negative or astronomically large one is a fault of the service. */
function asQuantity(value: unknown): number | undefined {
  const number = asNumber(value);
  return number !== undefined && number >= 0 && number <= Number.MAX_SAFE_INTEGER ? number : undefined;
}

/** A count of things; anything but a whole number from 0 up to what 31 bits hold is a fault of the service. */
export function asCount(value: unknown): number | undefined {
  const count = asQuantity(value);
  return Number.isInteger(count) && count !== undefined && count <= 0x7fffffff ? count : undefined;
}

export function asFlag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/**
 * An ISO 8601 date with its time in epoch milliseconds, which may be before 1970. Without an offset it is UTC ("ISO 8601
 * UTC strings", the specification).
 */
export function asDate(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value)) return undefined;
  if (!isOfCalendar(value)) return undefined;
  const at = Date.parse(/(Z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value}Z`);
  return Number.isNaN(at) ? undefined : at;
}

/** Whether a month has the day of a date: Node reads 30 February as 2 March. */
function isOfCalendar(date: string): boolean {
  const day = Number(date.slice('YYYY-MM-'.length, 'YYYY-MM-DD'.length));
  return day <= 28 || new Date(`${date.slice(0, 'YYYY-MM-DD'.length)}T00:00Z`).getUTCDate() === day;
}

/** An instant in epoch milliseconds. A date before 1970, such as the zero time `0001-01-01T00:00:00Z`, means "never": absent. */
export function asInstant(value: unknown): number | undefined {
  const at = asDate(value);
  return at !== undefined && at >= 0 ? at : undefined;
}

/** The date that services write for "never", and the end of the older ones. */
export const neverUsedAt = Date.UTC(2000, 0, 1);

/** An instant of use: services write "never" as null, as a zero time or as `2000-01-01T00:00:00Z`. */
export function asUseInstant(value: unknown): number | undefined {
  const at = asInstant(value);
  return at !== undefined && at > neverUsedAt ? at : undefined;
}

/** The object without its undefined properties, and the null ones of rows, so that "absent" has one form only. */
export function compact<Shape extends object>(shape: Shape): Compact<Shape> {
  // Mostly nothing is missing, and a copy made key by key takes more time and memory than the literal it is of.
  const values = Object.values(shape);
  if (!values.includes(undefined) && !values.includes(null)) return shape as Compact<Shape>;
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(shape))
    if (value !== undefined && value !== null) kept[key] = value;
  return kept as Compact<Shape>;
}

type OptionalKeys<Shape> = {
  [Key in keyof Shape]: undefined extends Shape[Key] ? Key : null extends Shape[Key] ? Key : never;
}[keyof Shape];
type Compact<Shape> = Omit<Shape, OptionalKeys<Shape>> & {
  [Key in OptionalKeys<Shape>]?: Exclude<Shape[Key], undefined | null>;
};
