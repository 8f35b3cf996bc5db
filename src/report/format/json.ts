import { type DescribedColumn, type Report, type ReportRow, type ReportSpan, writeCell } from './report.ts';
import { type ValueSchema, valueKinds, writeInstant } from './value-kind.ts';

/** It grows when a key changes its meaning or goes: new keys may come at any time. */
const schemaVersion = 1;

/** A report for programs. Decimal numbers are texts, so that none loses a digit; a missing value is null. */
export function renderJson({
  title,
  period,
  against,
  summary,
  generatedAt,
  currency,
  fingerprint,
  columns,
  rows,
  totals,
  notes,
  unknownUse,
  partial,
}: Report): string {
  const write = (row: ReportRow) =>
    Object.fromEntries(columns.map((column, index) => [column.key, writeCell(row[index], column) ?? null]));
  const written = {
    schema_version: schemaVersion,
    generated_at: writeInstant(generatedAt),
    ...(fingerprint !== undefined && { price_book_fingerprint: fingerprint }),
    title,
    period: writePeriod(period),
    ...(against && {
      against: {
        ...writePeriod(against.period),
        [against.of]: against.before,
        comparable: against.isComparable,
      },
      [against.of]: against.after,
    }),
    ...(currency !== undefined && { currency }),
    ...(summary && { summary }),
    rows: rows.map(write),
    totals: totals === undefined ? null : write(totals),
    notes,
    ...(unknownUse && { gaps: unknownUse }),
    partial,
  };
  return `${JSON.stringify(written, null, 2)}\n`;
}

function writePeriod({ label, fromAt, untilAt, timezone }: ReportSpan) {
  return { label, from: writeInstant(fromAt), until: writeInstant(untilAt), timezone };
}

const text = { type: 'string' } as const;
const sentences = { type: 'array', items: text } as const;
const instant = valueKinds.instant.schema;
const decimal = valueKinds.decimal.schema;

/**
 * The schema of what `renderJson` writes of reports that have some of these columns. A row has those of what was asked for:
 * the last of two with the same key describes both.
 */
export function describeJson(columns: readonly DescribedColumn[]): object {
  const describe = (schemaOf: (schema: ValueSchema) => object) => ({
    type: 'object',
    properties: Object.fromEntries(
      columns.map(({ key, kind, about }) => {
        return [key, { ...schemaOf(valueKinds[kind].schema), description: about }];
      }),
    ),
  });
  const row = describe(schema => ({ ...schema, type: [schema.type, 'null'] }));
  const total = describe(({ type }) => ({ type: [...new Set([type, 'string', 'null'])] }));
  return object(
    {
      schema_version: { type: 'integer', description: 'It grows when a key changes its meaning or goes.' },
      generated_at: instant,
      title: text,
      period: object(periodProperties),
      rows: { type: 'array', items: row },
      totals: { anyOf: [{ type: 'null' }, total], description: 'Empty or null is what has no total.' },
      notes: { ...sentences, description: 'What the figures mean, and what is missing.' },
      partial: { type: 'boolean', description: 'Whether something is missing that was asked for.' },
    },
    {
      price_book_fingerprint: { ...text, description: 'Of the prices that all money is by.' },
      currency: text,
      summary: sentences,
      against: object(
        { ...periodProperties, comparable: { type: 'boolean' } },
        { cost: decimal, compute_hours: decimal },
      ),
      cost: decimal,
      compute_hours: { ...decimal, description: 'In place of the cost, where there are no prices.' },
      gaps: { type: 'array', items: gapSchema, description: 'Time in which use is not known.' },
    },
  );
}

const periodProperties = { label: text, from: instant, until: instant, timezone: text };

const gapSchema = object(
  {
    ...{ kind: text, account: text, project_id: text, from: instant, until: instant },
    compute_hours_at_most: { ...decimal, type: ['string', 'null'] },
  },
  { project_name: text, cost_at_most: decimal, moved_to: text },
);

function object(needed: Readonly<Record<string, object>>, others: Readonly<Record<string, object>> = {}) {
  return { type: 'object', required: Object.keys(needed), properties: { ...needed, ...others } };
}
