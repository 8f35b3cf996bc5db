import type { Database } from 'better-sqlite3';
import type { Reading } from '../../../src/resources/reading.ts';
import {
  instant,
  projectReading,
  projectsReading,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../../support/reading-builder.ts';

/** Projects that are read in turn. */
const projects = 500;
/** One reading follows another by so much, on the service's clock. */
const apartMs = 10;
const usedSec = 5;

export const steadyFrom = Date.UTC(2026, 10, 20, 13);

/** The list that comes before all readings. */
export function listSteady(): Reading {
  return projectsReading(
    steadyFrom,
    Array.from({ length: projects }, (_, index) => wireProject(`steady-${index}`)),
    { complete: false },
  );
}

/** A reading by its number alone, and none changes nothing: a project has used more, or its endpoint has another state by an operation. */
export function steadyReading(number: number): Reading {
  const at = steadyFrom + (number + 1) * apartMs;
  const turn = Math.floor(number / projects);
  const project_id = `steady-${number % projects}`;
  if (turn % 2 === 0) {
    const { account, readAt, servedAt, durationMs, items } = projectsReading(at, [
      wireProject(project_id, { cpu_used_sec: (turn + 1) * usedSec }),
    ]);
    return { kind: 'project_page', account, readAt, servedAt, durationMs, items };
  }
  const endpoint = `ep-${number % projects}`;
  const action = turn % 4 === 1 ? 'start_compute' : 'suspend_compute';
  return projectReading(at, project_id, {
    endpoints: [wireEndpoint(endpoint, { current_state: turn % 4 === 1 ? 'active' : 'idle' })],
    operations: [
      wireOperation(`op-${number}`, {
        endpoint_id: endpoint,
        action,
        created_at: instant(at - 2000),
        updated_at: instant(at),
      }),
    ],
  });
}

/** The number of the last reading that a history knows of, by the newest instants in it. */
export function lastReading(database: Database): number {
  const latest = database
    .prepare<[], number>(
      `SELECT max((SELECT max(updated_at) FROM operation),
         (SELECT max(cpu_last_at) FROM project WHERE project_id LIKE 'steady-%'))`,
    )
    .pluck()
    .get();
  return ((latest ?? 0) - steadyFrom) / apartMs - 1;
}
