import { capital } from '../../../report/format/shown-cell.ts';
import { type ReportKind, reportKinds } from '../../../report/kind.ts';
import { parametersOf, wordsOf } from '../../../report/option-check.ts';
import { keyOf, type Parameter, parameters } from '../../../report/parameter.ts';
import type { DrawContext, PageHead } from '../../page.ts';
import { addressOf, pathOf } from '../../part/address.ts';
import { card } from '../../part/card.ts';
import { type FilterField, filterForm } from '../../part/filter-form.ts';
import { type Content, html, type Markup } from '../../part/html.ts';
import { icon } from '../../part/icon.ts';
import { showNumber } from '../../part/number.ts';
import { periodText } from '../../part/period-name.ts';
import { periodPicker } from '../../part/period-picker.ts';
import { reportNotes } from '../../part/report-note.ts';
import { shownSentence } from '../../part/shown-text.ts';
import { table } from '../../part/table.ts';
import type { ReportAnswer, ReportQuery } from './report-answer.ts';
import { sayUsual } from './report-parameter.ts';

type Context = DrawContext<ReportQuery>;

/** The question, the period, and the same as files. */
export function drawReportHead(
  { report, question, period, ...offered }: ReportAnswer,
  { path, query }: Context,
): PageHead {
  const { sort: _, order: __, ...asked } = query;
  const file = (format: string) => addressOf(pathOf('reports', report), { ...asked, format });
  const others = reportKinds.map(
    each =>
      html`<a href=${pathOf('report', each)} aria-current=${each === report ? 'true' : null}>${each}</a>`,
  );
  // Not told where the billing period is the month.
  const isOfMonth =
    asked.period === '' &&
    period.label === 'this-month' &&
    offered.periods.some(each => each.period === period.label);
  return {
    crumb: html`<a href="/report/usage">Reports</a> /`,
    lead: html`${question}${isOfMonth && html` This page opens on this month, as the command <code>report ${report}</code> does; <a href="/cost">Cost</a> opens on the billing period.`}`,
    actions: html`${offered.periods.length > 0 && periodPicker(path, { ...query, period: query.period || period.label }, offered)}
<details class="pick"><summary>${report}${icon('down')}</summary><nav class="menu" aria-label="Reports">${others}</nav></details>
<a class="btn" href=${file('csv')} download>CSV</a><a class="btn" href=${file('json')} download>JSON</a>`,
  };
}

export function drawReport(answer: ReportAnswer, { path, query }: Context): Markup {
  const { report, title, summary, columns, rows, totals, row_count, period, currency } = answer;
  const { sort, order, ...state } = query;
  const placeOfName = Math.max(
    columns.findIndex(({ key }) => key === 'project_name'),
    columns.findIndex(({ key }) => key === 'project_id'),
  );
  return html`${drawChoice(report, path, query)}
${summary.length > 0 && html`<ul class="notes">${summary.map(each => html`<li>${shownSentence(each)}</li>`)}</ul>`}
${card(
  periodText(period),
  html`${table({
    caption: title,
    whenEmpty: 'Nothing to report.',
    isStacked: true,
    ...(rows.some(({ cells }) => cells.some(isLong)) && { firstRows: 4 }),
    ordered: { sort, order, path, state },
    rows,
    columns: columns.map(({ key, title: name, is_number }, place) => ({
      ...{ [is_number ? 'number' : 'title']: capital(name), sort: key, isSparse: true },
      total: totals?.[place],
      show: ({ cells, account, project_id }: ReportAnswer['rows'][number]): Content =>
        place === placeOfName && account !== null && project_id !== null && cells[place] !== ''
          ? html`<a href=${pathOf('projects', account, project_id)}>${cells[place]}</a>`
          : unbroken(cells[place]),
    })),
  })}${row_count > rows.length && html`<footer>The first ${showNumber(rows.length)} of ${showNumber(row_count)} rows. The files have all.</footer>`}`,
  { name: 'any-report', end: currency !== null && `in ${currency}` },
)}
${reportNotes(answer)}`;
}

/** A day is not broken at its hyphens. */
function unbroken(cell: string | undefined): Content {
  return cell !== undefined && /^\d{4}-\d\d-\d\d$/.test(cell) ? html`<span class="nw">${cell}</span>` : cell;
}

/** A sentence of evidence makes a card as high as two. */
function isLong(cell: string): boolean {
  return cell.length > 60;
}

/** A form of the parameters that a report takes and that have a label: a choice of words each. */
function drawChoice(report: ReportKind, path: string, query: ReportQuery): Markup | null {
  const fields = parametersOf(report).flatMap((name): FilterField[] => {
    const { label }: Parameter = parameters[name];
    if (label === undefined) return [];
    const options = ['', ...wordsOf(report, name)].map(each => ({
      value: each,
      label: each || `${sayUsual(report, name)}, as usual`,
    }));
    return [{ name: keyOf(name), label, value: query[name] ?? '', options }];
  });
  if (fields.length === 0) return null;
  const kept = Object.entries(query).filter(([key]) => !fields.some(({ name }) => name === key));
  return filterForm({ label: 'What rows are for', path, fields, kept: Object.fromEntries(kept) });
}
