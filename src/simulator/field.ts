import { Refusal } from './model/refusal.ts';
import { type BodyFields, isFields } from './request-body.ts';

/** Reads a field that may be absent. Throws a 400 `Refusal` that says what is expected if it is something else. */
export function readText(fields: BodyFields, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || (typeof value === 'string' && value !== '')) return value;
  throw new Refusal(400, `${name} must be a non-empty string, not ${JSON.stringify(value)}`);
}

/** As `readText`; a number from `minimum` to `maximum`. */
export function readNumber(
  fields: BodyFields,
  name: string,
  { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, whole = false } = {},
): number | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  const isNumber = typeof value === 'number' && value >= minimum && value <= maximum;
  if (isNumber && (!whole || Number.isSafeInteger(value))) return value;
  const range = Number.isFinite(minimum) ? ` from ${minimum}` : '';
  const end = Number.isFinite(maximum) ? ` to ${maximum}` : '';
  throw new Refusal(
    400,
    `${name} must be a ${whole ? 'whole ' : ''}number${range}${end}, not ${JSON.stringify(value)}`,
  );
}

/** As `readText`; true or false. */
export function readFlag(fields: BodyFields, name: string): boolean | undefined {
  const value = fields[name];
  if (value === undefined || typeof value === 'boolean') return value;
  throw new Refusal(400, `${name} must be true or false, not ${JSON.stringify(value)}`);
}

/** As `readText`; an object. */
export function readObject(fields: BodyFields, name: string): BodyFields | undefined {
  const value = fields[name];
  if (value === undefined || isFields(value)) return value;
  throw new Refusal(400, `${name} must be an object, not ${JSON.stringify(value)}`);
}

/** A field that must not be absent. */
export function required<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Refusal(400, `${name} is required`);
  return value;
}
