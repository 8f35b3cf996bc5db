import * as v from 'valibot';
import {
  replayedColumns,
  replayedMoneyColumns,
  replayedRiskColumns,
} from '../../../report/column/replayed.ts';
import type { MadeReport } from '../../../report/maker.ts';
import type { ReportOptions } from '../../../report/parameter.ts';
import { columnFields } from '../../answer-field.ts';
import type { DrawContext } from '../../page.ts';
import { card } from '../../part/card.ts';
import { hiddenFields } from '../../part/filter-form.ts';
import { html, type Markup } from '../../part/html.ts';
import { showAge } from '../../part/instant.ts';
import { showDecimal, showHours, showMoney } from '../../part/number.ts';
import { shownName } from '../../part/shown-text.ts';
import { table } from '../../part/table.ts';
import { term } from '../../part/term.ts';
import { readRows } from '../../report-row.ts';

const columns = [...replayedColumns, ...replayedMoneyColumns, ...replayedRiskColumns];
const replayedField = v.object({
  ...columnFields(columns),
  endpoint_id: v.string(),
});

/** Savings that other settings would have made. */
export const whatIfField = v.object({
  suspend_after_seconds: v.nullable(v.number()),
  min_cu: v.nullable(v.number()),
  currency: v.nullable(v.string()),
  pending: v.boolean(),
  endpoints: v.array(replayedField),
  notes: v.array(v.string()),
});
type WhatIfAnswer = v.InferOutput<typeof whatIfField>;

interface WhatIfRequest {
  readonly account: string;
  readonly project_id: string;
  readonly suspend_after: string;
  readonly min_cu: string;
}

/** The options of the report that replays the past of a project's endpoints with other settings; undefined without one. */
export function askWhatIf({
  account,
  project_id,
  suspend_after,
  min_cu,
}: WhatIfRequest): ReportOptions | undefined {
  if (suspend_after === '' && min_cu === '') return undefined;
  return {
    project: `${account}/${project_id}`,
    ...(suspend_after !== '' && { suspendAfter: Number(suspend_after) }),
    ...(min_cu !== '' && { minCu: Number(min_cu) }),
  };
}

/** The savings of other settings: the rows of `report findings --suspend-after`. */
export function writeWhatIf(
  report: MadeReport | undefined,
  { suspend_after, min_cu }: WhatIfRequest,
  pending: boolean,
): v.InferInput<typeof whatIfField> | null {
  if (suspend_after === '' && min_cu === '') return null;
  const rows = report === undefined ? [] : readRows<typeof columns>(report);
  return {
    suspend_after_seconds: suspend_after === '' ? null : Number(suspend_after),
    min_cu: min_cu === '' ? null : Number(min_cu),
    currency: report?.currency ?? null,
    pending,
    endpoints: rows.map(row => ({ ...row, endpoint_id: row.endpoint_id ?? '' })),
    notes: [...(report?.notes ?? [])],
  };
}

type ReplayedEndpoint = WhatIfAnswer['endpoints'][number];

/** A form that asks what other settings would have saved, and the answer. */
export function drawWhatIf(
  what_if: WhatIfAnswer | null,
  { path, query }: Pick<DrawContext<WhatIfRequest & { readonly cursor: string }>, 'path' | 'query'>,
): Markup {
  const { account: _account, project_id: _id, cursor: _cursor, suspend_after, min_cu, ...kept } = query;
  return card(
    'What if?',
    html`<div class="in">
<p>What another ${term('suspend_delay')} or smallest size in ${term('compute_unit')} would have saved, by replaying the last 30 days of each endpoint. Write one of them, or both.</p>
<form class="filter" method="get" action=${`${path}#what-if`} aria-label="Other settings">
<label>Suspend after (seconds)<input type="number" name="suspend_after" value=${suspend_after} placeholder="such as 60" min="0" max="604800" step="1" inputmode="numeric" /></label>
<label>Smallest size (CU)<input type="number" name="min_cu" value=${min_cu} placeholder="such as 1" min="0" max="56" step="0.25" inputmode="decimal" /></label>
${hiddenFields(kept)}
<button class="btn" type="submit">Replay</button></form></div>
${what_if !== null && drawReplayed(what_if)}`,
    { id: 'what-if', isFolded: true, isOpen: what_if !== null },
  );
}

function drawReplayed({ endpoints, currency, pending, notes }: WhatIfAnswer): Markup {
  if (pending) return html`<p class="in notes">It is being worked out: it is here in a moment.</p>`;
  const money = (cost: string | null) => showMoney(cost, currency);
  return html`${table({
    caption: 'What other settings would have saved in 30 days',
    whenEmpty: 'It has no endpoint.',
    rows: endpoints,
    columns: [
      { title: 'Endpoint', show: ({ endpoint_id }) => html`<code>${shownName(endpoint_id)}</code>` },
      { number: 'Suspends now after', show: each => showDelay(each) },
      { number: 'Smallest size now', show: ({ min_cu }) => (min_cu === null ? '' : `${min_cu} CU`) },
      { number: 'Uses in 30 days', show: each => showHours(each.used_hours_per_month) },
      { number: 'Likely saves (hours)', show: each => showHours(each.saved_hours_per_month) },
      { number: 'At most (hours)', show: each => showHours(each.most_saved_hours_per_month) },
      currency !== null && { number: 'Likely saves', show: each => money(each.saved_cost_per_month) },
      currency !== null && { number: 'At most', show: each => money(each.most_saved_cost_per_month) },
      { number: 'More wakes a day', show: each => showDecimal(each.more_wakes_per_day) || 'not known' },
    ],
  })}
<ul class="in notes">${notes.map(note => html`<li>${note}</li>`)}</ul>`;
}

function showDelay({ suspend_delay_seconds: seconds }: ReplayedEndpoint): string {
  return seconds === null ? 'not known' : showAge(seconds * 1000);
}
