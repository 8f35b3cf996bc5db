import { operationPath, pathOf } from '../../part/address.ts';
import { type Content, html, type Markup } from '../../part/html.ts';
import { icon } from '../../part/icon.ts';
import { ago, showAge } from '../../part/instant.ts';
import { showNumber } from '../../part/number.ts';
import { shownName } from '../../part/shown-text.ts';
import { type TableOptions, table } from '../../part/table.ts';
import type { OperationAnswer } from './operation-answer.ts';

interface OperationTableOptions extends Pick<TableOptions<OperationAnswer>, 'firstRows'> {
  readonly caption: string;
  readonly operations: readonly OperationAnswer[];
  readonly whenEmpty: string;
  readonly now: number;
  /** Whether all are of one project, which then needs no column. */
  readonly isOfProject?: boolean;
}

/** Operations with how they ended, how long they took, and what the service said of failures. */
export function operationTable(options: OperationTableOptions): Markup {
  const { caption, operations, whenEmpty, now, isOfProject = false, ...shown } = options;
  return table({
    ...shown,
    caption,
    whenEmpty,
    isStacked: true,
    rows: operations,
    columns: [
      { title: 'Operation', show: showAction },
      !isOfProject && { title: 'Project', show: showProject },
      { title: 'Result', show: showResult },
      { title: 'When', show: each => showWhen(each, now) },
      { number: 'Took', show: each => showLength(each, now) },
      {
        number: 'Failed attempts',
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

function showProject({ account, project_id, project_name, region_id }: OperationAnswer): Content {
  return html`<a href=${pathOf('projects', account, project_id)}>${shownName(project_name ?? project_id)}</a><span class="s">${[
    account,
    region_id,
  ]
    .filter(part => part !== null)
    .map(part => shownName(part))
    .join(', ')}</span>`;
}

/** With its id where somebody may have to ask the service about it. */
function showAction(operation: OperationAnswer): Content {
  const { action, operation_id, outcome } = operation;
  const isAskedFor = outcome === 'failed' || outcome === 'stuck';
  return html`<a href=${operationPath(operation)}><b>${shownName(action)}</b></a>${isAskedFor && html`<span class="s id">${shownName(operation_id)}</span>`}`;
}

const tones = {
  succeeded: ['good', 'ok'],
  failed: ['warn', 'warn'],
  in_progress: ['', 'note'],
  stuck: ['crit', 'crit'],
  unknown: ['', 'note'],
} as const;

/** Whether an operation failed, and the same was not done since on its endpoint. */
export function hasNoSuccess({ outcome, worked_at, created_at }: OperationAnswer): boolean {
  return outcome === 'failed' && worked_at === null && created_at !== null;
}

/** How an operation ended, or that it did not, as a shape with a word. */
export function showOutcome(operation: OperationAnswer): Markup {
  const { outcome, status } = operation;
  const isBroken = hasNoSuccess(operation);
  const [tone, shape] = tones[isBroken ? 'stuck' : outcome];
  const words =
    outcome === 'stuck'
      ? `stuck (${status})`
      : outcome === 'unknown'
        ? 'not known'
        : `${status}${isBroken ? ', no success since' : ''}`;
  return html`<span class=${`pill ${tone}`.trimEnd()}>${icon(shape)}${shownName(words)}</span>`;
}

function showResult(operation: OperationAnswer): Content {
  const { retry_at } = operation;
  const again = retry_at !== null && html`<span class="s">again at ${retry_at.slice(11, 16)} UTC</span>`;
  return html`${showOutcome(operation)}${again}`;
}

/** How long an operation took, or has taken so far; empty where that is not known. */
export function showLength({ outcome, duration_ms, created_at }: OperationAnswer, now: number): string {
  if (outcome === 'in_progress' || outcome === 'stuck') {
    return created_at === null ? '' : `${showAge(now - Date.parse(created_at))} so far`;
  }
  if (duration_ms === null) return '';
  return showTook(duration_ms);
}

export function showTook(ms: number): string {
  return ms < 60_000 ? `${showNumber(ms / 1000, 1)} s` : showAge(ms);
}

/** A longer text is opened where it is wanted. */
const longestError = 200;

function showError(error: string | null): Content {
  if (error === null || error.length <= longestError) return error;
  return html`<details><summary>${shownName(error)}</summary>${error.slice(0, 4000)}</details>`;
}
