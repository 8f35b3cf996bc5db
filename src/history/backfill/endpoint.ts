import { type BackfillPart, listInstants } from '../../resources/backfill.ts';
import { endpointFamilies } from '../../resources/endpoint.ts';
import { isTransition } from '../clause.ts';
import { endpointColumns, type StoredRow } from '../column.ts';
import { statementsOf } from '../file/statement.ts';
import {
  type BackfillEndpoint,
  type BackfillProject,
  type BackfillSource,
  isShownAt,
  lifeOf,
  remain,
  replay,
} from './source.ts';

interface EndedTransition {
  readonly at: number;
  readonly action: string;
}

/** Families that are shown of all times as they were last known. */
const steadyFamilies = [
  endpointFamilies.info,
  endpointFamilies.poolerEnabled,
  endpointFamilies.passwordlessAccess,
  endpointFamilies.autoscalingLimitMinCu,
  endpointFamilies.autoscalingLimitMaxCu,
  endpointFamilies.createdTimestamp,
];

/** Series of endpoints: info, states, starts and suspends. */
export function backfillEndpoints(source: BackfillSource): readonly BackfillPart[] {
  const { endpoints, intervals, durations, transitions } = prepare(source);
  const everyEndpoint = source.watchedProjects.flatMap(project =>
    endpoints(project.project_ref).map(row => toEndpoint(project, row)),
  );
  const backfillAll = (
    families: readonly { readonly name: string }[],
    backfill: (endpoint: BackfillEndpoint) => Iterable<unknown>,
  ) => ({
    metrics: families.map(({ name }) => name),
    subjects: everyEndpoint.map(endpoint => () => backfill(endpoint)),
  });
  const { state, stateSeconds, starts, suspends } = endpointFamilies;
  return [
    backfillAll(steadyFamilies, ({ life, name, row }) =>
      remain(source.instants, life, { ...endpointColumns.read(row), ...name }),
    ),
    backfillAll([state], endpoint => backfillStates(source, endpoint, intervals(endpoint.endpoint_ref))),
    backfillAll([stateSeconds], endpoint => {
      const { endpoint_ref } = endpoint;
      return backfillStateSeconds(source, endpoint, intervals(endpoint_ref), durations(endpoint_ref));
    }),
    backfillAll([starts, suspends], endpoint =>
      backfillTransitions(source, endpoint, transitions(endpoint.endpoint_ref)),
    ),
  ];
}

function toEndpoint(project: BackfillProject, row: StoredRow): BackfillEndpoint {
  const { account, project_id } = project;
  const life = lifeOf(row);
  const untilAt = life.untilAt ?? project.life.untilAt;
  return {
    project,
    endpoint_ref: Number(row.endpoint_ref),
    life: { ...project.life, fromAt: Math.max(life.fromAt, project.life.fromAt), untilAt },
    name: { account, project_id, endpoint_id: String(row.endpoint_id) },
    row,
  };
}

/** Starts and suspends, counted back from how many there are by now. */
function backfillTransitions(
  { instants }: BackfillSource,
  { project, life, name, row }: BackfillEndpoint,
  transitions: readonly EndedTransition[],
): Iterable<unknown> {
  if (!project.operationsKnown) return [];
  const isStart = ({ action }: EndedTransition) => action === 'start_compute';
  const started = transitions.filter(isStart).length;
  let starts = Number(row.starts) - started;
  let suspends = Number(row.suspends) - (transitions.length - started);
  return replay(instants, life, transitions, {
    apply(transition) {
      if (isStart(transition)) starts += 1;
      else suspends += 1;
    },
    show: () => ({ ...name, starts, suspends }),
  });
}

function prepare({ database }: BackfillSource) {
  const sql = statementsOf(database);
  return {
    endpoints: sql.all<[number], StoredRow>`
      SELECT * FROM endpoint WHERE project_ref = ? AND first_seen_at IS NOT NULL ORDER BY endpoint_ref`,
    intervals: sql.all<[number], Interval>`
      SELECT from_at AS at, state FROM state_interval WHERE endpoint_ref = ? ORDER BY from_at`,
    durations: sql.tuples<[number], [state: string, durationMs: number]>`
      SELECT state, duration_ms FROM state_duration WHERE endpoint_ref = ?`,
    transitions: sql.all<[number], EndedTransition>`
      SELECT coalesce(updated_at, created_at, 0) AS at, action FROM operation
      WHERE endpoint_ref = ? AND phase = 'ended' AND ${isTransition} ORDER BY at`,
  };
}

/** A state that began, and lasts until the next one begins. */
interface Interval {
  readonly at: number;
  readonly state: string;
}

/** The state an endpoint was in at each instant. */
function backfillStates(
  { instants }: BackfillSource,
  { life, name }: BackfillEndpoint,
  intervals: readonly Interval[],
): Iterable<unknown> {
  let current_state: string | undefined;
  return replay(instants, life, intervals, {
    apply(interval) {
      current_state = interval.state;
    },
    show: () => ({ ...name, current_state }),
  });
}

/**
 * Time an endpoint had spent in each state, as far as the ledger accounts for it; pruned time stays in what it begins
 * with.
 *
 * @param durationsByNow milliseconds by state.
 */
function* backfillStateSeconds(
  { instants }: BackfillSource,
  { life, name, row }: BackfillEndpoint,
  intervals: readonly Interval[],
  durationsByNow: readonly [state: string, durationMs: number][],
): Generator<unknown> {
  const durations = new Map(durationsByNow);
  const accountedAt = Number(row.ledger_until_at);
  const spans = intervals.map(({ at, state }, index) => {
    const untilAt = Math.max(at, Math.min(intervals[index + 1]?.at ?? accountedAt, accountedAt));
    return { at, state, untilAt };
  });
  for (const { at, state, untilAt } of spans) {
    durations.set(state, (durations.get(state) ?? 0) - (untilAt - at));
  }
  let index = 0;
  let countedAt = Number.NaN;
  let view: unknown;
  for (const at of listInstants(instants)) {
    for (let span = spans[index]; span !== undefined && span.untilAt <= at; span = spans[++index]) {
      durations.set(span.state, (durations.get(span.state) ?? 0) + span.untilAt - span.at);
    }
    const current = spans[index];
    const isBegun = index > 0 || (current !== undefined && current.at <= at);
    const until = Math.min(at, accountedAt);
    if (isBegun && until !== countedAt) {
      const running = current !== undefined && current.at <= at ? current : undefined;
      view = { ...name, stateDurations: listDurations(durations, running, at) };
      countedAt = until;
    }
    yield isShownAt(life, at) ? view : undefined;
  }
}

function listDurations(
  durations: ReadonlyMap<string, number>,
  running: Interval | undefined,
  at: number,
): readonly { readonly state: string; readonly durationMs: number }[] {
  return [...durations].map(([state, durationMs]) => {
    const sinceMs = running?.state === state ? at - running.at : 0;
    return { state, durationMs: Math.max(0, durationMs + sinceMs) };
  });
}
