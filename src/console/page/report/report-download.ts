import type { GenericSchema } from 'valibot';
import * as v from 'valibot';
import { withoutPersonal } from '../../../report/format/report.ts';
import { type ReportKind, reportKinds, reportQuestions } from '../../../report/kind.ts';
import type { ConsoleSources, ReadContext } from '../../page.ts';
import { PageProblem } from '../../page-problem.ts';
import { refuseLargeFile } from './file-bound.ts';
import { addressParameters, fileTypes, readReportOptions } from './report-parameter.ts';

const endings = { csv: 'csv', json: 'json', focus: 'focus.csv', html: 'html' } as const;

/** A larger one is made by the command, which holds up no page. */
const mostRows = 200_000;

/** A report as a file that a browser saves; it is at the same path of the console and of `/api/v1`. */
export interface Download {
  readonly path: string;
  readonly apiPath: string;
  readonly kind: ReportKind;
  /** The parameters of the query. */
  readonly query: GenericSchema;
}

/** Reports as files, byte for byte as the command `report` writes them with the same options. */
export const downloads: readonly Download[] = reportKinds.map(kind => ({
  ...{ path: `/reports/${kind}`, apiPath: `/reports/${kind}`, kind },
  query: v.object(addressParameters(kind)),
}));

/** @param query what passed the schema of the download. */
export async function makeFile(
  { kind }: Download,
  sources: ConsoleSources,
  query: unknown,
  { now, showsPersonal }: ReadContext,
) {
  const options = readReportOptions(query as Readonly<Record<string, string | undefined>>);
  const format = options.format as keyof typeof fileTypes;
  refuseLargeFile(sources, kind, options, now);
  const made = await sources.reports.ask(kind, options);
  const report = showsPersonal ? made : withoutPersonal(made);
  refuseManyRows(kind, report.rows.length);
  // Loaded for the first file: pages write none.
  const { renderReport } = await import('../../../report/format/rendering.ts');
  const parts = [kind, report.period.label, options.account, options.by].filter(part => part);
  const name = `${parts.join('-')}.${endings[format]}`;
  return { name, type: fileTypes[format], text: renderReport(report, format) };
}

/** Description of a file, with its schemas by type. The columns come with all that makes reports, which is loaded here alone. */
export async function describeFile({ kind }: Download) {
  const { reports } = await import('../../../report/report-list.ts');
  const { describeJson } = await import('../../../report/format/json.ts');
  return {
    summary: `${reportQuestions[kind]} As the command report ${kind} writes it.`,
    answers: {
      [fileTypes.csv]: { type: 'string' },
      [fileTypes.json]: describeJson(reports[kind].columns),
      ...(kind === 'showback' && { [fileTypes.html]: { type: 'string' } }),
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
