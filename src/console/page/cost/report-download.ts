import * as v from 'valibot';
import { renderReport } from '../../../report/format/rendering.ts';
import {
  type ReportOptions,
  reportAxes,
  reportSteps,
  focusVersion as writtenVersion,
} from '../../../report/kind.ts';
import { compact } from '../../../resources/field.ts';
import { defineDownload } from '../../download.ts';
import { PageProblem } from '../../page-problem.ts';
import { maybeChoice, text } from '../../parameter.ts';
import { refuseLargeFile } from './file-bound.ts';

const types = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  focus: 'text/csv; charset=utf-8',
} as const;
const endings = { csv: 'csv', json: 'json', focus: 'focus.csv' } as const;

/** A larger one is made by the command, which holds up no page. */
const mostRows = 200_000;

const query = v.object({
  what: v.picklist(
    ['cost', 'why', 'findings', 'usage', 'forecast'],
    'one of cost, why, findings, usage, forecast',
  ),
  format: v.picklist(['csv', 'json', 'focus'], 'one of csv, json, focus'),
  period: text(),
  against: text(),
  by: maybeChoice(reportAxes),
  grouping: text(),
  account: text(),
  step: maybeChoice(reportSteps),
  share: maybeChoice(['yes']),
  done: maybeChoice(['yes']),
  focus_version: maybeChoice([writtenVersion]),
});

/** Reports as files, byte for byte as the command `report` writes them with the same options. */
export const reportDownload = defineDownload({
  path: '/reports/{what}',
  apiPath: '/reports/{what}',
  summary: 'A report as a file, as the command report writes it: CSV, JSON or FOCUS.',
  types: [...new Set(Object.values(types))],
  query,
  async make(sources, { what, format, share, done, focus_version, ...asked }, { now }) {
    const given = Object.entries(asked).filter(([, value]) => value !== '');
    const options: ReportOptions = {
      ...Object.fromEntries(given),
      format,
      ...compact({ share: share && true, done: done && true, focusVersion: focus_version }),
    };
    refuseLargeFile(sources, what, options, now);
    const report = await sources.reports.ask(what, options);
    if (report.rows.length > mostRows) {
      const detail = `The report has ${report.rows.length} rows, and ${mostRows} at most are sent.`;
      throw new PageProblem(400, 'The report is too large', detail, [
        'a shorter period, or one account',
        `the command dbpm-exporter report ${what}`,
      ]);
    }
    const name = [what, report.period.label, asked.account, asked.by].filter(part => part).join('-');
    return { name: `${name}.${endings[format]}`, type: types[format], text: renderReport(report, format) };
  },
});
