import * as v from 'valibot';
import { renderReport } from '../../../report/format/rendering.ts';
import { withoutPersonal } from '../../../report/format/report.ts';
import {
  focusVersion,
  type ReportKind,
  type ReportOptions,
  reportAxes,
  reportQuestions,
  reportSteps,
} from '../../../report/kind.ts';
import { type AnyDownload, defineDownload } from '../../download.ts';
import { PageProblem } from '../../page-problem.ts';
import { maybeChoice, text } from '../../parameter.ts';
import { refuseLargeFile } from './file-bound.ts';

const types = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  focus: 'text/csv; charset=utf-8',
  html: 'text/html; charset=utf-8',
} as const;
const endings = { csv: 'csv', json: 'json', focus: 'focus.csv', html: 'html' } as const;

/** A larger one is made by the command, which holds up no page. */
const mostRows = 200_000;

const formats = v.picklist(['csv', 'json'], 'one of csv, json');
const common = { format: formats, period: text(), account: text() };
const axes = { by: maybeChoice(reportAxes.filter(axis => axis !== 'line')), grouping: text() };
const steps = { step: maybeChoice(reportSteps), project: text() };
const yes = maybeChoice(['yes']);

/** The parameters of each report: options of the command. */
export const reportParameters: Readonly<Record<ReportKind, v.ObjectEntries>> = {
  usage: { ...common, ...axes, ...steps },
  cost: {
    ...common,
    ...{ format: v.picklist(['csv', 'json', 'focus'], 'one of csv, json, focus') },
    ...{ by: maybeChoice(reportAxes), grouping: text(), ...steps },
    ...{ share: yes, focus_version: maybeChoice([focusVersion]) },
  },
  months: { ...common, ...axes, share: yes },
  budgets: { format: formats, period: text() },
  forecast: { format: formats, account: text(), by: maybeChoice(['project', 'account']), project: text() },
  keys: common,
  operations: { ...common, ...axes, project: text() },
  findings: { ...common, ...axes, done: yes },
  showback: {
    ...{ ...common, format: v.picklist(['csv', 'json', 'html'], 'one of csv, json, html') },
    ...{ grouping: text(), group: text() },
  },
  why: { ...common, against: text(), group: text() },
};

/** A query of a file. */
interface FileQuery extends Pick<ReportOptions, 'account' | 'by'> {
  readonly format: keyof typeof types;
}

/** The options that are asked for or not: a query says `yes`. */
const flags: ReadonlySet<string> = new Set<keyof ReportOptions>(['share', 'done']);
/** Options that have another name in a query. */
const optionOf: Readonly<Record<string, keyof ReportOptions>> = { focus_version: 'focusVersion' };

/** The options that a query asks for; an empty one is not asked for. */
export function readReportOptions(asked: object): ReportOptions {
  const given = Object.entries(asked).filter(([, value]) => value !== '' && value !== undefined);
  return Object.fromEntries(given.map(([key, value]) => [optionOf[key] ?? key, flags.has(key) || value]));
}

/** The values that a parameter takes; none where it takes any, or there is none. */
export function valuesOf(parameter: v.ObjectEntries[string] | undefined): readonly string[] {
  const { wrapped } = (parameter ?? {}) as { wrapped?: { options?: readonly string[] } };
  return wrapped?.options ?? [];
}

/** Reports as files, byte for byte as the command `report` writes them with the same options. */
export const reportDownloads: readonly AnyDownload[] = (Object.keys(reportParameters) as ReportKind[]).map(
  what =>
    defineDownload({
      path: `/reports/${what}`,
      apiPath: `/reports/${what}`,
      query: v.object(reportParameters[what]),
      describe: () => describeReport(what),
      async make(sources, query, { now, showsPersonal }) {
        // Only a query that passed one of the schemas above comes here.
        const { format, ...asked } = query as unknown as FileQuery;
        const options = { ...readReportOptions(asked), format };
        refuseLargeFile(sources, what, options, now);
        const made = await sources.reports.ask(what, options);
        const report = showsPersonal ? made : withoutPersonal(made);
        refuseManyRows(what, report.rows.length);
        const parts = [what, report.period.label, asked.account, asked.by].filter(part => part);
        const name = `${parts.join('-')}.${endings[format]}`;
        return { name, type: types[format], text: renderReport(report, format) };
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
      [types.csv]: { type: 'string' },
      [types.json]: describeJson(reports[what].columns),
      ...(what === 'showback' && { [types.html]: { type: 'string' } }),
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
