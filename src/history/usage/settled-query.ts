import type { Database } from 'better-sqlite3';
import { dayMs, hourMs, minuteMs } from '../../resources/duration.ts';
import { minOf } from '../../resources/min-max.ts';
import { isOfShard } from '../../resources/shard.ts';
import { isFirstImport } from '../clause.ts';
import { readShard } from '../history-source.ts';

/** Lists, operations and keys may be a little behind each other. */
const slackMs = 15 * minuteMs;
/** Keys that are not read any more do not hold up their account for longer. */
const longestKeyGapMs = dayMs;

/**
 * Reads until when nothing the daemon still learns changes what is known of an account: use is written by the hour, the
 * operations it had at first are imported, and its keys were read since. The meter of the service is settled apart.
 */
export class SettledQuery {
  readonly #ofAccount;
  readonly #ofProjects;
  readonly #isOwn: (project: ProjectRow) => boolean;

  constructor(database: Database) {
    this.#ofAccount = database.prepare<[Asked], number | null>(settled).pluck();
    this.#ofProjects = database.prepare<[string], ProjectRow>(rolled);
    const shard = readShard(database);
    // One that moved to another shard is not read here any more.
    this.#isOwn = ({ project_id }) => shard === undefined || isOfShard(project_id, shard);
  }

  /** Epoch milliseconds; 0 while nothing is settled. */
  until(account: string): number {
    const projects = this.#ofProjects.all(account).filter(this.#isOwn);
    const untilAt = this.#ofAccount.get({ account, slackMs, longestKeyGapMs }) ?? 0;
    return Math.min(untilAt, minOf(projects.map(({ rolledUntilAt }) => rolledUntilAt)));
  }
}

interface ProjectRow {
  readonly project_id: string;
  readonly rolledUntilAt: number;
}

interface Asked {
  readonly account: string;
  readonly slackMs: number;
  readonly longestKeyGapMs: number;
}

// A project that is gone is settled once its hours are written to its end.
const rolled = `
  SELECT project_id, max(rolled_until_hour * ${hourMs}, coalesce(created_at, 0)) AS rolledUntilAt
  FROM project JOIN account USING (account_ref)
  WHERE account = ? AND (gone_at IS NULL OR rolled_until_hour * ${hourMs} <= gone_at)`;

const settled = `
  SELECT min(
    projects_listed_at - @slackMs,
    coalesce((SELECT last_success_at - @slackMs FROM collector
      WHERE collector.account_ref = account.account_ref AND collector = 'api_keys'
        AND last_success_at > projects_listed_at - @longestKeyGapMs),
      projects_listed_at),
    iif(${isFirstImport}, 0, projects_listed_at)
  ) FROM account WHERE account = @account AND projects_listed_at IS NOT NULL`;
