import type { SettingType, ValueBounds, ValueOfType } from './value-schema.ts';

/** One row of the schema: flags, environment, YAML, defaults, `--help` and the table of settings all follow from it. */
export interface SettingRow extends ValueBounds {
  readonly type: SettingType;
  /** One sentence without its full stop, for `--help` and the table. */
  readonly help: string;
  /** The word for the value of its flag in `--help`; empty where the flag has none, absent where there is no flag. */
  readonly flag?: string;
  /** The flag itself, if it is not named after the key. */
  readonly flagName?: string;
  /** The environment variable, if it is not named after the key; null where there is none. */
  readonly env?: string | null;
  /** False where a file cannot hold it. */
  readonly yaml?: boolean;
}

/** A row with its names in all sources. */
export interface Setting<Type extends SettingType = SettingType>
  extends Omit<SettingRow, 'env' | 'flagName' | 'type'> {
  readonly type: Type;
  /** Its place in YAML, and its name everywhere else: `collect.idle_refresh`, `accounts[].name`. */
  readonly key: string;
  /** `DBPM_WEB_LISTEN_ADDRESS`. */
  readonly env?: string;
  /** `--web.listen-address`. */
  readonly flag?: string;
  /** `address` in `--web.listen-address <address>`. */
  readonly placeholder?: string;
}

/** Names the variable and the flag of a setting after its key. */
export function makeSetting(key: string, { env, flag, flagName, ...row }: SettingRow): Setting {
  const variable = env === undefined ? `DBPM_${key.toUpperCase().replaceAll('.', '_')}` : env;
  const named = flagName ?? `--${key.replaceAll('_', '-')}`;
  const names = flag !== undefined && { flag: named, placeholder: flag };
  return { ...row, key, ...(variable !== null && { env: variable }), ...names };
}

/** The settings of rows by their name, which follows `prefix` in the key. */
export function makeSettings<Rows extends Readonly<Record<string, SettingRow>>>(
  rows: Rows,
  prefix = '',
): { readonly [Name in keyof Rows]: Setting<Rows[Name]['type']> } {
  const settings = Object.entries<SettingRow>(rows).map(([name, row]) => [
    name,
    makeSetting(`${prefix}${name}`, row),
  ]);
  return Object.fromEntries(settings);
}

type Camel<Name extends string> = Name extends `${infer Head}.${infer Tail}`
  ? `${Camel<Head>}${Capitalize<Camel<Tail>>}`
  : Name extends `${infer Head}_${infer Tail}`
    ? `${Head}${Capitalize<Camel<Tail>>}`
    : Name;
type PropertyOf<Key, Section extends string, Row> = Key extends `${Section}.${infer Name}`
  ? Row extends { readonly type: 'duration' }
    ? `${Camel<Name>}Ms`
    : Camel<Name>
  : never;
type ValueOf<Row> = Row extends { readonly words: readonly (infer Word)[] }
  ? Word
  : Row extends { readonly type: infer Type extends SettingType }
    ? ValueOfType<Type>
    : never;

/** The values of the rows of a section: `collect.idle_refresh`, a duration, is `idleRefreshMs`. */
export type SettingValues<Rows, Section extends string> = {
  readonly [Key in keyof Rows as PropertyOf<Key, Section, Rows[Key]>]: ValueOf<Rows[Key]>;
};

/** The name of the value of a setting below `parent`: `idleRefreshMs`, and `backupEveryMs` of `history.backup.every`. */
export function propertyOf({ key, type }: Setting, parent: string): string {
  const camel = key.slice(parent.length + 1).replace(/[._](.)/g, (_, letter: string) => letter.toUpperCase());
  return type === 'duration' ? `${camel}Ms` : camel;
}

/** `idle_refresh` of `collect.idle_refresh`. */
export function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1);
}
