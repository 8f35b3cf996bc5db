import * as v from 'valibot';
import { addDecimals } from '../cost/money/decimal-sum.ts';
import type { DescribedColumn } from '../report/format/report.ts';
import { type ValueSchema, valueKinds, type WrittenValue } from '../report/format/value-kind.ts';
import { minuteMs, type Span } from '../resources/duration.ts';
import type { DecimalText } from '../resources/price-book.ts';
import type { ForecastBounds } from '../resources/usage/view.ts';

/** An instant in an answer: ISO 8601 in UTC, with milliseconds. */
export const instantField = v.pipe(v.string(), v.isoTimestamp());

/** A stretch of time. */
export const spanField = v.object({ from: instantField, until: instantField });

/** A decimal number in an answer: a text, so that none of its digits is lost. */
export const decimalField = v.pipe(v.string(), v.regex(/^-?\d+(\.\d+)?$/));

/** Fields of an answer for columns of a report, with what is said of them; null where a row has no value. */
export function columnFields<const Columns extends readonly DescribedColumn[]>(columns: Columns) {
  const fields = columns.map(({ key, kind, about }) => {
    const field = v.nullish(fieldOf(valueKinds[kind].schema), null);
    return [key, v.pipe(field, v.description(about))];
  });
  return Object.fromEntries(fields) as {
    readonly [Column in Columns[number] as Column['key']]: v.NullishSchema<
      v.GenericSchema<WrittenValue<Column['kind']>>,
      null
    >;
  };
}

function fieldOf({ type, format, pattern }: ValueSchema): v.GenericSchema {
  if (type !== 'string') return type === 'integer' ? v.number() : v.boolean();
  if (format === 'date-time') return instantField;
  return pattern === undefined ? v.string() : decimalField;
}

/** A day, week or month of a period, as far as it lies in it; its label is its first day, or its month. */
export const stepField = v.object({ label: v.string(), ...spanField.entries });
export type WrittenStep = v.InferOutput<typeof stepField>;

/** Bounds that four periods in five come out within, and nineteen in twenty. */
export const boundsField = v.object({
  low80: decimalField,
  high80: decimalField,
  low95: decimalField,
  high95: decimalField,
});

/** Cost and use of something; each is null where it is not known, and cost where there are no prices. */
export const amountFields = { cost: v.nullable(decimalField), used_hours: v.nullable(decimalField) };
export type Amounts = Readonly<Record<keyof typeof amountFields, DecimalText | null>>;

/** A quantity of a billing period: so far, and as expected by its end. */
export const quantityField = v.object({
  /** `cost`, `compute_hours`, or a metric of the service's meter. */
  what: v.string(),
  /** A currency, or such as `GB-month`; empty where the name says it. */
  unit: v.string(),
  so_far: v.nullable(decimalField),
  /** The amount of the whole billing period; null while too little is known. */
  expected: v.nullable(decimalField),
  bounds: v.nullable(boundsField),
});
export type ForecastQuantity = v.InferOutput<typeof quantityField>;

/** The sum of decimals with as many places as they have; null where there is none. */
export function sumDecimals(decimals: readonly (DecimalText | null)[]): DecimalText | null {
  return addDecimals(decimals.filter(each => each !== null)) ?? null;
}

/** Writes an instant for an answer. */
export function writeInstant(at: number): string {
  return new Date(at).toISOString();
}

/** Writes an instant that may not be known; null where it is not. */
export function writeMaybeInstant(at: number | null | undefined): string | null {
  return at === null || at === undefined ? null : writeInstant(at);
}

/** Writes the bounds of a forecast, each as its amount is written. */
export function writeBounds(
  { low80, high80, low95, high95 }: Omit<ForecastBounds, 'expected'>,
  write: (amount: number) => string,
): v.InferOutput<typeof boundsField> {
  return { low80: write(low80), high80: write(high80), low95: write(low95), high95: write(high95) };
}

/** Writes a stretch of time for an answer. */
export function writeSpan({ fromAt, untilAt }: Span) {
  return { from: writeInstant(fromAt), until: writeInstant(untilAt) };
}

/** Writes a step of a period for an answer. */
export function writeStep({ label, ...span }: Span & { readonly label: string }) {
  return { label, ...writeSpan(span) };
}

/** The end of the minute that an instant is in: a range until now ends there, or no answer would ever be the one before. */
export function endOfMinute(at: number): number {
  return Math.ceil(at / minuteMs) * minuteMs;
}
