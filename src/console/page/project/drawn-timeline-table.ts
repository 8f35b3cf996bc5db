import { sayEndpointState } from '../../part/endpoint-state.ts';
import { html, type Markup } from '../../part/html.ts';
import { instant, showAge } from '../../part/instant.ts';
import { showNumber } from '../../part/number.ts';
import { shownName } from '../../part/shown-text.ts';
import { table } from '../../part/table.ts';
import { shareOf } from './lane-text.ts';
import type { LaneAnswer, TimelineAnswer } from './timeline-schema.ts';

/** Tables of all that the timeline draws. */
export function timelineTables(timeline: TimelineAnswer): Markup {
  const { endpoints } = timeline;
  return html`${endpoints.length > 0 && laneTable(endpoints)}${operationTable(timeline)}${endpoints.map(intervalTable)}${failureTable(timeline)}`;
}

function laneTable(lanes: readonly LaneAnswer[]): Markup {
  return table({
    caption: 'What each endpoint did in this time',
    isStacked: true,
    rows: lanes,
    columns: [
      { title: 'Endpoint', show: ({ endpoint_id }) => html`<code>${shownName(endpoint_id)}</code>` },
      { number: 'Awake', show: each => `${showAge(each.awake_ms)} (${shareOf(each, each.awake_ms)})` },
      { number: 'Asleep', show: each => `${showAge(each.asleep_ms)} (${shareOf(each, each.asleep_ms)})` },
      { number: 'Not known', show: each => showAge(each.unknown_ms) },
      { number: 'Starts', show: ({ starts }) => showNumber(starts) },
      { number: 'Suspends', show: ({ suspends }) => showNumber(suspends) },
    ],
  });
}

const mostRows = 60;

function intervalTable({ endpoint_id, intervals, columns }: LaneAnswer): Markup | null {
  if (columns !== null) {
    return html`<p class="notes">${shownName(endpoint_id)} changed its state too often to list each time here: zoom in to see each.</p>`;
  }
  const rows = (intervals ?? []).toReversed();
  return html`<h3>${shownName(endpoint_id)}</h3>${table({
    caption: `States of ${shownName(endpoint_id)}, the newest first`,
    rows: rows.slice(0, mostRows),
    columns: [
      { title: 'From', show: ({ from }) => instant(from) },
      { title: 'State', show: ({ state }) => sayEndpointState(state) },
      { number: 'For', show: ({ from, until }) => showAge(Date.parse(until) - Date.parse(from)) },
    ],
  })}${rows.length > mostRows && html`<p class="notes">${showNumber(rows.length - mostRows)} older ones are left out: zoom in to see each.</p>`}`;
}

function failureTable(timeline: TimelineAnswer): Markup | null {
  const { failed_operations, failed_count, is_failed_count_cut } = timeline;
  if (failed_operations.length === 0) return null;
  const older = failed_count - Math.min(mostRows, failed_operations.length);
  return html`<h3>Failed operations</h3>${table({
    caption: 'Operations that failed in this time, the newest first',
    isStacked: true,
    rows: failed_operations.slice(0, mostRows),
    columns: [
      { title: 'When', show: ({ at }) => instant(at) },
      { title: 'Action', show: ({ action }) => shownName(action) },
      { title: 'Result', show: ({ status }) => shownName(status) },
      { title: 'Endpoint', show: ({ endpoint_id }) => html`<code>${shownName(endpoint_id ?? '')}</code>` },
    ],
  })}${older > 0 && html`<p class="notes">${is_failed_count_cut && 'More than '}${showNumber(older)} older ones are left out: zoom in to see each.</p>`}`;
}

function operationTable({ operations, operations_left_out }: TimelineAnswer): Markup | null {
  if (operations.length === 0) return null;
  return html`<h3>Operations</h3>${table({
    caption: 'Operations in this time by endpoint and action, the most frequent first',
    isStacked: true,
    rows: operations,
    columns: [
      { title: 'Endpoint', show: ({ endpoint_id }) => html`<code>${shownName(endpoint_id ?? '')}</code>` },
      { title: 'Action', show: ({ action }) => shownName(action) },
      { number: 'Operations', show: ({ count }) => showNumber(count) },
      { number: 'Failed', show: ({ failed }) => showNumber(failed) },
      { title: 'First', show: ({ first }) => instant(first) },
      { title: 'Last', show: ({ last }) => instant(last) },
    ],
  })}${operations_left_out > 0 && html`<p class="notes">${showNumber(operations_left_out)} more rows, of fewer operations, are left out.</p>`}`;
}
