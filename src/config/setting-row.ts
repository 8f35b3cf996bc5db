import type { ValueKind } from './value-kind.ts';

/** One row of the schema: flags, environment, YAML, defaults, `--help` and the documents' table all follow from it. */
export interface Setting<Value> {
  /** Its place in YAML, and its name everywhere else: `collect.idle_refresh`, `accounts[].name`. */
  readonly key: string;
  readonly kind: ValueKind<Value>;
  /** One sentence without its full stop, for `--help` and the documents. */
  readonly help: string;
  /** As a person would write it; absent where there is none. */
  readonly default?: string;
  readonly env?: string;
  readonly flag?: string;
  /** False where a file cannot hold it. */
  readonly yaml: boolean;
}

/** What a row says of itself. */
export interface SettingRow<Value> {
  readonly key: string;
  readonly kind: ValueKind<Value>;
  readonly help: string;
  readonly default?: string;
  /** Also a flag, named after the key. */
  readonly flag?: true;
  readonly yaml?: boolean;
}

/** Names the variable and the flag after the key: `DBPM_WEB_LISTEN_ADDRESS`, `--web.listen-address`. */
export function setting<Value>({ flag, yaml = true, ...row }: SettingRow<Value>): Setting<Value> {
  const env = `DBPM_${row.key.toUpperCase().replaceAll('.', '_')}`;
  return { ...row, yaml, env, ...(flag && { flag: `--${row.key.replaceAll('_', '-')}` }) };
}
