import { type SubjectLabels, type Track, traceViews } from '../../metrics/page/backfill-track.ts';
import type { BackfillPart, BackfillViews, InstantRow, SeriesName } from '../../resources/backfill.ts';
import type { CatalogGroup } from '../../resources/catalog.ts';
import type { Family } from '../../resources/family.ts';
import type { UsageBackfill } from './usage-backfill.ts';

/** A step of the reading of some instants. */
export interface ExportStep {
  /** The part of the reading that is done with it, 0 to 1. */
  readonly done: number;
  /** The family whose series follow. */
  readonly family?: Family<unknown>;
  /** Series, each at all instants. */
  readonly track?: Track;
}

/** All that the series of some instants are read from. */
export interface ExportInput {
  readonly rows: readonly InstantRow[];
  readonly groups: readonly CatalogGroup[];
  /** By row. */
  readonly parts: readonly (readonly BackfillPart[])[];
  /** Absent where no family of use and cost is asked for. */
  readonly usage?: UsageBackfill;
  /** Labels that all series share. */
  readonly constant: SeriesName['labels'];
}

/** Part of the time that the views of use and cost take. */
const usageShare = 0.8;

/** The series of an export, from the first family to the last. */
export function* readSteps({ rows, groups, usage, ...input }: ExportInput): Generator<ExportStep> {
  const begin = usage === undefined ? 0 : usageShare;
  for (const done of usage?.workOut(rows) ?? []) yield { done: begin * done };
  const families = groups.flatMap(group => Object.values(group.families).map(family => ({ group, family })));
  for (const [index, { group, family }] of families.entries()) {
    const done = begin + ((1 - begin) * index) / families.length;
    yield { done, family };
    const labels = { values: (view: unknown) => group.labelValues(view), constant: input.constant };
    const tracks =
      group.unit === 'usage' ? (usage?.tracks(family) ?? []) : traceSubjects(input, family, labels);
    for (const track of tracks) yield { done, track };
  }
  yield { done: 1 };
}

/** The series of all subjects of a family, row by row: every row has the same subjects in the same order. */
function* traceSubjects(
  { parts }: Pick<ExportInput, 'parts'>,
  family: Family<unknown>,
  labels: SubjectLabels,
): Generator<Track> {
  const rows = parts.map(row => row.find(({ metrics }) => metrics.includes(family.name))?.subjects ?? []);
  for (const index of rows[0]?.keys() ?? []) {
    yield* traceViews(family, labels, chain(rows.map(subjects => subjects[index])));
  }
}

function* chain(rows: readonly ((() => BackfillViews) | undefined)[]): Generator<unknown> {
  for (const readViews of rows) yield* readViews?.() ?? [];
}
