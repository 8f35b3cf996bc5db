import type { StateBegin } from '../../../history/browse/browsed-project.ts';
import type { BrowsedHistory } from '../../../history/browse/history-browser.ts';
import type { Span } from '../../../resources/duration.ts';
import { maxOf, minOf } from '../../../resources/min-max.ts';
import { writeInstant, writeSpan } from '../../answer-value.ts';
import { type FoldedStates, foldStates } from './state-fold.ts';
import { readOperations, type TimelineRequest } from './timeline-operation.ts';
import type { LaneAnswer, TimelineAnswer } from './timeline-schema.ts';

/** Columns of a lane: no more can be told apart, and half of them where many lanes make a page large. */
const mostColumns = 600;
const manyLanes = 5;
/** Intervals of all endpoints that are told one by one. */
const mostIntervals = 300;
const mostEndpoints = 12;
/** Changes of state of all endpoints that are read from operations: the newest, of a project with more. */
const mostReconstructed = 40_000;

/** States of a project's endpoints in a stretch of time, the longest awake first. */
export function readTimeline(history: BrowsedHistory, request: TimelineRequest): TimelineAnswer {
  const { projects } = history;
  const { project_ref, created_at: projectAt, fromAt, untilAt } = request;
  const { statesKeptFromAt: keptFromAt, operationsKeptFromAt: operationsFromAt } = projects;
  const known = projects
    .endpoints(project_ref)
    .filter(({ known_until, gone_at }) => known_until !== null && (gone_at ?? untilAt) > fromAt);
  const mostOfEach = Math.floor(mostReconstructed / Math.max(1, known.length));
  const mostSpans = Math.floor(mostIntervals / Math.max(1, Math.min(known.length, mostEndpoints)));
  const columns = known.length < manyLanes ? mostColumns : mostColumns / 2;
  const lanes = known
    .map(({ endpoint_ref, endpoint_id, known_until, created_at, gone_at }) => {
      const bornAt = Math.max(fromAt, created_at ?? projectAt ?? fromAt);
      const goneAt = Math.min(untilAt, gone_at ?? untilAt);
      const knownUntilAt = Math.min(known_until ?? fromAt, gone_at ?? untilAt);
      const { states, told } = readStates(projects, endpoint_ref, request, mostOfEach);
      const options = { fromAt, untilAt, bornAt, goneAt, knownUntilAt, columns, mostSpans };
      const life = writeSpan({ fromAt: bornAt, untilAt: goneAt });
      return { endpoint_id, life, told, folded: foldStates(states, options) };
    })
    .filter(({ folded }) => folded.awakeMs + folded.asleepMs > 0)
    .sort((a, b) => b.folded.awakeMs - a.folded.awakeMs || (a.endpoint_id < b.endpoint_id ? -1 : 1));
  const shown = lanes.slice(0, mostEndpoints);
  const { lane_operations, ...operations } = readOperations(
    history,
    request,
    shown.map(({ endpoint_id }) => endpoint_id),
  );
  return {
    ...writeSpan({ fromAt, untilAt }),
    kept_from: keptFromAt > fromAt ? writeInstant(keptFromAt) : null,
    reconstructed: findReconstructed(projects, request, shown),
    operations_kept_from: operationsFromAt > fromAt ? writeInstant(operationsFromAt) : null,
    endpoints: shown.flatMap((lane, index) => {
      const own = lane_operations[index];
      return own === undefined ? [] : [{ ...writeLane(lane, (untilAt - fromAt) / columns), ...own }];
    }),
    endpoints_left_out: Math.max(0, lanes.length - mostEndpoints),
    ...operations,
  };
}

/**
 * States as they were seen, and before that as operations tell them.
 *
 * @returns the stretch that operations tell; undefined where none tells any.
 */
export function readStates(
  projects: BrowsedHistory['projects'],
  endpoint_ref: number,
  { fromAt, untilAt }: Span,
  most: number,
): { readonly states: readonly StateBegin[]; readonly told?: Span } {
  const seen = [...projects.states(endpoint_ref, Math.max(fromAt, projects.statesKeptFromAt), untilAt)];
  const seenFromAt = Math.min(seen[0]?.[0] ?? untilAt, untilAt);
  if (seenFromAt <= fromAt) return { states: seen };
  const [first, ...others] = projects.reconstructed(endpoint_ref, fromAt, seenFromAt, most);
  if (first === undefined) return { states: seen };
  const told = { fromAt: Math.max(fromAt, first[0]), untilAt: seenFromAt };
  return { states: [first, ...others, ...seen], told };
}

function findReconstructed(
  { statesKeptFromAt, operationsKeptFromAt }: BrowsedHistory['projects'],
  { fromAt, untilAt }: Span,
  lanes: readonly { readonly told?: Span | undefined }[],
): TimelineAnswer['reconstructed'] {
  const before = {
    fromAt: Math.max(fromAt, operationsKeptFromAt),
    untilAt: Math.min(statesKeptFromAt, untilAt),
  };
  const spans = [before, ...lanes.flatMap(({ told }) => told ?? [])].filter(
    span => span.fromAt < span.untilAt,
  );
  if (spans.length === 0) return null;
  return {
    from: writeInstant(minOf(spans.map(span => span.fromAt))),
    until: writeInstant(maxOf(spans.map(span => span.untilAt))),
  };
}

function writeLane(
  { endpoint_id, life, folded }: Pick<LaneAnswer, 'endpoint_id' | 'life'> & { readonly folded: FoldedStates },
  columnMs: number,
): Omit<LaneAnswer, 'marks' | 'counts'> {
  const { awakeMs, asleepMs, unknownMs, starts, suspends, spans } = folded;
  const percents = (ms: Float64Array) => Array.from(ms, each => Math.round((100 * each) / columnMs));
  return {
    ...{ endpoint_id, life, awake_ms: awakeMs, asleep_ms: asleepMs, unknown_ms: unknownMs, starts, suspends },
    intervals: spans?.map(({ state, ...span }) => ({ ...writeSpan(span), state })) ?? null,
    columns:
      spans === undefined
        ? {
            awake_percent: percents(folded.awakeByColumn),
            unknown_percent: percents(folded.knownByColumn.map(known => columnMs - known)),
          }
        : null,
  };
}
