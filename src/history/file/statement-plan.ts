import type { Database } from 'better-sqlite3';

/** Texts and comments, which stay, and parameters. */
const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|[@:$][A-Za-z_]\w*|\?\d*/g;

/**
 * Has each statement of a connection planned once. SQLite looks at values of parameters when it plans, and plans anew
 * whenever one of those is bound, which takes ten times as long as most statements themselves: by values it could only choose
 * with statistics, and there are none.
 */
export function planOnce<Opened extends Database>(database: Opened): Opened {
  const prepare = database.prepare.bind(database);
  return Object.defineProperty(database, 'prepare', { value: (sql: string) => prepare(hideValues(sql)) });
}

/** With a plus before each parameter: that changes no value, and the planner looks no further. */
export function hideValues(sql: string): string {
  return sql.replaceAll(token, found => (/^['"-]/.test(found) ? found : `+${found}`));
}
