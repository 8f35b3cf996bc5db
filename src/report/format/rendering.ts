import type { ReportFormat } from '../kind.ts';
import { renderCsv, withPeriod } from './csv.ts';
import { renderJson } from './json.ts';
import { renderMarkdown } from './markdown.ts';
import { acrossColumns } from './matrix.ts';
import { forPeople, type Report } from './report.ts';
import { renderShowbackHtml } from './showback-html.ts';
import { renderShowbackMarkdown } from './showback-markdown.ts';
import { renderTable } from './table.ts';

/** The whole text of a report. Focus is CSV with columns of its own. */
export function renderReport(report: Report, format: ReportFormat): string {
  const { pages } = report;
  switch (format) {
    case 'html':
      return renderShowbackHtml(pages ?? []);
    case 'markdown':
      if (pages !== undefined) return renderShowbackMarkdown(pages);
      return renderMarkdown(forPeople(acrossColumns(report)));
    case 'json':
      return renderJson(report);
    case 'csv':
      return renderCsv(withPeriod(report));
    case 'focus':
      return renderCsv(report);
    default:
      return renderTable(forPeople(acrossColumns(report)));
  }
}
