import type { BackfillText } from '../metrics/page/backfill-text.ts';
import type { SubjectLabels } from '../metrics/page/backfill-track.ts';
import { renderHeader } from '../metrics/page/exposition.ts';
import type { BackfillPart, BackfillViews, InstantRow } from '../resources/backfill.ts';
import type { CatalogGroup } from '../resources/catalog.ts';
import type { UsagePast } from './usage-past.ts';

/** A portion of the text, and the part of the whole that is done with it, 0 to 1. */
export interface ExportPortion {
  /** Empty while nothing is ready to be written. */
  readonly text: string;
  readonly done: number;
}

/** All that the text of some instants is made from. */
export interface ExportInput {
  readonly text: BackfillText;
  readonly rows: readonly InstantRow[];
  readonly groups: readonly CatalogGroup[];
  /** By row. */
  readonly parts: readonly (readonly BackfillPart[])[];
  /** Absent where no family of use and cost is asked for. */
  readonly past?: UsagePast;
  /** Labels that all series share, rendered. */
  readonly constant: string;
}

/** Part of the time that the views of use and cost take. */
const usageShare = 0.8;

/** The text of an export, from the first family to the last. */
export function* renderExport({ rows, groups, past, ...input }: ExportInput): Generator<ExportPortion> {
  const begin = past === undefined ? 0 : usageShare;
  for (const done of past?.workOut(rows) ?? []) yield { text: '', done: begin * done };
  const families = groups.flatMap(group => Object.values(group.families).map(family => ({ group, family })));
  for (const [index, { group, family }] of families.entries()) {
    const done = begin + ((1 - begin) * index) / families.length;
    yield { text: renderHeader(family, 'openmetrics'), done };
    const labels = { values: (view: unknown) => group.labelValues(view), constant: input.constant };
    const lines =
      group.unit === 'usage'
        ? input.text.renderTracks(past?.tracks(family) ?? [])
        : renderSubjects(input, family, labels);
    for (const text of lines) yield { text, done };
  }
  yield { text: '# EOF\n', done: 1 };
}

/** The samples of all subjects of a family, row by row: every row has the same subjects in the same order. */
function* renderSubjects(
  { text, parts }: Pick<ExportInput, 'text' | 'parts'>,
  family: CatalogGroup['families'][string],
  labels: SubjectLabels,
): Generator<string> {
  const rows = parts.map(row => row.find(({ metrics }) => metrics.includes(family.name))?.subjects ?? []);
  for (const index of rows[0]?.keys() ?? []) {
    yield* text.render(family, labels, chain(rows.map(subjects => subjects[index])));
  }
}

function* chain(rows: readonly ((() => BackfillViews) | undefined)[]): Generator<unknown> {
  for (const readViews of rows) yield* readViews?.() ?? [];
}
