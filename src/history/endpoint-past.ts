import { type Endpoint, endpointFamilies } from '../resources/endpoint.ts';
import { listInstants, type PastPart } from '../resources/past.ts';
import { endpointColumns } from './endpoint-record.ts';
import { lifeOf, type PastProject, type PastSource } from './past-source.ts';
import { type Life, remain, replay } from './replay.ts';
import { pick, type Row } from './view-query.ts';

interface PastEndpoint {
  readonly project: PastProject;
  readonly endpoint_ref: number;
  readonly life: Life;
  readonly name: { readonly account: string; readonly project_id: string; readonly endpoint_id: string };
  readonly row: Row;
}

interface Interval {
  readonly at: number;
  readonly state: string;
}

interface Transition {
  readonly at: number;
  readonly action: string;
}

/** The past of endpoints: what names them, their states and how often they were started and suspended. */
export function tellEndpoints(source: PastSource): readonly PastPart[] {
  const statements = prepare(source);
  const endpoints = source.watchedProjects.flatMap(project =>
    statements.endpoints.all(project.project_ref).map(row => toEndpoint(project, row)),
  );
  const each = (tell: (endpoint: PastEndpoint) => Iterable<unknown>) =>
    endpoints.map(endpoint => () => tell(endpoint));
  const { instants } = source;
  const steady = ['info', 'poolerEnabled', 'passwordlessAccess', 'createdTimestamp'] as const;
  const { autoscalingLimitMinCu, autoscalingLimitMaxCu, state, stateSeconds, starts, suspends } =
    endpointFamilies;
  return [
    {
      metrics: [
        ...steady.map(key => endpointFamilies[key].name),
        ...[autoscalingLimitMinCu.name, autoscalingLimitMaxCu.name],
      ],
      subjects: each(({ life, name, row }) =>
        remain(instants, life, { ...pick<Endpoint>(row, endpointColumns), ...name }),
      ),
    },
    {
      metrics: [state.name],
      subjects: each(({ life, name, endpoint_ref }) => {
        const intervals = statements.intervals.all(endpoint_ref);
        return tellStates(source, life, name, intervals);
      }),
    },
    {
      metrics: [stateSeconds.name],
      subjects: each(endpoint => {
        const { endpoint_ref } = endpoint;
        const durations = new Map(statements.durations.all(endpoint_ref));
        return tellStateSeconds(source, endpoint, statements.intervals.all(endpoint_ref), durations);
      }),
    },
    {
      metrics: [starts.name, suspends.name],
      subjects: each(endpoint =>
        tellTransitions(source, endpoint, statements.transitions.all(endpoint.endpoint_ref)),
      ),
    },
  ];
}

function toEndpoint(project: PastProject, row: Row): PastEndpoint {
  const { account, project_id } = project;
  const life = lifeOf(row);
  const untilAt = life.untilAt ?? project.life.untilAt;
  return {
    project,
    endpoint_ref: Number(row.endpoint_ref),
    life: { fromAt: life.fromAt, untilAt },
    name: { account, project_id, endpoint_id: String(row.endpoint_id) },
    row,
  };
}

function tellStates(
  { instants }: PastSource,
  life: Life,
  name: PastEndpoint['name'],
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

/** Time is counted as far as the ledger accounts for it; what was pruned stays in what it began with. */
function* tellStateSeconds(
  { instants }: PastSource,
  { life, name, row }: PastEndpoint,
  intervals: readonly Interval[],
  durations: Map<string, number>,
): Generator<unknown> {
  const { fromAt: bornAt, untilAt: goneAt = Number.POSITIVE_INFINITY } = life;
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
    yield at >= bornAt && at < goneAt ? view : undefined;
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

/** Counted back from how many there are by now. */
function tellTransitions(
  { instants }: PastSource,
  { project, life, name, row }: PastEndpoint,
  transitions: readonly Transition[],
): Iterable<unknown> {
  if (!project.operationsKnown) return [];
  const isStart = ({ action }: Transition) => action === 'start_compute';
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

function prepare({ database }: PastSource) {
  return {
    endpoints: database.prepare<[number], Row>(
      'SELECT * FROM endpoint WHERE project_ref = ? AND first_seen_at IS NOT NULL ORDER BY endpoint_ref',
    ),
    intervals: database.prepare<[number], Interval>(
      'SELECT from_at AS at, state FROM state_interval WHERE endpoint_ref = ? ORDER BY from_at',
    ),
    durations: database
      .prepare<[number], [state: string, durationMs: number]>(
        'SELECT state, duration_ms FROM state_duration WHERE endpoint_ref = ?',
      )
      .raw(),
    transitions: database.prepare<[number], Transition>(
      `SELECT coalesce(updated_at, created_at, 0) AS at, action FROM operation
       WHERE endpoint_ref = ? AND phase = 'ended' AND status = 'finished'
         AND action IN ('start_compute', 'suspend_compute')
       ORDER BY at`,
    ),
  };
}
