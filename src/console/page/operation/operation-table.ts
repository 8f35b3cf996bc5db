import { pathOf } from '../../part/address.ts';
import { type Content, html, type Markup } from '../../part/html.ts';
import { ago, showAge } from '../../part/instant.ts';
import { showNumber } from '../../part/number.ts';
import { shownName } from '../../part/shown-text.ts';
import { table } from '../../part/table.ts';
import type { OperationAnswer } from './operation-answer.ts';

export interface OperationTableOptions {
  readonly caption: string;
  readonly operations: readonly OperationAnswer[];
  readonly whenEmpty: string;
  readonly now: number;
  /** Whether all are of one project, which then needs no column. */
  readonly isOfProject?: boolean;
}

/** Operations with how they ended, how long they took, and what the service said of those that went wrong. */
export function operationTable(options: OperationTableOptions): Markup {
  const { caption, operations, whenEmpty, now, isOfProject = false } = options;
  return table({
    caption,
    whenEmpty,
    isStacked: true,
    rows: operations,
    columns: [
      { title: 'When', show: each => showWhen(each, now) },
      ...(isOfProject ? [] : [{ title: 'Project', show: showProject }]),
      { title: 'Action', show: showAction },
      { title: 'Result', show: showResult },
      { title: 'Took', isNumber: true, show: each => showLength(each, now) },
      {
        title: 'Failed attempts',
        isNumber: true,
        isSparse: true,
        show: ({ failures_count }) => (failures_count === 0 ? '' : showNumber(failures_count)),
      },
      {
        title: 'Endpoint',
        show: ({ endpoint_id }) => endpoint_id !== null && html`<code>${shownName(endpoint_id)}</code>`,
      },
      { title: 'What the service said', isSparse: true, show: ({ error }) => showError(error) },
    ],
  });
}

function showWhen({ outcome, ended_at, created_at }: OperationAnswer, now: number): Content {
  const isOpen = outcome === 'in_progress' || outcome === 'stuck';
  return isOpen
    ? html`begun ${ago(created_at, now, 'at a time not known')}`
    : ago(ended_at ?? created_at, now, '');
}

function showProject({ account, project_id, project_name }: OperationAnswer): Content {
  return html`<a href=${pathOf('projects', account, project_id)}>${shownName(project_name ?? project_id)}</a> <span class="quiet">${account}</span>`;
}

/** With its id where somebody may have to ask the service about it. */
function showAction({ action, operation_id, outcome }: OperationAnswer): Content {
  const isAskedFor = outcome === 'failed' || outcome === 'stuck';
  return html`${shownName(action)}${isAskedFor && html`<div><code class="quiet">${shownName(operation_id)}</code></div>`}`;
}

const tones = { succeeded: 'good', failed: 'bad', in_progress: 'quiet', stuck: 'bad', unknown: 'quiet' };

function showResult({ outcome, status, retry_at }: OperationAnswer): Content {
  const words = outcome === 'stuck' ? `stuck (${status})` : outcome === 'unknown' ? 'not known' : status;
  const retry =
    retry_at === null ? null : html` <span class="quiet">again at ${retry_at.slice(11, 16)} UTC</span>`;
  return html`<span class=${`badge ${tones[outcome]}`}>${shownName(words)}</span>${retry}`;
}

function showLength({ outcome, duration_ms, created_at }: OperationAnswer, now: number): string {
  if (outcome === 'in_progress' || outcome === 'stuck') {
    return created_at === null ? '' : `${showAge(now - Date.parse(created_at))} so far`;
  }
  if (duration_ms === null) return '';
  return duration_ms < 60_000 ? `${showNumber(duration_ms / 1000, 1)} s` : showAge(duration_ms);
}

/** A longer text is opened where it is wanted. */
const longestError = 200;

function showError(error: string | null): Content {
  if (error === null || error.length <= longestError) return error;
  return html`<details><summary>${shownName(error)}</summary>${error.slice(0, 4000)}</details>`;
}
