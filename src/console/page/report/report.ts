import * as v from 'valibot';
import { acrossColumns } from '../../../report/format/across-column.ts';
import {
  forPeople,
  type Report,
  type ReportRow,
  showCell,
  titleOfColumn,
  withoutPersonal,
  writeCell,
} from '../../../report/format/report.ts';
import { valueKinds } from '../../../report/format/value-kind.ts';
import { type ReportKind, reportKinds, reportQuestions } from '../../../report/kind.ts';
import { parametersOf } from '../../../report/option-check.ts';
import { offerPeriods } from '../../chosen-period.ts';
import { compareKeys } from '../../keyset.ts';
import {
  type AnyPage,
  type ConsoleSources,
  type DrawContext,
  definePage,
  type ReadContext,
} from '../../page.ts';
import { choice, text } from '../../parameter.ts';
import { writeReport } from '../../report-field.ts';
import { refuseLargeFile } from './file-bound.ts';
import { type ReportAnswer, type ReportQuery, reportAnswer } from './report-answer.ts';
import { drawReport, drawReportHead } from './report-drawing.ts';
import { addressParameters, readReportOptions } from './report-parameter.ts';

/** Rows that are shown; files have all. */
const mostRows = 500;

/** Each report as a table of the columns that it declares. */
export const reportPages: readonly AnyPage[] = reportKinds.map(kind => {
  // These are of files alone.
  const { format: _, focus_version: __, ...parameters } = addressParameters(kind);
  return definePage({
    path: `/report/${kind}`,
    title: `Report ${kind}`,
    summary: reportQuestions[kind],
    query: v.object({ ...parameters, sort: text(), order: choice(['asc', 'desc']) }),
    answer: reportAnswer,
    // Only a query that passed the schema above comes here.
    read: (sources, query, context) => readReport(sources, kind, query as unknown as ReportQuery, context),
    titleOf: ({ title }) => title,
    asOf: ({ generated_at }) => generated_at,
    head: (shown, context) => drawReportHead(shown, context as unknown as DrawContext<ReportQuery>),
    draw: (shown, context) => drawReport(shown, context as unknown as DrawContext<ReportQuery>),
  });
});

async function readReport(
  sources: ConsoleSources,
  kind: ReportKind,
  { sort, order, ...asked }: ReportQuery,
  { now, showsPersonal }: ReadContext,
): Promise<ReportAnswer> {
  const options = readReportOptions(asked);
  refuseLargeFile(sources, kind, options, now);
  const made = await sources.reports.ask(kind, options);
  const whole = acrossColumns(showsPersonal ? made : withoutPersonal(made));
  const sorted = sortRows(whole, { sort, order });
  const first = sorted.slice(0, mostRows);
  const { columns, rows, totals } = forPeople({ ...whole, rows: first });
  const show = (row: ReportRow) =>
    columns.map((column, index) => showCell(row[index], column, made.period.timezone));
  const nameAt = (row: ReportRow | undefined, key: string) => {
    const cell = row?.[whole.columns.findIndex(column => column.key === key)];
    return typeof cell === 'string' && cell !== '' ? cell : null;
  };
  return {
    ...{ report: kind, question: reportQuestions[kind], title: made.title },
    summary: [...(made.summary ?? [])],
    ...(parametersOf(kind).includes('period')
      ? offerPeriods(sources.config, now, made.firstKnownAt)
      : { periods: [], more_periods: [], known_since: null }),
    columns: columns.map(column => ({
      ...{ key: column.key, title: titleOfColumn(column) },
      is_number: valueKinds[column.kind].isNumber === true,
    })),
    rows: rows.map((row, index) => ({
      cells: show(row),
      account: nameAt(first[index], 'account'),
      project_id: nameAt(first[index], 'project_id'),
    })),
    totals: totals === undefined ? null : show(totals),
    row_count: sorted.length,
    ...writeReport(made, 'the page Savings has them'),
  };
}

/** Rows by a column, those without a value last; as the report has them where no column is named. */
function sortRows(
  { columns, rows }: Report,
  { sort, order }: Pick<ReportQuery, 'sort' | 'order'>,
): readonly ReportRow[] {
  const place = columns.findIndex(({ key }) => key === sort);
  const column = columns[place];
  if (column === undefined) return rows;
  const { isNumber } = valueKinds[column.kind];
  const keyOf = (row: ReportRow) => {
    const value = writeCell(row[place], column);
    return [value === undefined || value === '' ? null : isNumber ? Number(value) : String(value)];
  };
  return rows.toSorted((a, b) => compareKeys(keyOf(a), keyOf(b), order));
}
