import type { KnownProject } from '../../../history/browse/browsed-project.ts';
import type { BrowsedHistory } from '../../../history/browse/history-browser.ts';
import type { KnownOperation } from '../../../history/usage/operation-query.ts';
import type { Span } from '../../../resources/duration.ts';
import { writeInstant } from '../../answer-value.ts';
import { countSlices } from '../../part/chart/step.ts';
import { foldTogether, kindOf, type Mark, MarkFold, type MarkKind } from './mark-fold.ts';
import type { MarkAnswer, TimelineAnswer } from './timeline-schema.ts';

/** The project, and the time that is looked at. */
export type TimelineRequest = Span &
  Pick<KnownProject, 'project_ref' | 'account' | 'project_id' | 'created_at'>;

/** The most operations that are read, newest first, and the most failures that are counted. */
const mostRead = 40_000;
const mostFailed = 1000;
const mostFailures = 150;
/** Marks of all lanes together. */
const mostMarks = 300;
const mostRows = 60;
/** Marks that are closer cannot be told apart. */
const columns = 300;

/** Slices that are read, at most; fewer where many lanes make a page large. */
const mostSlices = 96;
const manyLanes = 4;

/** The most slices that a timeline of some endpoints is read in. */
export function mostSlicesOf(endpoints: readonly unknown[]): number {
  return endpoints.length > manyLanes ? mostSlices / 4 : mostSlices;
}

type OperationRow = TimelineAnswer['operations'][number];
type CountedRow = Omit<OperationRow, 'first' | 'last'> & { firstAt: number; lastAt: number };

/**
 * Operations in a stretch of time, with the marks of each lane.
 *
 * @param lanes the ids of the endpoints that have a lane.
 */
export function readOperations(
  { operations }: Pick<BrowsedHistory, 'operations'>,
  { project_ref, account, project_id, fromAt, untilAt }: TimelineRequest,
  lanes: readonly string[],
) {
  const axis = new OperationAxis(fromAt, untilAt, lanes);
  let [read, oldestAt] = [0, untilAt];
  for (const [at, endpoint_id, action] of operations.marks(project_ref, { fromAt, untilAt }, mostRead)) {
    axis.add(kindOf(action), at, endpoint_id, action);
    read += 1;
    oldestAt = Math.min(oldestAt, at);
  }
  const ofProject = { account, project_id, fromAt, untilAt };
  const failed = operations.failed({ ...ofProject, most: mostFailed + 1, isBrief: true });
  const counted = failed.slice(0, mostFailed);
  for (const each of counted) axis.add('failed', each.ended_at ?? fromAt, each.endpoint_id, each.action);
  return {
    ...axis.write(),
    operations_cut_at: read === mostRead ? writeInstant(oldestAt) : null,
    failed_count: counted.length,
    is_failed_count_cut: failed.length > mostFailed,
    failed_operations: failed.slice(0, mostFailures).map(each => writeFailed(each, fromAt)),
    is_failed_cut: failed.length > mostFailures,
  };
}

function writeFailed(operation: KnownOperation, fromAt: number) {
  const { endpoint_id, action, status } = operation;
  return { at: writeInstant(operation.ended_at ?? fromAt), endpoint_id, action, status };
}

/** Operations as marks of lanes, and counted by endpoint and action. */
class OperationAxis {
  readonly #lanes: ReadonlyMap<string, MarkFold>;
  /** Marks of operations of no lane. */
  readonly #others: MarkFold;
  readonly #rows = new Map<string | null, Map<string, CountedRow>>();

  constructor(fromAt: number, untilAt: number, lanes: readonly string[]) {
    const slices = countSlices(fromAt, untilAt, mostSlicesOf(lanes));
    const fold = () => new MarkFold({ fromAt, untilAt }, columns, slices);
    this.#lanes = new Map(lanes.map(endpoint_id => [endpoint_id, fold()]));
    this.#others = fold();
  }

  add(kind: MarkKind, at: number, endpoint_id: string | null, action: string): void {
    const lane = endpoint_id === null ? undefined : this.#lanes.get(endpoint_id);
    (lane ?? this.#others).add(kind, at, action);
    const rows = this.#rows.get(endpoint_id) ?? new Map<string, CountedRow>();
    this.#rows.set(endpoint_id, rows);
    const row = rows.get(action) ?? { endpoint_id, action, count: 0, failed: 0, firstAt: at, lastAt: at };
    rows.set(action, row);
    row.count += 1;
    row.failed += Number(kind === 'failed');
    row.firstAt = Math.min(row.firstAt, at);
    row.lastAt = Math.max(row.lastAt, at);
  }

  write() {
    const [others, ...lanes] = foldTogether([this.#others, ...this.#lanes.values()], mostMarks);
    const rows = [...this.#rows.values()].flatMap(each => [...each.values()]);
    return {
      operations: rows
        .sort((a, b) => b.count - a.count || b.lastAt - a.lastAt)
        .slice(0, mostRows)
        .map(({ firstAt, lastAt, ...row }) => ({
          ...row,
          first: writeInstant(firstAt),
          last: writeInstant(lastAt),
        })),
      operations_left_out: Math.max(0, rows.length - mostRows),
      other_marks: (others ?? []).map(writeMark),
      other_counts: this.#others.counts,
      lane_operations: [...this.#lanes.values()].map(({ counts }, index) => ({
        marks: (lanes[index] ?? []).map(writeMark),
        counts,
      })),
    };
  }
}

function writeMark({ kind, fromAt, untilAt, count, actions }: Mark): MarkAnswer {
  return {
    ...{ kind, count, actions: [...actions] },
    from: writeInstant(fromAt),
    until: writeInstant(untilAt),
  };
}
