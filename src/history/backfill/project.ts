import type { BackfillPart } from '../../resources/backfill.ts';
import { compact } from '../../resources/field.ts';
import { projectFamilies } from '../../resources/project.ts';
import { endpointColumns, projectColumns, type StoredRow } from '../column.ts';
import { statementsOf } from '../file/statement.ts';
import { type BackfillProject, type BackfillSource, isShownAt, remain, replay } from './source.ts';

interface ReportedSample {
  readonly at: number;
  /** Null where it is of another source than the list. */
  readonly cpu_used_sec: number | null;
  readonly from_zero: number;
}

/** Series of projects: info, `cpu_used_sec` as reported, and the counter over it. */
export function backfillProjects(source: BackfillSource): readonly BackfillPart[] {
  const { info, branchLogicalSizeLimit, createdTimestamp } = projectFamilies;
  const { cpuUsedReportedSeconds, cpuUsedResets, cpuUsedSeconds } = projectFamilies;
  const samples = statementsOf(source.database).all<[number], ReportedSample>`
    SELECT s.at, c.at IS NOT NULL AS from_zero, iif('project' = (SELECT source FROM cpu_source_change
        WHERE project_ref = s.project_ref AND at <= s.at ORDER BY at DESC LIMIT 1), NULL, cpu_used_sec) AS cpu_used_sec
    FROM cpu_sample s LEFT JOIN cpu_count_start c USING (project_ref, at) WHERE s.project_ref = ? ORDER BY s.at`;
  const endpoints = statementsOf(source.database).all<[number], StoredRow>`
    SELECT endpoint_id, created_at FROM endpoint
    WHERE project_ref = ? AND first_seen_at IS NOT NULL AND gone_at IS NULL`;
  const each = (backfill: (project: BackfillProject) => Iterable<unknown>) =>
    source.watchedProjects.map(project => () => backfill(project));
  return [
    {
      metrics: [info.name, branchLogicalSizeLimit.name, createdTimestamp.name],
      subjects: each(project => {
        const view = viewProject(project, endpoints(project.project_ref));
        return remain(source.instants, project.life, view);
      }),
    },
    {
      metrics: [cpuUsedReportedSeconds.name, cpuUsedResets.name],
      subjects: each(project => backfillReported(source, project, samples(project.project_ref))),
    },
    { metrics: [cpuUsedSeconds.name], subjects: each(project => backfillUse(source, project)) },
  ];
}

/** A project with its endpoints: on them depends whether it shows its age in compact mode. */
function viewProject({ account, project_id, row }: BackfillProject, endpoints: readonly StoredRow[]) {
  return {
    ...projectColumns.read(row),
    account,
    project_id,
    endpoints: endpoints.map(each => ({
      ...endpointColumns.read(each),
      ...{ account, project_id, endpoint_id: String(each.endpoint_id) },
    })),
  };
}

function backfillReported(
  { instants }: BackfillSource,
  { account, project_id, life, row }: BackfillProject,
  samples: readonly ReportedSample[],
): Iterable<unknown> {
  // The first count from zero was no reset; where it was pruned all others were.
  let cpuUsedResets = Number(row.cpu_used_resets);
  for (const { from_zero } of samples.slice(1)) cpuUsedResets -= from_zero;
  let before: ReportedSample | undefined;
  return replay(instants, life, samples, {
    apply(sample) {
      if (before !== undefined) cpuUsedResets += sample.from_zero;
      before = sample;
    },
    show() {
      const reported = compact({ cpu_used_sec: before?.cpu_used_sec });
      return { account, project_id, endpoints: [], cpuUsedResets, ...reported };
    },
  });
}

/** The counter of use; its end is exactly the live counter, fractions and all: it must not fall where they join. */
function* backfillUse(
  { instants, usage }: BackfillSource,
  { account, project_id, project_ref, life, row }: BackfillProject,
): Generator<unknown> {
  const total = row.cpu_used_total_sec;
  if (typeof total !== 'number') return;
  const whole = Math.round(total * 1000);
  let at = instants.fromAt;
  let lastUsed = -1;
  let view: unknown;
  for (const used of usage.usedAtSteps(project_ref, instants)) {
    if (used !== lastUsed) {
      view = { account, project_id, endpoints: [], cpuUsedSeconds: used >= whole ? total : used / 1000 };
      lastUsed = used;
    }
    yield isShownAt(life, at) ? view : undefined;
    at += instants.stepMs;
  }
}
