import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { applicationId, migrations } from '../../src/history/file/format.ts';
import { UsageQuery } from '../../src/history/usage/usage-query.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { day, instant, minute, projectsReading, startAt, wireProject } from '../support/reading-builder.ts';

const hour = 60 * minute;

/** A history as it was before use was kept by hours. */
function writeOld(file: string, sql: string): void {
  const database = new Database(file);
  for (const migration of migrations.slice(0, 2)) database.exec(readFileSync(migration, 'utf8'));
  database.exec(sql);
  database.pragma(`application_id = ${applicationId}`);
  database.pragma('user_version = 2');
  database.close();
}

function usedAt(file: string, instants: readonly number[]): readonly number[] {
  const database = new Database(file, { readonly: true });
  const usage = new UsageQuery(database);
  const used = instants.map(at => usage.usedUntil(1, at) / 1000);
  database.close();
  return used;
}

interface OldProject {
  readonly createdAt: number;
  readonly samples: readonly (readonly [at: number, cpu_used_sec: number])[];
  readonly last: readonly [at: number, cpu_used_sec: number];
  readonly total: number;
  readonly resets: number;
}

function projectSql({ createdAt, samples, last, total, resets }: OldProject): string {
  const reported = samples.at(-1)?.[1];
  return `INSERT INTO account (account_ref, account, projects_listed_at, cpu_used_total_sec)
    VALUES (1, 'main', ${startAt}, ${total});
    INSERT INTO project (project_ref, account_ref, project_id, cpu_used_sec, created_at, first_seen_at, born_watched,
      cpu_last_sec, cpu_last_at, cpu_used_total_sec, cpu_used_resets)
    VALUES (1, 1, 'p', ${reported}, ${createdAt}, ${startAt - day}, 0, ${last[1]}, ${last[0]}, ${total}, ${resets});
    ${samples.map(([at, value]) => `INSERT INTO cpu_sample VALUES (1, ${at}, ${value});`).join('\n')}`;
}

test('a history of before goes on counting where it was: values that lagged count nothing, resets do', () => {
  using folder = new HistoryFolder();
  const at = (minutes: number) => startAt - hour + minutes * minute;
  writeOld(
    folder.file,
    projectSql({
      createdAt: at(-60),
      samples: [
        [at(0), 1000],
        [at(5), 999],
        [at(6), 999.5],
        [at(10), 1010],
        [at(20), 30],
        [at(30), 40],
      ],
      last: [at(30), 40],
      total: 1050,
      resets: 1,
    }),
  );
  const history = folder.open();
  expect(usedAt(folder.file, [0, 5, 6, 10, 20, 30].map(at))).toEqual([1000, 1000, 1000, 1010, 1040, 1050]);
  const project = wireProject('p', { created_at: instant(at(-60)), cpu_used_sec: 45 });
  history.record(projectsReading(startAt, [project]));
  expect(usedAt(folder.file, [at(30), startAt])).toEqual([1050, 1055]);
});

test('the first value of before is of its month, as a first value of now of which nothing else is known', () => {
  using folder = new HistoryFolder();
  const createdAt = startAt - 1000 * day;
  const last = [startAt - day, 366] as const;
  writeOld(folder.file, projectSql({ createdAt, samples: [last], last, total: 366, resets: 0 }));
  folder.open();
  const readAt = startAt - day;
  const monthBeganAt = Date.UTC(2026, 10, 1);
  const middle = (monthBeganAt + readAt) / 2;
  expect(usedAt(folder.file, [monthBeganAt, middle, readAt])).toEqual([0, 183, 366]);
});
