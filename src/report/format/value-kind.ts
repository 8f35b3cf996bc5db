import { dayMs } from '../../resources/duration.ts';
import { dateOf } from '../../resources/utc-date.ts';
import { cutLong, onOneLine, separateThousands, showInstant } from './shown-cell.ts';

/** A value that is known: texts and decimals are texts, instants and dates epoch milliseconds. */
export type Value = string | number | boolean;

/** A schema of JSON. */
export interface ValueSchema {
  readonly type: 'string' | 'integer' | 'boolean';
  readonly format?: string;
  readonly pattern?: string;
}

/** What all faces of a report, and the files of an export, know of a kind of value. */
interface KindRule {
  /** Whether values stand to the right. */
  readonly isNumber?: boolean;
  /** Whether values have a line of their own below their row, where columns are aligned. */
  readonly isBelow?: boolean;
  /** For people. */
  readonly show: (value: Value, timezone: string) => string;
  /** For programs; a decimal is a text, so that none loses a digit. */
  readonly write: (value: Value) => Value;
  /** What `write` gives, as JSON Schema has it. */
  readonly schema: ValueSchema;
  /** The type in SQL, the type in Parquet, and a value as such a file has it: the library takes more time to make it of a date. */
  readonly sql: string;
  readonly parquet: ParquetType;
  readonly store: (value: Value) => string | number | boolean | bigint;
}

type ParquetType = Readonly<
  | { type: 'BYTE_ARRAY'; converted_type: 'UTF8'; logical_type: { type: 'STRING' } }
  | { type: 'INT64' | 'BOOLEAN' }
  | { type: 'INT32'; converted_type: 'DATE'; logical_type: { type: 'DATE' } }
  | {
      type: 'INT64';
      converted_type: 'TIMESTAMP_MILLIS';
      logical_type: { type: 'TIMESTAMP'; isAdjustedToUTC: true; unit: 'MILLIS' };
    }
  | ({ type: 'INT64' | 'FIXED_LEN_BYTE_ARRAY'; type_length?: number; converted_type: 'DECIMAL' } & {
      precision: number;
      scale: number;
    })
>;

export type ValueKind =
  /** A name or a word, cut where it is long. */
  | 'text'
  /** A name that programs compare, such as `compute_hours`, which people read in words. */
  | 'word'
  /** Words that are read whole. */
  | 'sentence'
  /** A whole number. */
  | 'count'
  /** A number as it is written, without separators: money, hours, prices, quantities. */
  | 'decimal'
  | 'instant'
  /** A day, as its midnight by UTC. */
  | 'date'
  | 'flag'
  /** Milliseconds, or CU-milliseconds, to be told in seconds. */
  | 'seconds'
  /** The same to the millionth of a second. */
  | 'fine_seconds';

/** A value as programs have it. */
export type WrittenValue<Kind extends ValueKind> = Kind extends 'count'
  ? number
  : Kind extends 'flag'
    ? boolean
    : string;

/** Digits after the point of a decimal in Parquet: a sum of a million of them is exact to twelve. */
export const storedDecimals = 18;

const words = {
  write: String,
  schema: { type: 'string' },
  sql: 'VARCHAR',
  parquet: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  store: (value: Value) => value,
} as const;

const decimal = { isNumber: true, schema: { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' } } as const;

/** What a kind of value is, to everything that writes values. */
export const valueKinds: Readonly<Record<ValueKind, KindRule>> = {
  text: { ...words, show: value => cutLong(onOneLine(String(value))) },
  word: { ...words, show: value => cutLong(onOneLine(String(value)).replaceAll('_', ' ')) },
  sentence: { ...words, isBelow: true, show: value => onOneLine(String(value)) },
  count: {
    isNumber: true,
    show: value => separateThousands(String(value)),
    write: value => value,
    schema: { type: 'integer' },
    sql: 'BIGINT',
    parquet: { type: 'INT64' },
    store: value => BigInt(value),
  },
  decimal: {
    ...decimal,
    show: value => separateThousands(String(value)),
    write: value => value,
    ...decimalIn(38, storedDecimals),
    store(value) {
      const [whole, fraction = ''] = String(value).split('.');
      return BigInt(`${whole}${fraction.padEnd(storedDecimals, '0')}`);
    },
  },
  instant: {
    show: (value, timezone) => showInstant(Number(value), timezone),
    write: value => writeInstant(Number(value)),
    schema: { type: 'string', format: 'date-time' },
    sql: 'TIMESTAMP',
    parquet: {
      type: 'INT64',
      converted_type: 'TIMESTAMP_MILLIS',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
    },
    store: value => BigInt(value),
  },
  date: {
    show: value => dateOf(Number(value)),
    write: value => dateOf(Number(value)),
    schema: { type: 'string', format: 'date' },
    sql: 'DATE',
    parquet: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
    store: value => Math.floor(Number(value) / dayMs),
  },
  flag: {
    show: value => (value === true ? 'yes' : 'no'),
    write: value => value,
    schema: { type: 'boolean' },
    sql: 'BOOLEAN',
    parquet: { type: 'BOOLEAN' },
    store: value => value,
  },
  seconds: secondsTo(3),
  fine_seconds: secondsTo(6),
};

function decimalIn(precision: number, scale: number): Pick<KindRule, 'sql' | 'parquet'> {
  const size =
    precision > 18 ? { type: 'FIXED_LEN_BYTE_ARRAY' as const, type_length: 16 } : { type: 'INT64' as const };
  return {
    sql: `DECIMAL(${precision},${scale})`,
    parquet: { ...size, converted_type: 'DECIMAL', precision, scale },
  };
}

function secondsTo(places: 3 | 6): KindRule {
  const parts = 10 ** (places - 3);
  const write = (value: Value) => (Number(value) / 1000).toFixed(places);
  return {
    ...decimal,
    show: value => separateThousands(write(value)),
    write,
    ...decimalIn(18, places),
    store: value => BigInt(Math.round(Number(value) * parts)),
  };
}

/** An instant in whole seconds, such as `2026-10-05T14:03:00Z`. */
export function writeInstant(at: number): string {
  return new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z');
}
