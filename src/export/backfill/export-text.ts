import { BackfillText } from '../../metrics/page/backfill-text.ts';
import { renderHeader } from '../../metrics/page/exposition.ts';
import type { InstantRow } from '../../resources/backfill.ts';
import type { ExportStep } from './export-step.ts';

/** A portion of the text, and the part of the whole that is done with it, 0 to 1. */
export interface ExportPortion {
  /** Empty while nothing is ready to be written. */
  readonly text: string;
  readonly done: number;
}

/** The series of some instants as OpenMetrics, in portions that are made as they are asked for. */
export function* renderExport(
  rows: readonly InstantRow[],
  steps: Iterable<ExportStep>,
): Generator<ExportPortion> {
  const lines = new BackfillText(rows);
  for (const { done, family, track } of steps) {
    if (track === undefined)
      yield { text: family === undefined ? '' : renderHeader(family, 'openmetrics'), done };
    else for (const text of lines.render(track)) yield { text, done };
  }
  yield { text: '# EOF\n', done: 1 };
}
