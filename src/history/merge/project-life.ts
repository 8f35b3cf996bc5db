import type { Database } from 'better-sqlite3';
import { statementsOf } from '../file/statement.ts';

/** A time in which a history read a project, and no other one did; epoch milliseconds. */
export interface ProjectLife {
  readonly firstSeenAt: number;
  /** The last instant at which anything of the project itself was read, or that it was gone. */
  readonly lastKnownAt: number;
  /** The last instant at which anything of the project itself was read. */
  readonly lastReadAt: number;
  /** The sum of `cpu_used_sec` when it last grew, since it was last set back, in CU-milliseconds. */
  readonly lastCount: number;
  readonly lastCountAt: number;
  /** Whether its list left the project out, as when it was deleted, or moved. */
  readonly isGone: boolean;
  /** The sum of `cpu_used_sec` at the first reading, where the history had read the project before, in CU-milliseconds. */
  readonly firstCount?: number;
  /** Until when its states were known, where the history read the project again later. */
  readonly statesUntilAt?: number;
}

interface Row extends Omit<ProjectLife, 'isGone' | 'firstCount' | 'statesUntilAt'> {
  readonly project_ref: number;
  readonly isGone: 0 | 1;
}

/** A time in which a history did not read a project, and the counts before and after it. */
interface Absence {
  readonly project_ref: number;
  readonly untilAt: number;
  readonly lastReadAt: number | null;
  readonly lastCount: number | null;
  readonly firstCount: number | null;
  readonly statesUntilAt: number | null;
}

/** The lives of all projects of a history in order of time, by their numbers: one each, and one more after each absence. */
export function readProjectLives(database: Database): ReadonlyMap<number, readonly ProjectLife[]> {
  const sql = statementsOf(database);
  const absences = Map.groupBy(sql.all<[], Absence>`${absent}`(), each => each.project_ref);
  return new Map(
    sql.all<[], Row>`${lives}`().map(({ project_ref, isGone, ...life }) => [
      project_ref,
      cutLife({ ...life, isGone: isGone === 1 }, absences.get(project_ref) ?? []),
    ]),
  );
}

function cutLife(whole: ProjectLife, absences: readonly Absence[]): readonly ProjectLife[] {
  let last = whole;
  const former: ProjectLife[] = [];
  for (const { untilAt, lastReadAt, lastCount, firstCount, statesUntilAt } of absences) {
    const readAt = Math.max(lastReadAt ?? 0, last.firstSeenAt);
    former.push({
      ...last,
      ...{ lastKnownAt: readAt, lastReadAt: readAt, lastCountAt: readAt },
      ...{ lastCount: lastCount ?? 0, isGone: false, statesUntilAt: statesUntilAt ?? readAt },
    });
    last = {
      ...whole,
      ...{ firstSeenAt: untilAt, firstCount: firstCount ?? 0 },
      lastKnownAt: Math.max(untilAt, whole.lastKnownAt),
      lastReadAt: Math.max(untilAt, whole.lastReadAt),
    };
  }
  return [...former, last];
}

const lastRead = 'max(project.first_seen_at, coalesce(cpu_last_at, 0), coalesce(ledger.known_at, 0))';

const lives = `
  SELECT project.project_ref, project.first_seen_at AS firstSeenAt,
    max(coalesce(gone_at, 0), ${lastRead}) AS lastKnownAt, ${lastRead} AS lastReadAt,
    CAST(round(coalesce(cpu_last_sec, 0) * 1000) AS INTEGER) AS lastCount,
    coalesce(cpu_last_at, 0) AS lastCountAt, gone_at IS NOT NULL AS isGone
  FROM project LEFT JOIN (
    SELECT project_ref, max(ledger_until_at) AS known_at FROM endpoint GROUP BY project_ref
  ) AS ledger USING (project_ref)`;

// A project that is left out has a last sample of when it was last read.
const sampleAt = (column: string, at: string) => `(SELECT ${column} FROM cpu_sample AS s
    WHERE s.project_ref = absence.project_ref AND s.at <= ${at} ORDER BY s.at DESC LIMIT 1)`;
const count = 'CAST(round(cpu_used_sec * 1000) AS INTEGER)';

const absent = `
  SELECT project_ref, until_at AS untilAt, ${sampleAt('at', 'from_at')} AS lastReadAt,
    ${sampleAt(count, 'from_at')} AS lastCount, ${sampleAt(count, 'until_at')} AS firstCount,
    states_until_at AS statesUntilAt
  FROM project_absence AS absence ORDER BY project_ref, from_at`;
