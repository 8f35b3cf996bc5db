import * as v from 'valibot';
import { savedHourColumns, savedMoneyColumns } from '../report/column/finding.ts';
import type { DescribedColumn } from '../report/format/report.ts';
import { type ValueSchema, valueKinds, type WrittenValue } from '../report/format/value-kind.ts';
import type { DecimalText } from '../resources/price-book.ts';

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

/** Savings in 30 days by following findings, likely and at most; null where that is not known. */
export const savingFields = columnFields([...savedHourColumns, ...savedMoneyColumns]);
const savingField = v.object(savingFields);
export type WrittenSaving = Readonly<v.InferOutput<typeof savingField>>;

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
