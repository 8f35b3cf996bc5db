import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';

/**
 * Has the history itself note who writes: how often it was taken, and how many rows the connection that writes has
 * changed. Two connections that write under one owner would not count up one after the other.
 */
export function auditWriters(file: string) {
  const database = new Database(file, { timeout: 10_000 });
  onTestFinished(() => void database.close());
  const note = 'INSERT INTO audit (generation, changed) SELECT generation, total_changes() FROM owner';
  database.exec(`
    CREATE TABLE audit (noted INTEGER PRIMARY KEY, generation INTEGER, changed INTEGER);
    CREATE TRIGGER audit_insert AFTER INSERT ON collector BEGIN ${note}; END;
    CREATE TRIGGER audit_update AFTER UPDATE ON collector BEGIN ${note}; END;
  `);
  const disorder = `
    SELECT * FROM (
      SELECT noted, generation, changed, lag(generation) OVER w AS generation_before, lag(changed) OVER w AS changed_before
      FROM audit WINDOW w AS (ORDER BY noted)
    ) WHERE generation < generation_before OR (generation = generation_before AND changed < changed_before)`;
  const owner = (column: 'takeovers' | 'generation') =>
    database.prepare<[], number>(`SELECT ${column} FROM owner`).pluck();
  const [takeovers, generation] = [owner('takeovers'), owner('generation')];
  return {
    findSecondWriters: () => database.prepare(disorder).all(),
    takeovers: () => takeovers.get() ?? 0,
    /** Counts up whenever the history is taken. */
    generation: () => generation.get() ?? 0,
  };
}
