import { basename, extname } from 'node:path';
import { Failure } from '../../resources/failure.ts';
import type { Shard } from '../../resources/shard.ts';

/** A history that labels can name. */
export interface NamedHistory {
  readonly file: string;
  /** Absent where it is of all projects. */
  readonly shard?: Shard | undefined;
}

/**
 * Labels with `{shard}` and `{file}` in their values filled in: the number of the shard, and the name of the file without its
 * ending.
 *
 * @throws Failure when a history has no such number.
 */
export function fillLabels(
  labels: Readonly<Record<string, string>>,
  { file, shard }: NamedHistory,
): Readonly<Record<string, string>> {
  const fill = ([name, value]: readonly [string, string]): [string, string] => {
    if (value.includes('{shard}') && shard === undefined)
      throw new Failure(`--label ${name}: ${file} is not the history of a shard: take {file}`, 'usage');
    const filled = value.replaceAll('{shard}', String(shard?.index));
    return [name, filled.replaceAll('{file}', basename(file, extname(file)))];
  };
  return Object.fromEntries(Object.entries(labels).map(fill));
}

/**
 * Looks whether each of several histories has labels of its own.
 *
 * @throws Failure when two would have the same series.
 */
export function refuseSameLabels(
  labels: Readonly<Record<string, string>>,
  histories: readonly NamedHistory[],
): void {
  const before = new Map<string, string>();
  for (const history of histories) {
    const key = JSON.stringify(fillLabels(labels, history));
    const other = before.get(key);
    if (other !== undefined) {
      const isEachShard = histories.every(({ shard }) => shard !== undefined);
      const example = `--label 'instance=${isEachShard ? 'shard-{shard}' : '{file}'}:10062'`;
      throw new Failure(
        `${other} and ${history.file} would have series of the same names: tell them apart, as by ${example}`,
        'usage',
      );
    }
    before.set(key, history.file);
  }
}
