import * as v from 'valibot';
import { renderReport } from '../../../report/format/rendering.ts';
import { withoutPersonal } from '../../../report/format/report.ts';
import { type ReportKind, reportKinds, reportQuestions } from '../../../report/kind.ts';
import { type AnyDownload, defineDownload } from '../../download.ts';
import { PageProblem } from '../../page-problem.ts';
import { refuseLargeFile } from './file-bound.ts';
import { addressParameters, fileTypes, readReportOptions } from './report-parameter.ts';

const endings = { csv: 'csv', json: 'json', focus: 'focus.csv', html: 'html' } as const;

/** A larger one is made by the command, which holds up no page. */
const mostRows = 200_000;

/** Reports as files, byte for byte as the command `report` writes them with the same options. */
export const reportDownloads: readonly AnyDownload[] = reportKinds.map(what =>
  defineDownload({
    path: `/reports/${what}`,
    apiPath: `/reports/${what}`,
    query: v.object(addressParameters(what)),
    describe: () => describeReport(what),
    async make(sources, query, { now, showsPersonal }) {
      // Only a query that passed the schema above comes here.
      const options = readReportOptions(query as Readonly<Record<string, string | undefined>>);
      const format = options.format as keyof typeof fileTypes;
      refuseLargeFile(sources, what, options, now);
      const made = await sources.reports.ask(what, options);
      const report = showsPersonal ? made : withoutPersonal(made);
      refuseManyRows(what, report.rows.length);
      const parts = [what, report.period.label, options.account, options.by].filter(part => part);
      const name = `${parts.join('-')}.${endings[format]}`;
      return { name, type: fileTypes[format], text: renderReport(report, format) };
    },
  }),
);

/** The columns of all reports come with all that makes them, which is loaded where it is asked for alone. */
async function describeReport(what: ReportKind) {
  const { reports } = await import('../../../report/report-list.ts');
  const { describeJson } = await import('../../../report/format/json.ts');
  return {
    summary: `${reportQuestions[what]} As the command report ${what} writes it.`,
    answers: {
      [fileTypes.csv]: { type: 'string' },
      [fileTypes.json]: describeJson(reports[what].columns),
      ...(what === 'showback' && { [fileTypes.html]: { type: 'string' } }),
    },
  };
}

function refuseManyRows(what: ReportKind, rows: number): void {
  if (rows <= mostRows) return;
  const detail = `The report has ${rows} rows, and ${mostRows} at most are sent.`;
  throw new PageProblem(400, 'The report is too large', detail, [
    'a shorter period, or one account',
    `the command dbpm-exporter report ${what}`,
  ]);
}
