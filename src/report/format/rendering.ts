import type { ReportFormat } from '../kind.ts';
import { acrossColumns } from './across-column.ts';
import { renderCsv, withPeriod } from './csv.ts';
import { renderPeriod } from './heading.ts';
import { writeHtml } from './html.ts';
import { renderJson } from './json.ts';
import { renderMarkdown, writeMarkdown } from './markdown.ts';
import { forPeople, type Report } from './report.ts';
import { layOut } from './showback-page.ts';
import { renderTable } from './table.ts';

/** The whole text of a report. Focus is CSV with columns of its own. */
export function renderReport(report: Report, format: ReportFormat): string {
  const { period, currency } = report;
  const pages = report.pages?.map(page => layOut(page, `${renderPeriod(period)}, in ${currency}`));
  switch (format) {
    case 'html':
      return writeHtml(pages?.length === 1 ? `Costs of ${pages[0]?.title}` : 'Costs by group', pages ?? []);
    case 'markdown':
      return (
        pages?.map(page => writeMarkdown(page)).join('\n') ?? renderMarkdown(forPeople(acrossColumns(report)))
      );
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
