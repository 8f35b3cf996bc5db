import type { Database, Statement } from 'better-sqlite3';

type Prepared = Statement<unknown[], unknown>;
/** Rows by their columns, as arrays in half of the time, or the first column of each alone. */
type Shape = 'rows' | 'tuples' | 'values';
type Text = readonly [strings: readonly string[], ...parts: readonly unknown[]];

/** What is known of something as a row has it: NULL where it is absent. `compact` gives it back. */
export type RowOf<Known> = {
  readonly [Key in keyof Known]-?: object extends Pick<Known, Key>
    ? NonNullable<Known[Key]> | null
    : Known[Key];
};

const statements = new WeakMap<Database, Map<string, Prepared>>();

/**
 * Statements of a connection as functions of their parameters. Each is prepared once, however often it is written down: who looks
 * at a history again prepares nothing anew.
 */
export function statementsOf(database: Database) {
  const known = statements.get(database) ?? new Map<string, Prepared>();
  statements.set(database, known);
  /** What finds a statement when it is asked. */
  const finder = ([strings, ...parts]: Text, shape: Shape, use: 'at once' | 'one by one' = 'at once') => {
    const text = String.raw({ raw: strings }, ...parts).trim();
    const key = `${shape} ${use} ${text}`;
    return () => {
      const found = known.get(key);
      // One that still gives rows is not to be disturbed.
      if (found?.busy === false) return found;
      const prepared: Prepared = database.prepare(text);
      if (shape !== 'rows') prepared[shape === 'tuples' ? 'raw' : 'pluck']();
      known.set(key, prepared);
      return prepared;
    };
  };
  const find = (text: Text, shape: Shape) => finder(text, shape)();
  return {
    /** All rows. */
    all<Asked extends unknown[], Row>(...text: Text) {
      const statement = find(text, 'rows');
      return (...asked: Asked) => statement.all(...asked) as Row[];
    },
    /** The first row; undefined where there is none. */
    one<Asked extends unknown[], Row>(...text: Text) {
      const statement = find(text, 'rows');
      return (...asked: Asked) => statement.get(...asked) as Row | undefined;
    },
    /** The value of the first row; undefined where there is none, or NULL. */
    value<Asked extends unknown[], Value>(...text: Text) {
      const statement = find(text, 'values');
      return (...asked: Asked) => (statement.get(...asked) ?? undefined) as Value | undefined;
    },
    /** The value of each row. */
    values<Asked extends unknown[], Value>(...text: Text) {
      const statement = find(text, 'values');
      return (...asked: Asked) => statement.all(...asked) as Value[];
    },
    /** All rows, as arrays. */
    tuples<Asked extends unknown[], Row>(...text: Text) {
      const statement = find(text, 'tuples');
      return (...asked: Asked) => statement.all(...asked) as Row[];
    },
    /** One row after the other. */
    each<Asked extends unknown[], Row>(...text: Text) {
      const statement = finder(text, 'rows', 'one by one');
      return (...asked: Asked) => statement().iterate(...asked) as IterableIterator<Row>;
    },
    /** As `each`, with rows as arrays. */
    eachTuple<Asked extends unknown[], Row>(...text: Text) {
      const statement = finder(text, 'tuples', 'one by one');
      return (...asked: Asked) => statement().iterate(...asked) as IterableIterator<Row>;
    },
    /** Writes. */
    run<Asked extends unknown[]>(...text: Text) {
      const statement = find(text, 'rows');
      return (...asked: Asked) => statement.run(...asked);
    },
  };
}
