import { type Endpoint, endpointFamilies } from '../resources/endpoint.ts';
import type { PastPart } from '../resources/past.ts';
import { endpointColumns } from './endpoint-record.ts';
import { lifeOf, type PastProject, type PastSource } from './past-source.ts';
import { type Life, remain, replay } from './replay.ts';
import { type Interval, tellStateSeconds, tellStates } from './state-past.ts';
import { pick, type Row } from './view-query.ts';

/** An endpoint that is or was there. */
export interface PastEndpoint {
  readonly project: PastProject;
  readonly endpoint_ref: number;
  readonly life: Life;
  readonly name: { readonly account: string; readonly project_id: string; readonly endpoint_id: string };
  readonly row: Row;
}

interface Transition {
  readonly at: number;
  readonly action: string;
}

/** As they were known last. */
const steadyFamilies = [
  endpointFamilies.info,
  endpointFamilies.poolerEnabled,
  endpointFamilies.passwordlessAccess,
  endpointFamilies.autoscalingLimitMinCu,
  endpointFamilies.autoscalingLimitMaxCu,
  endpointFamilies.createdTimestamp,
];

/** The past of endpoints: what names them, their states and how often they were started and suspended. */
export function tellEndpoints(source: PastSource): readonly PastPart[] {
  const { endpoints, intervals, durations, transitions } = prepare(source);
  const everyEndpoint = source.watchedProjects.flatMap(project =>
    endpoints.all(project.project_ref).map(row => toEndpoint(project, row)),
  );
  const tellAll = (
    families: readonly { readonly name: string }[],
    tell: (endpoint: PastEndpoint) => Iterable<unknown>,
  ) => ({
    metrics: families.map(({ name }) => name),
    subjects: everyEndpoint.map(endpoint => () => tell(endpoint)),
  });
  const { state, stateSeconds, starts, suspends } = endpointFamilies;
  return [
    tellAll(steadyFamilies, ({ life, name, row }) =>
      remain(source.instants, life, { ...pick<Endpoint>(row, endpointColumns), ...name }),
    ),
    tellAll([state], endpoint => tellStates(source, endpoint, intervals.all(endpoint.endpoint_ref))),
    tellAll([stateSeconds], endpoint => {
      const { endpoint_ref } = endpoint;
      return tellStateSeconds(source, endpoint, intervals.all(endpoint_ref), durations.all(endpoint_ref));
    }),
    tellAll([starts, suspends], endpoint =>
      tellTransitions(source, endpoint, transitions.all(endpoint.endpoint_ref)),
    ),
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
