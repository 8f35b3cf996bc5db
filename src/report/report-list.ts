import { budgetColumns, reportBudgets } from './budget.ts';
import { reportChange } from './change.ts';
import { billLineColumns } from './column/bill-line.ts';
import { doneColumns, doneEvidenceColumn, doneMoneyColumn } from './column/done-finding.ts';
import {
  countColumns,
  evidenceColumns,
  findingColumns,
  savedHourColumns,
  savedMoneyColumns,
} from './column/finding.ts';
import { replayedColumns, replayedMoneyColumns, replayedRiskColumns } from './column/replayed.ts';
import type { ReportContent, ReportSubject } from './content.ts';
import { costColumns, reportCost } from './cost.ts';
import { reportDone, reportFindings } from './finding.ts';
import { reportFocus } from './focus.ts';
import { forecastColumns, reportAccountForecasts, reportForecast } from './forecast.ts';
import { forecastListColumns, listForecasts } from './forecast-list.ts';
import type { DescribedColumn } from './format/report.ts';
import type { WrittenValue } from './format/value-kind.ts';
import { keyColumns, reportKeys } from './key.ts';
import type { ReportKind } from './kind.ts';
import { allMeteredColumns } from './metered-column.ts';
import { monthColumns, reportMonths } from './month.ts';
import { operationColumns, reportOperations } from './operation.ts';
import { listOperations, singleOperationColumns } from './operation-list.ts';
import { allScopeColumns, billingPeriodColumn } from './row/scope.ts';
import { stepColumns } from './row/step.ts';
import { reportShowback, showbackColumns } from './showback/showback.ts';
import { reportUsage, usageColumns } from './usage.ts';
import { causeColumns } from './why/cause-row.ts';
import { reportWhy } from './why/why.ts';

/** A report in rows. */
interface ReportDeclaration {
  /** All columns that it may have, but for those of another price book. */
  readonly columns: readonly DescribedColumn[];
  readonly make: (subject: ReportSubject) => ReportContent;
}

/** All reports in rows. */
export const reports = {
  usage: {
    columns: [...stepColumns, ...allScopeColumns, ...usageColumns, ...allMeteredColumns],
    make: reportUsage,
  },
  cost: {
    columns: [...stepColumns, ...allScopeColumns, ...billLineColumns, ...costColumns, billingPeriodColumn],
    make: subject => (subject.request.format === 'focus' ? reportFocus(subject) : reportCost(subject)),
  },
  months: {
    columns: [...allScopeColumns, ...monthColumns],
    make: reportMonths,
  },
  budgets: {
    columns: budgetColumns,
    make: reportBudgets,
  },
  forecast: {
    columns: [...allScopeColumns, ...forecastListColumns, ...forecastColumns],
    make(subject) {
      const { project, by } = subject.request;
      if (project !== undefined) return reportForecast(subject);
      return by === 'project' ? listForecasts(subject) : reportAccountForecasts(subject);
    },
  },
  keys: {
    columns: keyColumns,
    make: reportKeys,
  },
  operations: {
    columns: [...allScopeColumns, ...operationColumns, ...singleOperationColumns],
    make: subject =>
      subject.request.by === 'operation' ? listOperations(subject) : reportOperations(subject),
  },
  findings: {
    columns: [
      ...[...allScopeColumns, ...doneColumns, doneMoneyColumn, doneEvidenceColumn, ...findingColumns],
      ...[...savedHourColumns, ...savedMoneyColumns, ...evidenceColumns, ...countColumns],
      ...[...replayedColumns, ...replayedMoneyColumns, ...replayedRiskColumns],
    ],
    make(subject) {
      const { change, isDone } = subject.request;
      if (change !== undefined) return reportChange(subject);
      return isDone ? reportDone(subject) : reportFindings(subject);
    },
  },
  showback: { columns: showbackColumns, make: reportShowback },
  why: { columns: causeColumns, make: reportWhy },
} satisfies Readonly<Record<ReportKind, ReportDeclaration>>;

/** What rows are read of: a kind of report, or its columns. */
export type RowSource = ReportKind | readonly DescribedColumn[];

/** A row of a report of a kind, or of some columns, as answers have it: values by the keys of columns; null or absent is none. */
export type ReadRow<Of extends RowSource> = {
  readonly [Column in ColumnOf<Of> as string extends Column['key'] ? never : Column['key']]?: WrittenValue<
    Column['kind']
  > | null;
} & {
  /** Why there is no value, such as `unpriced`, by the keys of columns. */
  readonly missing: Readonly<Record<string, string>>;
};

type ColumnOf<Of> = Of extends ReportKind
  ? (typeof reports)[Of]['columns'][number]
  : Of extends readonly DescribedColumn[]
    ? Of[number]
    : never;
